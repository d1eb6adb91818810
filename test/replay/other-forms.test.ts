import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { listIndexDefinitions } from '../../src/store/definitions/definitions.ts';
import { findIndexPrint } from '../../src/store/prints/index-prints.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { hasRecorded, recordedFiles, recordedFolder, recordedFolders } from './recorded.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Scenarios over a folder with some files, read as at the start of a program. */
function scenariosOver(files: Record<string, string | Buffer>) {
  return scenariosIn(temporaryFolder(), files);
}

async function scenariosIn(folder: string, files: Record<string, string | Buffer>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  vi.stubEnv('REAL_DATA', folder);
  vi.resetModules();
  return {
    ...(await import('./recorded.ts')),
    ...(await import('./states.ts')),
    ...(await import('./scenarios/us-president-2024.ts')),
    ...(await import('./scenarios/fed-dec-2025.ts')),
    ...(await import('./scenarios/found-pages.ts')),
    ...(await import('../real/two-venue-live-2026-08.ts')),
    ...(await import('../real/us-president-2020.ts')),
    ...(await import('../real/world-cup-2026.ts')),
  };
}

const BOM = '\ufeff';

/** The table with its columns in another order, its rows unsorted and one doubled, in Windows' ways. */
function otherForm(csv: string): string {
  const [header = [], ...rows] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(',').reverse());
  const [first = [], ...others] = rows;
  const lines = [header, ...others.reverse(), first, first].map((cells) =>
    cells.map((cell) => `"${cell}"`).join(','),
  );
  return `${BOM}${lines.join('\r\n')}\r\n`;
}

const STATE = 'us-president-2024-by-state/csv_hour/PA_hourly.csv';
const NATION = 'us-president-2024-by-state/national/prices-hourly.csv';
const CANDLES = 'us-president-2024-by-state/kalshi/PRES-2024-DJT_candlesticks.csv';
const HOURLY = `Date (UTC),Timestamp (UTC),Donald Trump,Kamala Harris
10-06-2024 00:00,1728172800,0.5,0.49
10-06-2024 01:00,1728176400,0.51,0.48
10-06-2024 02:00,1728180000,0.53,0.46
`;
const candle = (at: string, close: number, volume: number) =>
  `${at},48,48,49,${close - 1},50,50,51,${close + 1},49,49,50,${close},50,${volume},100`;
const SIDES = ['open', 'low', 'high', 'close'];
const HEADER = ['bid', 'ask', 'price'].flatMap((name) => SIDES.map((side) => `${name}_${side}`));
const BY_HOUR = [
  `timestamp,${HEADER.join(',')},price_mean,volume,open_interest`,
  candle('2024-10-06 00:00:00', 50, 10),
  candle('2024-10-06 01:00:00', 51, 20),
  candle('2024-10-06 02:00:00', 53, 30),
  '',
].join('\n');

it('a table reads the same in any order of columns and rows, with rows repeated, and as any editor saves it', async () => {
  const now = Date.parse('2024-10-06T02:30:00Z');
  const shown = async (form: (csv: string) => string, packed: string) => {
    const pack = (csv: string) => (packed ? gzipSync(form(csv)) : form(csv));
    const { usPresident2024 } = await scenariosOver({
      [STATE + packed]: pack(HOURLY),
      [NATION + packed]: pack(HOURLY),
      [CANDLES]: form(BY_HOUR),
    });
    const { polymarket, kalshi } = usPresident2024();
    const markets = polymarket.marketsAt(now);
    const tokens = markets.flatMap(({ clobTokenIds }) => JSON.parse(`${clobTokenIds}`) as string[]);
    return {
      // The board names its candidates in the order of the table.
      markets: markets.sort((a, b) => (`${a.id}` < `${b.id}` ? -1 : 1)),
      points: tokens.map((token) => polymarket.pointsOf(token)),
      candles: kalshi.candlesOf('PRES-2024-DJT', 60, now),
      contract: kalshi.marketsAt(now),
    };
  };
  const plain = await shown((csv) => csv, '');
  expect(plain.contract).toEqual([expect.objectContaining({ volume_fp: '60.00' })]);
  expect(await shown(otherForm, '.gz')).toEqual(plain);
});

it('a state recorded in parts, with another candidate, cells without a price and a column of notes is read in full', async () => {
  const head = 'Timestamp (UTC),Note,Republican,Jane Doe';
  const { usPresident2024 } = await scenariosOver({
    [STATE.replace('hourly', 'hourly_part1')]: `${head}\n1728172800,first,0.5,0.1\n1728176400,,nan,0.2\n`,
    [STATE.replace('hourly', 'hourly_part2')]: `${head}\n1728180000,,0.53,\n`,
  });
  const { polymarket } = usPresident2024();
  const pointsOf = (outcome: string) =>
    polymarket.marketsAt(1728180000_000).flatMap(({ groupItemTitle, clobTokenIds }) => {
      const [yes = ''] = JSON.parse(`${clobTokenIds}`) as string[];
      return groupItemTitle === outcome ? polymarket.pointsOf(yes).map(({ price }) => price) : [];
    });
  expect(polymarket.marketsAt(1728180000_000)).toHaveLength(2);
  expect(pointsOf('Donald Trump')).toEqual([0.5, 0.53]);
  expect(pointsOf('Jane Doe')).toEqual([0.1, 0.2]);
});

