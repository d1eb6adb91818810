import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/model/time.ts';
import { IDS, NOW } from '../helpers/small-store.ts';
import { type OpenPage, openExplorer, startBrowser } from './browser.ts';
import { openSmallPublication } from './small-publication.ts';

let publication: Awaited<ReturnType<typeof openSmallPublication>>;
let browser: Browser;
const closing = (market_id: string, closes_at: number) => ({ market_id, question: market_id, closes_at });
beforeAll(async () => {
  const markets = [closing('venue_b:0xcc01', NOW - DAY_MS), closing('venue_b:0xcc02', NOW + DAY_MS)];
  [publication, browser] = await Promise.all([openSmallPublication({ markets }), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await publication?.close();
});

const written = (key: string) => JSON.parse(readFileSync(join(publication.folder, key), 'utf8'));
const document = (path: string) => written(`api/v1/public/${path}.json`);

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
  ['#/api', 'API reference'],
  ['#/status', 'Status'],
  ['#/nowhere', 'No such page'],
];

const OUTLETS = ['files', 'server'] as const;
/** Pages that are looked at side by side. */
const ABREAST = 2;

/** Opens the explorer for each part of some addresses, and does something on each page. */
async function onEach(
  outlet: (typeof OUTLETS)[number],
  hashes: readonly string[],
  act: (open: OpenPage, hash: string) => Promise<void>,
): Promise<void> {
  const parts = Array.from({ length: ABREAST }, (_, n) => hashes.filter((_, i) => i % ABREAST === n));
  await Promise.all(
    parts.map(async (part) => {
      const open = await openExplorer(browser, publication.addresses[outlet]);
      for (const hash of part) {
        await open.go(hash);
        await act(open, hash);
      }
      await open.close();
    }),
  );
}

const opened = new Map<string, OpenPage>();

/** Does something with the explorer in a page as good as new; a new one is a process of the browser. */
async function explore(outlet: (typeof OUTLETS)[number], act: (open: OpenPage) => Promise<void>) {
  const open = opened.get(outlet) ?? (await openExplorer(browser, publication.addresses[outlet]));
  opened.set(outlet, open);
  try {
    await act(open);
  } finally {
    await open.leave();
  }
}

describe.each(OUTLETS)('the explorer, answered by %s', (outlet) => {
  it('shows every page without an error and without a request to another site', async () => {
    const headings = new Map(pages());
    const kinds = new Set<string>();
    await onEach(
      outlet,
      [...headings.keys()],
      async ({ page, faults, objections, objectionsInTheDark }, hash) => {
        expect((await page.locator('h1').first().textContent())?.trim(), hash).toBe(headings.get(hash));
        expect(faults, hash).toEqual([]);
        if (outlet === 'server') return;
        // What axe-core says, and whether it fits a phone, is the same for the same page from the server.
        await page.evaluate(UNFOLD);
        expect(await objections(), hash).toEqual([]);
        const kind = hash.replace(/\?.*$/, '').replace(/(?<=\/\w+\/).+/, 'id');
        if (!kinds.has(kind)) expect(await objectionsInTheDark(), hash).toEqual([]);
        await page.setViewportSize({ width: 360, height: 900 });
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: hash })
          .toBeLessThanOrEqual(360);
        if (!kinds.has(kind)) expect(await objections(), `${hash} on a phone`).toEqual([]);
        kinds.add(kind);
        await page.setViewportSize({ width: 1200, height: 900 });
      },
    );
  });

  it('shows the numbers of the documents', () =>
    explore(outlet, async ({ go, numbers }) => {
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
      const { latest_price } = document(`markets/${IDS.steady.replace(':', '~3a')}`);
      expect(await numbers()).toContain(latest_price);
    }));

  it('finds markets by words: all with a server, those in use from files', () =>
    explore(outlet, async ({ page, go }) => {
      await go('#/');
      await page.getByLabel('Search').fill('swing');
      await page.getByRole('link', { name: 'KXSWING-26-UP?' }).click();
      await page.getByRole('heading', { level: 1, name: 'KXSWING-26-UP?' }).waitFor();
      await page.goBack();
      expect(await page.getByLabel('Search').inputValue()).toBe('swing');
    }));
});

