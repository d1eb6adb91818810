import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, formatInstant } from '../../src/model/time.ts';
import { basket, rate } from '../helpers/hand-definitions.ts';
import { BASE, IDS } from '../helpers/small-store.ts';
import { type OpenPage, openExplorer, startBrowser } from './browser.ts';
import { openSmallPublication } from './small-publication.ts';

const RIGHT_TO_LEFT = 'האם ירד גשם בתל אביב?';
const UNBROKEN = `Will it rain in ${'Llanfairpwllgwyngyll'.repeat(20)}?`;

const MARKUP = `"><img src=x onerror="ran()"><script>ran()</script><a href="javascript:ran()">x</a>`;

const LONG_ID = `venue_b:0x${'b'.repeat(64)}`;
const SEVERAL = [IDS.steady, IDS.swinging, IDS.global, IDS.us, IDS.staged, IDS.wild];

const index = (ticker: string, market_ids: string[], more: object = {}) =>
  basket(ticker, [], {
    name: `About ${ticker}`,
    description: ticker.repeat(40),
    interval_minutes: 360,
    base_at: formatInstant(BASE),
    constituents: market_ids.map((market_id) => ({ market_id })),
    ...more,
  });
const since = { interval_minutes: 360, start_at: formatInstant(BASE) };

let publication: Awaited<ReturnType<typeof openSmallPublication>>;
let browser: Browser;
let open: OpenPage;
beforeAll(async () => {
  [publication, browser] = await Promise.all([
    openSmallPublication({
      indices: [
        index('ENDED', [IDS.wild]),
        index('MARKUP', [IDS.global, IDS.steady], { name: MARKUP, description: MARKUP }),
        index('HELD', [IDS.oneSided]),
        index('TEXTS', [IDS.swinging, IDS.us, LONG_ID]),
        index('REGIONS', [], {
          group_by: 'region',
          constituents: [IDS.swinging, IDS.us, IDS.global].map((market_id, i) => ({
            market_id,
            groups: { region: i < 2 ? 'north' : 'south' },
          })),
        }),
      ],
      rates: [
        rate('R.NOWHERE', ['KXNOWHERE'], { ...since, name: 'Of a market that nobody lists' }),
        ...[
          { ticker: 'R.FEW', sources: SEVERAL.slice(0, 5) },
          { ticker: 'R.MANY', sources: SEVERAL },
        ].map(({ ticker, sources }) =>
          rate(ticker, [], {
            ...since,
            name: 'Mean of several',
            methodology: 'simple_average',
            sources: sources.map((market_id) => ({ market_id })),
          }),
        ),
      ],
      markets: [
        { market_id: IDS.swinging, question: RIGHT_TO_LEFT },
        { market_id: IDS.us, question: UNBROKEN },
        { market_id: IDS.global, question: MARKUP, description: MARKUP, slug: MARKUP, event_slug: MARKUP },
        { market_id: LONG_ID, question: 'Of a long id?' },
        { market_id: IDS.wild, status: 'settled', settled_at: BASE + 20 * DAY_MS, payout: 1 },
      ],
    }),
    startBrowser(),
  ]);
  open = await openExplorer(browser, publication.addresses.files);
});
afterAll(async () => {
  await open?.close();
  await browser?.close();
  await publication?.close();
});

/** The texts of paragraphs, and how far to the right each of their letters stands. */
const LETTERS = `[...document.querySelectorAll('main p')].map((paragraph) => {
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  let text = '';
  const lefts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    text += node.data;
    for (let i = 0; i < node.data.length; i++) {
      const range = document.createRange();
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      lefts.push(range.getBoundingClientRect().left);
    }
  }
  return { text, lefts };
})`;

const main = async () => (await open.page.locator('main').textContent())?.replaceAll(/\s+/g, ' ') ?? '';