const BOOKS = ['poly', 'kalshi'].flatMap((venue) =>
  ['best_bid_yes', 'best_bid_no', 'depth_best_yes', 'depth_best_no'].map((name) => `${venue}_${name}`),
);
const halfHour = (bid: string) =>
  `timestamp_ms,poly_mid,${BOOKS.join(',')}\n1763272880028,0.5,${bid},0.4,9,9,${bid},0.4,9,9\n`;

it('two contracts of one decision are two, and one whose side nobody bids for has a book of one side', async () => {
  const { contracts, fedDec2025 } = await scenariosOver({
    'fed-dec-2025-two-venue-books/no_change_30min_part1.csv': halfHour('0.55'),
    'fed-dec-2025-two-venue-books/cut_25_30min_part1.csv': halfHour(''),
  });
  expect([...contracts.keys()].sort()).toEqual(['cut_25', 'no_change']);
  const now = 1763272880028;
  const bids = ['no_change', 'cut_25'].map(
    (name) => fedDec2025(name).kalshi.marketsAt(now)[0]?.yes_bid_dollars,
  );
  expect(bids).toEqual(['0.5500', '0.0000']);
  expect(fedDec2025('cut_25').kalshi.marketsAt(now)[0]?.yes_ask_dollars).toBe('0.6000');
});

it('pages are found with a byte order mark and one row per line; an unreadable folder hides no other', async () => {
  const event = { event_ticker: 'KXRAIN', title: 'Rain?' };
  const { foundPages } = await scenariosOver({
    'kalshi-2026-11/events.json': BOM + JSON.stringify({ events: [event], cursor: '' }),
    'kalshi-2026-12/events.jsonl': `${JSON.stringify({ ...event, title: 'Rain\u2028again?' })}\r\n\r\n`,
    'of-no-venue/facts.json': '{"price": NaN}',
    'of-no-venue-either/facts.json': '{"price": 1}',
  });
  const found = foundPages();
  expect([...found.keys()]).toEqual(['kalshi-2026-11', 'kalshi-2026-12', 'of-no-venue']);
  const titles = (folder: string) => found.get(folder)?.scenario().kalshi.eventsAt(0)[0]?.title;
  expect(titles('kalshi-2026-11')).toBe('Rain?');
  expect(titles('kalshi-2026-12')).toBe('Rain\u2028again?');
  expect(() => titles('of-no-venue')).toThrow('of-no-venue/facts.json: ');
});

it('races of which none is in a swing state make one index of all of them', async () => {
  const { playStates2020 } = await scenariosOver({
    'predictit-2020-by-state/predictit_states_2020-10.csv': `contract_id,contract_name,market_name,state,captured_at,best_sell_yes,best_buy_yes
1,Democratic,Who wins Maine?,Maine,2020-10-01T13:00:00-04:00,0.80,0.82
1,Democratic,Who wins Maine?,Maine,2020-10-02T13:00:00-04:00,0.82,0.84
`,
  });
  const store = openStore(':memory:');
  playStates2020(store);
  const tickers = store.read(listIndexDefinitions).map((each) => each.definition.ticker);
  expect(tickers).toEqual(['ALL20']);
  expect(store.read((reader) => findIndexPrint(reader, 'ALL20', Number.MAX_SAFE_INTEGER))?.level).toBeCloseTo(
    (1000 * 0.83) / 0.81,
  );
  store.close();
});

it('a price that is missing, or 0, is none', async () => {
  const kalshi = { id: 'KXA', title: 'A?', prob: 40 };
  const polymarket = { slug: 'a', title: 'A?', prob: 42 };
  const shown = { venue: 'polymarket', id: '7', slug: 'b', title: 'B?' };
  const snapshot = (minute: number, pair: object, prob: number) => ({
    generated_at: `2026-09-01T00:${minute}:00Z`,
    most_active: [{ ...shown, prob }],
    probability_wall: [],
    cross_venue: [pair],
  });
  const both = { kalshi, polymarket, gap_pp: 2 };
  const one = { kalshi, polymarket: { ...polymarket, prob: null }, gap_pp: null };
  const { playTwoVenues, readSnapshots, playWorldCup } = await scenariosOver({
    'two-venue-live-2026-08/snapshots_part9.jsonl': [snapshot(10, both, 20), snapshot(50, one, 0)]
      .map((each) => JSON.stringify(each))
      .join('\n'),
    'world-cup-2026-teams/polymarket_history_a.csv': `ts_utc,market,team,price,bid,ask,last_trade,closed
2026-06-12T11:00:00+00:00,outright,Chad,0.2,0.19,0.21,0.2,False
2026-06-13T11:00:00+00:00,outright,Chad,,,,,True
`,
  });
  const store = openStore(':memory:');
  const snapshots = readSnapshots();
  expect(snapshots.map((each) => each.gaps.length)).toEqual([1, 0]);
  playTwoVenues(store, snapshots);
  const level = (ticker: string) =>
    store.read((reader) => findIndexPrint(reader, ticker, Number.MAX_SAFE_INTEGER))?.level;
  expect(level('BUSY.G')).toBeCloseTo((20 + 40 + 42) / 3);
  store.close();
  const cup = openStore(':memory:');
  playWorldCup(cup);
  expect(cup.read((reader) => findIndexPrint(reader, 'CHAD.WC26', Number.MAX_SAFE_INTEGER))?.level).toBe(
    1000,
  );
  cup.close();
});