describe('the explorer', () => {
  it('includes the description of the interface, with the bytes of the server', async () => {
    const [files, server] = await Promise.all(
      OUTLETS.map(async (outlet) =>
        (await fetch(`${publication.addresses[outlet]}api/v1/openapi.json`)).text(),
      ),
    );
    expect(files).toBe(server);
  });

  it('filters and sorts its lists, and reads its chart to the keyboard', () =>
    explore('files', async ({ page, go }) => {
      await go('#/');
      const names = () =>
        page.locator('main section').first().locator('tbody td:first-child a').allTextContents();
      await page.locator('main section').first().getByRole('button', { name: 'Index' }).click();
      expect(await names()).toEqual([...(await names())].sort((a, b) => a.localeCompare(b)));
      await page.getByLabel('Search').fill('gauge');
      expect(await names()).toEqual(['A gauge']);
      await go('#/indices/GAUGE.K');
      expect(await page.locator('main').innerText()).toMatch(/7 days\s+−6\.49 \(−17\.60%\)/);
      const slider = page.getByRole('slider');
      await slider.focus();
      const last = await slider.getAttribute('aria-valuetext');
      expect(last).toContain('15 Apr 2026, 12:00 UTC');
      await page.keyboard.press('ArrowLeft');
      expect(await slider.getAttribute('aria-valuetext')).toContain('15 Apr 2026, 06:00 UTC');
      // Said once, as the slider's value.
      expect(await page.locator('series-chart output').getAttribute('aria-live')).toBe('off');
      await page.getByRole('button', { name: '1 week' }).click();
      expect(Number(await slider.getAttribute('aria-valuemax'))).toBe(28);
    }));

  it('offers the requests for all that a page is made of, and for nothing else', () =>
    explore('files', async ({ page, go, answered }) => {
      await go('#/status');
      for (const hash of ['#/indices/TEAM.26', '#/indices/SMALL', '#/rates/R.MEAN', market]) {
        answered.clear();
        await go(hash);
        const offered = await page.evaluate<string[]>(
          '[...document.querySelectorAll(".request a")].map((each) => each.href)',
        );
        const paths = offered.map((each) => each.slice(publication.addresses.files.length));
        expect(paths.toSorted(), hash).toEqual([...answered.keys()].toSorted());
      }
    }));

  it('works with the keyboard alone', () =>
    explore('files', async ({ page, go }) => {
      await go('#/');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('content');
      await page.keyboard.press('Tab');
      await page.keyboard.type('small');
      for (let i = 0; i < 20 && !(await isFocused(page, '#/indices/SMALL')); i++)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('main[data-shown="#/indices/SMALL"]').waitFor();
      expect(await page.evaluate('document.activeElement.id')).toBe('content');
    }));

  it('leaves the keyboard at a choice, so that the next one can be taken', () =>
    explore('files', async ({ page, go }) => {
      await go('#/announcements');
      await page.getByLabel('Kind').focus();
      for (const type of ['rebalance', 'methodology_update']) {
        await page.keyboard.press('ArrowDown');
        await page.locator(`main[data-shown="#/announcements?type=${type}"]`).waitFor();
      }
    }));

  it('says why a constituent is left out, draws its marks, and marks announcements', () =>
    explore('files', async ({ page, go }) => {
      await go('#/indices/SMALL');
      const text = await page.locator('main').innerText();
      expect(text).toContain('only one side of its book is quoted');
      expect(text).toContain('Small basket: one in, one out');
      expect(text).toContain('How this number was made');
      expect(text).toMatch(
        /1 name fails .* counts at the last good mark: .* moving nothing until the book is good again/s,
      );
      expect(text, 'all its prints are live').not.toContain('calculated afterwards');
      expect(await page.locator('tbody svg.sparkline').count()).toBeGreaterThan(0);
      await go('#/indices/TEAM.26');
      expect(await page.locator('.seats article h3').allTextContents()).toHaveLength(4);
      expect(await page.locator('main').innerText()).toMatch(
        /Launched 15 Apr 2026, 12:00 UTC: .* afterwards/,
      );
    }));

  it('names the window and the order of what it shows, not those of an address that only a server answers', () =>
    explore('files', async ({ page, go }) => {
      await go('#/?window=30d');
      const text = await page.locator('main').innerText();
      expect(document('indices').meta.window).toBe('7d');
      expect(text).toContain('Over 7 days');
      expect(text).not.toContain('Over 30 days');
      await go('#/markets?sort=volume');
      expect(await page.locator('main h2').first().innerText()).toMatch(/^Newest listed/);
    }));

  it('names the order of a search whose matches are in another than the best first', () =>
    explore('server', async ({ page, go }) => {
      const title = page.locator('main h2').first();
      await go('#/markets?search=venue');
      expect(await title.innerText()).toMatch(/^Best matches/);
      await go('#/markets?search=venue&sort=volume');
      expect(await title.innerText()).toMatch(/^Most traded/);
    }));

  it('says of an attachment that it was replaced, and when', () =>
    explore('files', async ({ page, go }) => {
      const attached = { title: 'Rules', url: 'https://registry.example/rules.pdf' };
      const documents = [attached, { ...attached, replaced: '2026-04-10' }];
      const body = JSON.stringify({ ...document('filings/103'), documents });
      await page.route('**/filings/103.json', (route) => route.fulfill({ body }));
      await go('#/filings/103');
      const list = page.locator('section', { hasText: 'Attachments' }).first().locator('li');
      expect(await list.allInnerTexts()).toEqual(['Rules', 'Rules replaced 10 Apr 2026']);
    }));

  it('does not say of a market in an index that its history is not published', () =>
    explore('files', async ({ page, go }) => {
      const body = JSON.stringify({ closes: [], names: {} });
      await page.route('**/explorer/marks/indices/SMALL.json', (route) => route.fulfill({ body }));
      await go(market);
      expect(await page.locator('main').innerText()).toContain('There is no history to draw yet.');
      await go(`#/markets/${encodeURIComponent('venue_b:0xcc02')}`);
      expect(await page.locator('main').innerText()).toContain('History is published only with the indices');
    }));

  it('shows the history of a market that an index holds', () =>
    explore('files', async ({ page, go }) => {
      await go(market);
      const { closes, names } = written('explorer/marks/indices/SMALL.json');
      expect(closes).toHaveLength(41);
      expect(names[IDS.steady]).toHaveLength(closes.length);
      const slider = page.getByRole('slider');
      await slider.focus();
      await page.keyboard.press('Home');
      expect(await slider.getAttribute('aria-valuetext')).toContain(`${names[IDS.steady][0].toFixed(2)}¢`);
    }));

  it('measures the change of a market up to the price that it shows', () =>
    explore('files', async ({ page, go }) => {
      const { closes, names } = written('explorer/marks/indices/SMALL.json');
      const { latest_price, price_at } = document(`markets/${IDS.swinging.replace(':', '~3a')}`);
      const weekAgo = Date.parse(price_at) - 7 * 86_400_000;
      expect(Date.parse(closes.at(-1))).toBeLessThan(Date.parse(price_at));
      const before = names[IDS.swinging][closes.findLastIndex((at: string) => Date.parse(at) <= weekAgo)];
      await go(`#/markets/${encodeURIComponent(IDS.swinging)}`);
      const shown = page.locator('.figures div', { hasText: '7 days' }).locator('data');
      expect(Number(await shown.getAttribute('value'))).toBeCloseTo(latest_price - before, 9);
    }));

  it('says when its lists were printed, and what is days behind', () =>
    explore('files', async ({ page, go }) => {
      await go('#/');
      expect(await page.locator('main').innerText()).toContain('Last printed 15 Apr 2026, 12:00 UTC');
      const rows = page.locator('tbody tr');
      expect(await rows.filter({ hasText: 'Quiet basket' }).innerText()).toContain('7 days old');
      expect(await rows.filter({ hasText: 'Small basket' }).innerText()).not.toContain('old');
    }));

  it('filters filings by what the registries say, and shows the text of their attachments', () =>
    explore('files', async ({ page, go }) => {
      await go('#/filings');
      expect(await page.locator('tbody tr').count()).toBe(document('filings').data.length);
      await page.getByLabel('Registry').selectOption('dco_rules');
      await page.locator('main[data-shown="#/filings?feed=dco_rules"]').waitFor();
      expect(await page.locator('tbody tr').count()).toBe(1);
      await go('#/filings/103');
      const shown = await page.locator('.text').innerText();
      const words = (text: string) => text.match(/[\p{L}\d]+/gu) ?? [];
      const { markdown } = document('filings/103/markdown');
      expect(words(shown)).toEqual(words(markdown.replaceAll('&lt;', '<')));
      expect(shown).toContain('The clearing house clears\n--\nat < 5 % [as told](above).');
    }));

  it('lists markets from the server by venue and order, and announcements of one kind', () =>
    explore('server', async ({ page, go, answered }) => {
      await go('#/markets');
      await page.getByLabel('Venue').selectOption('venue_b');
      await page.locator('main[data-shown="#/markets?venue=venue_b"]').waitFor();
      const venues = await page.locator('tbody td:nth-child(2)').allTextContents();
      expect(new Set(venues)).toEqual(new Set(['Beta']));
      answered.clear();
      await page.getByLabel('Order').selectOption('closes');
      await page.locator('main[data-shown="#/markets?venue=venue_b&sort=closes&sort_dir=asc"]').waitFor();
      expect([...answered.keys()].toSorted()).toEqual(['api/v1/public/markets', 'publication.json']);
      expect(await page.locator('tbody td:first-child').allInnerTexts()).toEqual(['venue_b:0xcc02']);
      await go('#/markets?search=0xaa02');
      expect(await page.locator('tbody td:nth-child(4)').innerText()).toBe('3 usd');
      await go('#/announcements?type=rebalance');
      expect(await page.locator('.notice').count()).toBe(1);
      await page.getByLabel('Kind').selectOption('corporate_action');
      await page.locator('main[data-shown="#/announcements?type=corporate_action"]').waitFor();
      expect(await page.locator('.notice').count()).toBe(0);
    }));

  it('shows how each feed answered and the last runs ended, without their messages', () =>
    explore('files', async ({ page, go }) => {
      await go('#/status');
      const status = written('explorer/status.json');
      const shown = await page
        .locator('section', { hasText: 'Feeds' })
        .locator('tbody td:first-child')
        .allInnerTexts();
      expect(shown.toSorted()).toEqual([
        'Alpha events',
        'Beta, US events',
        'CFTC dco',
        'Gamma, daily files prices',
      ]);
      expect(status.feeds).toHaveLength(shown.length);
      const run = page.locator('section', { hasText: 'Last runs' }).locator('tbody td');
      expect(await run.allInnerTexts()).toEqual([
        'run',
        '15 Apr 2026, 10:00 UTC',
        '15 Apr 2026, 11:00 UTC',
        'partial',
      ]);
      expect(JSON.stringify(status)).not.toContain('message');
    }));

  it('says nothing of feeds that it has not read', () =>
    explore('files', async ({ page, go }) => {
      await page.route('**/explorer/status.json', (route) => route.fulfill({ status: 404 }));
      await go('#/status');
      expect(await page.locator('main').innerText()).not.toMatch(/feed.* answer/);
    }));

  it('shows no change where all prints have become quiet since the lines were published', () =>
    explore('server', async ({ page, go, numbers }) => {
      for (const address of ['indices?window=7d', 'rates'])
        await page.route(`**/${address}`, async (route) => {
          const list = await (await route.fetch()).json();
          for (const row of list.data)
            for (const name of ['latest_price', 'change_percent']) delete row[name];
          // Twice, since only of many indices the page says which moved most.
          list.data.push(...list.data);
          await route.fulfill({ json: list });
        });
      await go('#/');
      const indices = page.getByRole('table', { name: 'Indices' });
      expect(await indices.locator('tbody tr').count()).toBeGreaterThan(7);
      expect(await numbers()).toEqual([]);
      expect(await page.locator('h2').allTextContents()).not.toContain('Moved most in 7 days');
    }));

  it('shows the changes of the window chosen last, whichever answer arrives last', () =>
    explore('server', async ({ page, go, numbers }) => {
      await go('#/?window=30d');
      const ofMonth = await numbers();
      await go('#/?window=1d');
      expect(await numbers()).not.toEqual(ofMonth);
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await go('#/');
      await page.route('**/indices?window=1d', async (route) => {
        await held;
        await route.continue();
      });
      const choice = page.getByLabel('Change over');
      await choice.selectOption('1d');
      await choice.selectOption('30d');
      await expect.poll(numbers).toEqual(ofMonth);
      const late = page.waitForResponse('**/indices?window=1d');
      release();
      await (await late).finished();
      await page.waitForTimeout(100);
      expect(await numbers()).toEqual(ofMonth);
    }));

  it('retries the names when they could not be read', () =>
    explore('files', async ({ page, go }) => {
      const search = async () => {
        await go('#/');
        await page.getByPlaceholder('index, rate or market').fill('steady');
      };
      await page.route('**/explorer/names.json', (route) => route.abort());
      await search();
      await page.getByText('Not readable now').waitFor();
      await page.unroute('**/explorer/names.json');
      await go('#/status');
      await search();
      await page.getByRole('link', { name: 'KXSTEADY-26?' }).waitFor({ timeout: 3000 });
    }));

  it('says what could not be read, and hides nothing else of the page', () =>
    explore('server', async ({ page, go }) => {
      await go('#/indices/SMALL');
      await page.route('**/rates/R.MEAN', (route) => route.fulfill({ body: '<html>Sign in</html>' }));
      await page.goto(`${publication.addresses.server}#/rates/R.MEAN`);
      await page.getByText('answered something else than a whole document').waitFor();
      expect(await page.locator('h1').innerText()).toBe('Not readable now');
      await page.route('**/indices/GAUGE.K/news', (route) => route.fulfill({ status: 503 }));
      await go('#/indices/GAUGE.K');
      expect(await page.locator('h1').innerText()).toBe('A gauge');
      expect(await page.locator('section', { hasText: 'In the news' }).innerText()).toContain('answered 503');
    }));

  it('dims the previous page while one loads long, and shows that one clearly at once', () =>
    explore('files', async ({ page, go }) => {
      await go('#/indices/SMALL');
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await page.route('**/indices/GAUGE.K.json', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${publication.addresses.files}#/indices/GAUGE.K`);
      await page.locator('main[aria-busy="true"]').waitFor();
      const opacity = () => page.evaluate('getComputedStyle(document.querySelector("main")).opacity');
      await expect.poll(opacity, { timeout: 30_000 }).toBe('0.5');
      release();
      await page.locator('main[data-shown="#/indices/GAUGE.K"][aria-busy="false"]').waitFor();
      expect(await opacity()).toBe('1');
    }));

  it('prints in light colours, and then returns to its own', () =>
    explore('files', async ({ page, go }) => {
      await go('#/indices/SMALL');
      const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      const light = await ground();
      await page.getByLabel('Theme').selectOption('dark');
      const dark = await ground();
      await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      expect(await ground()).toBe(light);
      await page.evaluate('dispatchEvent(new Event("afterprint"))');
      expect(await ground()).toBe(dark);
    }));

  it('ignores an invalid choice in the address', () =>
    explore('files', async ({ page, go, faults }) => {
      await go('#/?window=constructor');
      expect(await page.locator('h1').first().textContent()).toContain('Prediction-market indices');
      await go('#/markets?sort=constructor');
      expect(faults).toEqual([]);
    }));

  it('follows the chosen theme', () =>
    explore('files', async ({ page, go }) => {
      await go('#/indices/SMALL');
      const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      const light = await ground();
      await page.getByLabel('Theme').selectOption('dark');
      expect(await ground()).not.toBe(light);
      await page.reload();
      expect(await ground()).not.toBe(light);
    }));
});

describe('the size of the explorer', () => {
  it('is what the README says', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
    const files = readdirSync(join(publication.folder, 'explorer')).filter((name) =>
      /\.(js|css)$/.test(name),
    );
    const kilobytes = (pack: (body: Buffer) => Buffer) =>
      files.reduce(
        (sum, name) => sum + pack(readFileSync(join(publication.folder, 'explorer', name))).byteLength,
        0,
      ) / 1000;
    const said = /Script and style are (\d+) KB, (\d+) KB as gzip, (\d+) KB as brotli/.exec(readme);
    const weighed = [kilobytes((body) => body), kilobytes(gzipSync), kilobytes(brotliCompressSync)];
    const off = weighed.map((each, i) => Math.abs(Number(said?.[i + 1]) - each));
    expect(Math.max(...off), weighed.join(' ')).toBeLessThan(2);
  });

  it('grows with what a page shows and not with the catalog', () =>
    explore('files', async ({ answered, go }) => {
      const hashes = ['#/', '#/indices/SMALL', '#/rates/R.MEAN', market, '#/filings', '#/announcements'];
      const weigh = async () => {
        const loads: Record<string, string[]> = {};
        for (const hash of hashes) {
          answered.clear();
          await go(hash);
          loads[hash] = [...answered].map(([path, bytes]) => `${path} ${bytes}`).sort();
        }
        return loads;
      };
      await go('#/status');
      const before = await weigh();
      await publication.growCatalog(100);
      expect(await weigh()).toEqual(before);
      for (const [hash, paths] of Object.entries(before)) {
        expect(paths.length, paths.join('\n')).toBeLessThanOrEqual(12);
        expect(paths.join(' '), hash).not.toMatch(/v1\/public\/(markets|events)\.json|bulk\//);
      }
      answered.clear();
      await go('#/markets');
      expect(document('markets').data).toHaveLength(100);
      expect([...answered.keys()]).toEqual(['api/v1/public/markets.json']);
    }));
});

it('has a reference page beside it to which axe-core does not object, unfolded, on a desktop and on a phone', async () => {
  const open = await openExplorer(browser, publication.addresses.server);
  for (const width of [1200, 360]) {
    await open.page.setViewportSize({ width, height: 900 });
    await open.page.goto(new URL('/docs', publication.addresses.server).href);
    await open.page.evaluate(UNFOLD);
    expect(await open.objections()).toEqual([]);
    expect(await open.objectionsInTheDark()).toEqual([]);
  }
  await open.close();
});

it('works in a browser with an invalid language', async () => {
  const page = await browser.newPage();
  await page.addInitScript(
    'Object.defineProperty(Navigator.prototype, "language", { get: () => "en-US@posix", configurable: true })',
  );
  await page.goto(`${publication.addresses.files}#/indices/SMALL`);
  await page.locator('main[data-shown="#/indices/SMALL"] .uplot').first().waitFor();
  await page.close();
});

/** Opens the first folded parts of a page and the last, which stand for all that are like them. */
const UNFOLD = `[...document.querySelectorAll('details')].forEach((each, i, all) => {
  each.open = i < 5 || i === all.length - 1;
})`;

const isFocused = (page: Page, hash: string) =>
  page.evaluate(`document.activeElement?.getAttribute('href') === ${JSON.stringify(hash)}`);
