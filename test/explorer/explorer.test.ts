import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IDS } from '../small-store.ts';
import { openExplorer, startBrowser } from './browser.ts';
import { openSmallPublication } from './small-publication.ts';

let publication: Awaited<ReturnType<typeof openSmallPublication>>;
let browser: Browser;
beforeAll(async () => {
  [publication, browser] = await Promise.all([openSmallPublication(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await publication?.close();
});

const document = (path: string) =>
  JSON.parse(readFileSync(join(publication.folder, 'api/v1/public', `${path}.json`), 'utf8'));

const market = `#/markets/${encodeURIComponent(IDS.steady)}`;
/** Each page with its heading. */
const pages = (): [hash: string, heading: string][] => [
  ['#/', 'Prediction-market indices and rates'],
  ['#/indices/SMALL', 'Small basket'],
  ['#/indices/GAUGE.K', 'A gauge'],
  ['#/indices/QUIET', 'Quiet basket'],
  ['#/indices/LATER', 'Begins later'],
  ['#/indices/TEAM.26', 'A team & its <season>'],
  ['#/rates/R.MEAN', 'Mean of three'],
  ['#/rates/R.QUIET', 'A quiet rate'],
  ['#/markets', 'Markets'],
  [market, 'KXSTEADY-26?'],
  [`#/markets/${encodeURIComponent(IDS.wild)}`, 'Is this id safe?'],
  ['#/announcements', 'Announcements'],
  [publication.announcement, 'Small basket: one in, one out'],
  ['#/filings', 'Regulatory filings'],
  ['#/filings?feed=dco_rules', 'Regulatory filings'],
  ['#/filings/103', 'Clearing of rainfall contracts'],
  ['#/api', 'Foremark'],
  ['#/status', 'Status'],
  ['#/nowhere', 'No such page'],
];

const OUTLETS = ['files', 'server'] as const;

describe.each(OUTLETS)('the explorer, answered by %s', (outlet) => {
  it('shows every page without an error and without asking anybody else', async () => {
    const { page, faults, go } = await openExplorer(browser, publication.addresses[outlet]);
    for (const [hash, heading] of pages()) {
      await go(hash);
      expect((await page.locator('h1').first().textContent())?.trim(), hash).toBe(heading);
      expect(faults, hash).toEqual([]);
    }
    await page.context().close();
  });

  it('shows the numbers of the documents', async () => {
    const { page, go, numbers } = await openExplorer(browser, publication.addresses[outlet]);
    await go('#/');
    const indices = document('indices').data.flatMap((row: Record<string, number>) =>
      [row.latest_price, row.change_percent].filter((each) => each !== undefined),
    );
    expect((await numbers()).slice(0, indices.length)).toEqual(indices);
    await go('#/indices/SMALL');
    const shown = await numbers();
    expect(shown[0]).toBe(document('indices/SMALL').latest_price);
    const rows = document('indices/SMALL/constituents').data.flatMap((row: Record<string, number>) =>
      [row.weight, row.mark].filter((each) => each !== undefined),
    );
    expect(rows.filter((each: number) => !shown.includes(each))).toEqual([]);
    await go('#/rates/R.MEAN');
    const rate = document('rates/R.MEAN');
    expect(await numbers()).toEqual(expect.arrayContaining([rate.latest_price, rate.spread]));
    await go(market);
    expect(await numbers()).toContain(document(`markets/${IDS.steady.replace(':', '~3a')}`).latest_price);
    await page.context().close();
  });
});

describe('the explorer', () => {
  it('has the description of the interface beside it, with the bytes of the server', async () => {
    const [files, server] = await Promise.all(
      OUTLETS.map(async (outlet) =>
        (await fetch(`${publication.addresses[outlet]}api/v1/openapi.json`)).text(),
      ),
    );
    expect(files).toBe(server);
  });

  it.each(['light', 'dark'] as const)(
    'gives axe-core nothing to object to, %s',
    async (colorScheme) => {
      const address = publication.addresses.files;
      const { page, go, objections } = await openExplorer(browser, address, { colorScheme });
      for (const [hash] of pages()) {
        await go(hash);
        await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
        expect(await objections(), hash).toEqual([]);
      }
      await page.context().close();
    },
    120_000,
  );

  it('fits a phone: no page is wider than the screen', async () => {
    const { page, go } = await openExplorer(browser, publication.addresses.files, { width: 360 });
    for (const [hash] of pages()) {
      await go(hash);
      expect(await page.evaluate('document.documentElement.scrollWidth'), hash).toBeLessThanOrEqual(360);
    }
    await page.context().close();
  });

  it('searches and sorts its lists, and reads its chart to the keyboard', async () => {
    const { page, go } = await openExplorer(browser, publication.addresses.files);
    await go('#/');
    const names = () =>
      page.locator('main section').first().locator('tbody tr td:first-child a').allTextContents();
    await page.getByRole('button', { name: 'Index' }).click();
    expect(await names()).toEqual([...(await names())].sort((a, b) => a.localeCompare(b)));
    await page.getByLabel('Search').fill('gauge');
    expect(await names()).toEqual(['A gauge']);
    await go('#/indices/GAUGE.K');
    const slider = page.getByRole('slider');
    await slider.focus();
    const last = await slider.getAttribute('aria-valuetext');
    expect(last).toContain('15 Apr 2026, 12:00 UTC');
    await page.keyboard.press('ArrowLeft');
    expect(await slider.getAttribute('aria-valuetext')).toContain('15 Apr 2026, 06:00 UTC');
    await page.getByRole('button', { name: '1 week' }).click();
    expect(Number(await slider.getAttribute('aria-valuemax'))).toBe(28);
    await page.context().close();
  });

  it('says why a name is left out, and marks what was announced', async () => {
    const { page, go } = await openExplorer(browser, publication.addresses.files);
    await go('#/indices/SMALL');
    const text = await page.locator('main').innerText();
    expect(text).toContain('only one side of its book is quoted');
    expect(text).toContain('Small basket: one in, one out');
    expect(text).toContain('How this number was made');
    await go('#/indices/TEAM.26');
    expect(await page.locator('.seats article h3').allTextContents()).toHaveLength(4);
    await page.context().close();
  });

  it('filters filings by what the registries say, and shows the text of their attachments', async () => {
    const { page, go } = await openExplorer(browser, publication.addresses.files);
    await go('#/filings');
    expect(await page.locator('tbody tr').count()).toBe(document('filings').data.length);
    await page.getByLabel('feed').selectOption('dco_rules');
    await page.locator('main[data-shown="#/filings?feed=dco_rules"]').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await go('#/filings/103');
    const { markdown } = document('filings/103/markdown');
    expect(await page.locator('pre.text').textContent()).toBe(markdown);
    await page.context().close();
  });

  it('goes by the theme that is chosen', async () => {
    const { page, go } = await openExplorer(browser, publication.addresses.files);
    await go('#/indices/SMALL');
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByLabel('Theme').selectOption('dark');
    expect(await ground()).not.toBe(light);
    await page.reload();
    expect(await ground()).not.toBe(light);
    await page.context().close();
  });

  it('asks for a handful of documents a page, never for the catalog', async () => {
    const { page, go } = await openExplorer(browser, publication.addresses.server);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const hash of ['#/', '#/indices/SMALL', '#/rates/R.MEAN', market]) {
      asked.length = 0;
      await go(hash);
      expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(12);
      expect(asked).not.toContain('/api/v1/public/markets');
    }
    await page.context().close();
  });

  it('weighs under 60 KB compressed', () => {
    const bytes = readdirSync(join(publication.folder, 'explorer'))
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => gzipSync(readFileSync(join(publication.folder, 'explorer', name))).byteLength);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(60_000);
  });
});