describe('the explorer on odd data', () => {
  it('writes the share after a question in Hebrew from left to right', async () => {
    await open.go('#/indices/TEXTS');
    const paragraphs = await open.page.evaluate<{ text: string; lefts: number[] }[]>(LETTERS);
    const shares = paragraphs.flatMap(({ text, lefts }) =>
      [...text.matchAll(/(?<=אביב\? )\([\d.]+%\)/g)].map(({ index, 0: found }) => [
        lefts[index] ?? 0,
        lefts[index + found.length - 1] ?? 0,
      ]),
    );
    expect(shares).toHaveLength(1);
    for (const [open = 0, close = 0] of shares) expect(close).toBeGreaterThan(open);
  });

  it('[S16] shows markup of a venue, an editor or an address as text', async () => {
    const pages = ['#/', '#/indices/MARKUP', `#/markets/${encodeURIComponent(IDS.global)}`];
    for (const hash of [...pages, `#/markets?search=${encodeURIComponent(MARKUP)}`]) {
      await open.go(hash);
      expect(await open.page.locator('body').textContent(), hash).toContain(MARKUP);
      const made = '[src="x"], [onerror], [href^="javascript:"], script:not([src])';
      expect(await open.page.locator(made).count(), hash).toBe(0);
    }
  });

  it('fits a phone even with unbreakable words', async () => {
    await open.page.setViewportSize({ width: 360, height: 900 });
    for (const hash of ['#/indices/TEXTS', '#/indices/ENDED', `#/markets/${encodeURIComponent(IDS.us)}`]) {
      await open.go(hash);
      await expect
        .poll(() => open.page.evaluate('document.documentElement.scrollWidth'), { message: hash })
        .toBeLessThanOrEqual(360);
    }
    await open.go('#/markets?search=long');
    const cells = await open.page.locator('main td').all();
    const boxes = await Promise.all(cells.map((each) => each.boundingBox()));
    expect(boxes.length).toBeGreaterThan(1);
    for (const box of boxes) expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    await open.page.setViewportSize({ width: 1200, height: 900 });
  });

  it('says that a series whose last constituent settled has ended, not that it is held', async () => {
    await open.go('#/indices/ENDED');
    expect(await open.page.locator('.marks').first().textContent()).toMatch(/ended/);
    expect(await main()).not.toMatch(/% held/);
    // A name that has left is told by its id, as it is.
    expect(await main()).not.toContain(IDS.wild.replaceAll('_', ' '));
  });

  it('says of an index whose names are all held since its print that they are, not that none had a price', async () => {
    await open.go('#/indices/HELD');
    const text = await main();
    expect(text).toContain('1 name fails a check of the book');
    expect(text).toContain('Good books make up 0.0% of the value now.');
    expect(text).not.toContain('0 names had');
  });

  it('names contracts rather than groups where a group has several of them', async () => {
    await open.go('#/indices/REGIONS');
    const heaviest = /The heaviest: (.*?)\. /.exec(await main())?.[1] ?? '';
    expect(heaviest).not.toMatch(/north|south/);
    expect(heaviest).toContain('Llanfair');
  });

  it('does not call a market settled only because nobody lists it', async () => {
    await open.go('#/rates/R.NOWHERE');
    expect(await main()).toContain('1 source is not listed yet.');
    expect(await main()).not.toContain('settled');
  });

  it('says how a rate is priced and what its grade counts', async () => {
    await open.go('#/rates/R.FEW');
    expect(await main()).toMatch(/it was priced as the mean of its sources: “/);
    expect(await main()).toMatch(/Confidence [ABC]: \w+ in sources, age (and|or) spread\./);
  });

  it('draws a line per source while their colours can be told apart, else the band between them', async () => {
    const legend = async (ticker: string) => {
      await open.go(`#/rates/${ticker}`);
      return (await open.page.locator('.legend li').allTextContents()).length;
    };
    expect(await legend('R.FEW')).toBe(7);
    expect(await legend('R.MANY')).toBe(2);
  });

  it('draws of the last month only what was seen in it, and says which way it went', async () => {
    await open.go('#/rates/R.MANY');
    const trendOf = (text: string) =>
      open.page
        .locator('tbody tr', { hasText: text })
        .getByRole('img', { name: 'over the last month' })
        .getAttribute('aria-label');
    expect(await trendOf('KXSTEADY')).toBe('its price over the last month, rising');
    expect(await trendOf('KXSTAGED')).toBe('its price over the last month, unchanged');
    const endOf = async (text: string) =>
      Number(
        await open.page
          .locator('tbody tr', { hasText: text })
          .locator('.sparkline circle')
          .getAttribute('cx'),
      );
    expect(await endOf('KXSTEADY')).toBe(92);
    expect(await endOf('settled')).toBeLessThan(40);
  });

  it('caused no error', () => expect(open.faults).toEqual([]));
});
