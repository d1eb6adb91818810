import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatLevel } from '../../src/charts/wording.ts';
import { compute } from '../../src/compute/compute.ts';
import { DAY_MS, easternDay, formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { toCents } from '../../src/model/units.ts';
import { cardLine } from '../../src/publish/cards/card-series.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { listRatePrints } from '../../src/store/prints/rate-prints.ts';
import { listCloses } from '../../src/store/prints/standings.ts';
import { FollowedReader } from '../helpers/followed-reader.ts';
import { index } from '../helpers/hand-definitions.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { publishStore } from '../helpers/publish-store.ts';
import {
  adopt,
  BASE,
  book,
  IDS,
  INDICES,
  NOW,
  observe,
  openSmallStore,
  put,
  QUIET_SINCE,
  RATES,
} from '../helpers/small-store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const small = ofEachTest(openSmallStore);
let folder: string;
beforeEach(() => {
  folder = join(small.folder, 'public');
});

const publishAt = (
  now: number,
  more: { cards?: boolean; cardFonts?: string[]; explorer?: string } = { cards: true },
) => publishStore(small.store, folderSink(folder), now, { label: 'simulated', ...more });
const read = (key: string) => readFileSync(join(folder, key));
const text = (key: string) => read(key).toString();
const document = (path: string) => JSON.parse(text(`api/v1/public/${path}.json`));

describe('chart cards', () => {
  it('are beside the documents as SVG and PNG, one for each public index and rate, with the same values', async () => {
    await publishAt(NOW);
    const tickers = (kind: string) => document(kind).data.map((row: { ticker: string }) => row.ticker);
    expect(readdirSync(join(folder, 'cards/indices')).sort()).toEqual(
      tickers('indices')
        .flatMap((ticker: string) => [`${ticker}.png`, `${ticker}.svg`])
        .sort(),
    );
    const svg = text('cards/indices/SMALL.svg');
    const { name, latest_price } = document('indices/SMALL');
    const dates = ['from 6 Mar 2026', 'as of 15 Apr 2026, 12:00 UTC'];
    for (const said of [name, formatLevel(latest_price), ...dates, 'simulated data'])
      expect(svg).toContain(said);
    expect(svg).not.toContain('<script');
    expect(svg).toContain('+1.15% in 7 days');
    expect(text('cards/indices/GAUGE.K.svg')).toContain('30.37 of 100, −6.49 in 7 days');
    const png = read('cards/rates/R.MEAN.png');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    expect(readdirSync(folder, { recursive: true }).join()).not.toContain('SECRET');
    expect(text('cards/manifest.json') + text('cards/sparklines.json')).not.toContain('SECRET');
  });

  it('show the seven-day change of the list, and end their sparkline at its level', async () => {
    await publishAt(NOW);
    const [row] = document('indices').data;
    const { values, change_7d } = JSON.parse(text('cards/sparklines.json')).indices[row.ticker];
    expect(change_7d).toBe(row.change_percent);
    expect(values.at(-1)).toBe(Number(row.latest_price.toPrecision(5)));
    expect(values).toHaveLength(31);
  });

  it('are rewritten only when what they show changed', async () => {
    await publishAt(NOW);
    expect((await publishAt(NOW)).written).toBe(0);
    const pngs = () => ['LATER', 'GAUGE.K'].map((ticker) => read(`cards/indices/${ticker}.png`));
    const before = pngs();
    const later = NOW + 6 * HOUR_MS;
    observe(small.store, IDS.us, [book(later, 0.9)]);
    compute(small.store, later, () => {});
    await publishAt(later);
    expect(pngs().map((png, i) => png.equals(before[i] as Buffer))).toEqual([true, false]);
  });

  it('draw letters that the shipped font does not have in another, and anew once there is one', async () => {
    adopt(small.store, [{ ...INDICES[0], name: '\u05d0\u05d1\u05d2' }, ...INDICES.slice(1)], RATES);
    const cards = () =>
      ['indices/SMALL.svg', 'indices/SMALL.png', 'rates/R.MEAN.png'].map((key) => read(`cards/${key}`));
    await publishAt(NOW);
    const [svg, png, other] = cards() as [Buffer, Buffer, Buffer];
    const withFont = { cards: true, cardFonts: [join(import.meta.dirname, '../charts/files/boxes.ttf')] };
    await publishAt(NOW, withFont);
    expect(cards().map((each, i) => each.equals([svg, png, other][i] as Buffer))).toEqual([
      true,
      false,
      true,
    ]);
    expect((await publishAt(NOW, withFont)).written).toBe(0);
    await publishAt(NOW);
    expect(cards()).toEqual([svg, png, other]);
  });

  it('are not drawn where a font is broken, before anything is written', async () => {
    const font = join(import.meta.dirname, '../charts/files/boxes.ttf');
    const cutOff = join(small.folder, 'cut-off.ttf');
    writeFileSync(cutOff, readFileSync(font).subarray(0, 400));
    await expect(publishAt(NOW, { cards: true, cardFonts: [font, cutOff] })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: `publish.card_fonts: ${cutOff} cannot be drawn with`,
    });
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });

  it('draw a line through the daily closes and the latest print, reading nothing else', () => {
    small.store.read((reader) => {
      const followed = new FollowedReader(reader);
      const line = cardLine(followed, 'rate', 'R.MEAN', NOW);
      const prints = listRatePrints(reader, 'R.MEAN', 0, NOW);
      const closes = listCloses(reader, { kind: 'rate', ticker: 'R.MEAN' }, easternDay(NOW), 90).map(
        (close) => close.at,
      );
      const shown = prints.filter(({ at }, i) => closes.includes(at) || i === prints.length - 1);
      expect(line).toEqual(shown.map(({ at, price }) => ({ at, value: toCents(price) })));
      expect(followed.rows).toBe(line.length);
      expect(followed.rows).toBeLessThan(prints.length / 3);
    });
  });

  it('draw a latest print that is a close once, and none of more than 91 days ago', () => {
    const lineAt = (now: number) =>
      small.store.read((reader) => cardLine(reader, 'rate', 'R.MEAN', now).map(({ at }) => at));
    const line = lineAt(NOW + 2 * DAY_MS);
    expect(line.length).toBeGreaterThan(2);
    expect(line).toEqual([...new Set(line)]);
    const from = line.at(-2) ?? 0;
    expect(lineAt(from + 91 * DAY_MS)).toEqual(line.slice(-2));
    expect(lineAt(from + 91 * DAY_MS + 1)).toEqual(line.slice(-1));
  });

  it('show beside the sparkline how many constituents of an index are halted', async () => {
    await publishAt(NOW);
    const halted = (ticker: string) => JSON.parse(text('cards/sparklines.json')).indices[ticker].halted;
    expect(halted('SMALL')).toBeUndefined();
    const later = NOW + 12 * HOUR_MS;
    put(small.store, { market_id: IDS.swinging, status: 'paused' }, later);
    compute(small.store, later, () => {});
    await publishAt(later);
    expect(halted('SMALL')).toBe(1);
    expect(halted('QUIET')).toBeUndefined();
  });

  it('say that an index is quiet, or not published yet, in place of a level', async () => {
    await publishAt(QUIET_SINCE + 8 * DAY_MS);
    expect(text('cards/indices/QUIET.svg')).toContain('>quiet<');
    expect(text('cards/indices/LATER.svg')).toContain('>not published yet<');
  });

  it('begin with the current series of a team index: nothing is drawn from the one before', () => {
    const team = index('TEAM.26', 'nti', {
      interval_minutes: 360,
      base_at: formatInstant(BASE),
      reconstitutes_at: [formatInstant(NOW - 3 * DAY_MS)],
      constituents: [
        { market_id: IDS.steady, seat: 'championship' },
        { market_id: IDS.swinging, seat: 'conference' },
      ],
    });
    adopt(small.store, [...INDICES, team], RATES, NOW - 1);
    compute(small.store, NOW + HOUR_MS, () => {});
    const line = small.store.read((reader) => cardLine(reader, 'index', 'TEAM.26', NOW + HOUR_MS));
    expect(line.length).toBeGreaterThan(2);
    expect(line[0]?.at).toBeGreaterThanOrEqual(NOW - 3 * DAY_MS);
  });

  it('are removed when they are no longer wanted', async () => {
    await publishAt(NOW);
    await publishAt(NOW, {});
    expect(() => read('cards/indices/SMALL.svg')).toThrow('ENOENT');
    expect(() => read('cards/manifest.json')).toThrow('ENOENT');
  });
});

it('the explorer is published as built, and says that files answer', async () => {
  const built = temporaryFolder();
  writeFileSync(join(built, 'index.html'), '<!doctype html>');
  await publishAt(QUIET_SINCE + 8 * DAY_MS, { explorer: built });
  expect(text('index.html')).toBe('<!doctype html>');
  const outlet = JSON.parse(text('explorer/outlet.json'));
  expect(outlet).toMatchObject({ answered_by: 'files', label: 'simulated', cards: false, bulk: false });
  expect(outlet.paths).toContainEqual({ path: '/indices/{id}', parameters: [] });
});