it('a time reads the same in any format, in UTC where no zone is given; another candidate is another contract', async () => {
  const { instantIn, usPresident2024 } = await scenariosOver({
    [CANDLES.replace('DJT', 'KH')]: BY_HOUR.replaceAll(' 0', 'T0').replaceAll(':00,48', ':00Z,48'),
  });
  const noon = Date.parse('2026-03-08T12:00:00Z');
  const forms = [
    '2026-03-08 12:00:00',
    '2026-03-08T12:00:00.000Z',
    '2026-03-08T08:00-0400',
    `${noon / 1000}.0`,
  ];
  expect(forms.map(instantIn)).toEqual([noon, noon, noon, noon]);
  expect(instantIn('2026-03-08')).toBe(noon - 12 * 3_600_000);
  expect(() => instantIn('noon')).toThrow('got "noon"');
  expect(() => instantIn('2027-02-29')).toThrow('got "2027-02-29"');
  const { kalshi } = usPresident2024();
  const now = Date.parse('2024-10-06T01:30:00Z');
  expect(kalshi.marketsAt(now)).toMatchObject([{ ticker: 'PRES-2024-KH', yes_sub_title: 'Kamala Harris' }]);
  expect(kalshi.candlesOf('PRES-2024-KH', 60, now)).toHaveLength(2);
});

it('teams are told apart even when their names have the same letters, or none of ours', async () => {
  const row = (team: string) => `2026-06-12 11:00:00,outright,${team},0.2,0.19,0.21,0.2,False`;
  const teams = ['日本', 'Congo (DR)', 'Congo DR'];
  const { playWorldCup } = await scenariosOver({
    'world-cup-2026-teams/polymarket_history_a.csv': `ts_utc,market,team,price,bid,ask,last_trade,closed
${teams.map(row).join('\n')}
`,
  });
  const store = openStore(':memory:');
  expect(playWorldCup(store)).toEqual([Date.parse('2026-06-12T11:00:00Z')]);
  const names = store.read(listIndexDefinitions).map((each) => each.definition.name);
  for (const team of teams) expect(names.filter((name) => name.startsWith(`${team},`))).toHaveLength(1);
  store.close();
});

it('a set is found in a folder of any name by its files, and in its own where there is one', async () => {
  const { decisionFolder, electionFolder, racesFolder, recordedSet, snapshotsFolder, teamsFolder } =
    await scenariosOver({
      'cup/polymarket_history_b.csv': '',
      'books_2026/raise_30min_part7.csv': '',
      'election/csv_hour/PA_hourly.csv': HOURLY,
      'predictit_states/predictit_states_b.csv': '',
      'live/snapshots_part3.jsonl': '',
      'predictit-2020-by-state/notes.txt': '',
    });
  expect([decisionFolder, electionFolder, snapshotsFolder, teamsFolder]).toEqual([
    'books_2026',
    'election',
    'live',
    'cup',
  ]);
  expect(racesFolder).toBe('predictit-2020-by-state');
  expect(recordedSet('absent', /^nothing/)).toBe('absent');
});

it.skipIf(!hasRecorded)(
  'figures are expected of the recordings that they were worked out from, and not of these with others among them',
  async () => {
    const books = 'fed-dec-2025-two-venue-books';
    const among = async (files: Record<string, string>) => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, books));
      for (const set of recordedFolders().filter((each) => each !== books))
        symlinkSync(join(recordedFolder, set), join(folder, set));
      const [known = ''] = recordedFiles(books, /_30min/);
      writeFileSync(join(folder, known), readFileSync(join(recordedFolder, known)));
      return (await scenariosIn(folder, files)).hasRecorded;
    };
    expect(await among({})).toBe(true);
    expect(await among({ [`${books}/cut_25_30min_part1.csv`]: halfHour('0.55') })).toBe(false);
    expect(await among({ [`${books}/no_change_30min_part1.csv`]: halfHour('0.55') })).toBe(false);
  },
);

it('a snapshot without one of its lists is named with its file and row', async () => {
  const { readSnapshots } = await scenariosOver({
    'two-venue-live-2026-08/snapshots_part9.jsonl': JSON.stringify({
      generated_at: '2026-09-01T00:10:00Z',
      most_active: [],
      probability_wall: [],
    }),
  });
  expect(readSnapshots).toThrow('snapshots_part9.jsonl row 1: cross_venue: ');
});
