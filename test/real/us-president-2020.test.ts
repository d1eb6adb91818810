import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { verify } from '../../src/compute/verify.ts';
import type { CatalogMarket } from '../../src/model/catalog.ts';
import { indexDefinition } from '../../src/model/index-definition.ts';
import { usableQuote } from '../../src/model/observation.ts';
import { rateDefinition } from '../../src/model/rate-definition.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { upsertMarket } from '../../src/store/catalog.ts';
import { adoptDefinitions } from '../../src/store/definitions.ts';
import { findIndexPrint } from '../../src/store/index-prints.ts';
import { insertObservations } from '../../src/store/prices.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { compareStores, hasPython } from '../oracle/season/season.ts';
import { hasRecorded, readTable } from '../replay/recorded.ts';

const FILE = 'predictit-2020-by-state/predictit_states_2020-06_to_09.csv.gz';
const BASE = '2020-06-21T00:00:00Z';
const NOW = Date.parse('2020-10-01T00:00:00Z');

/** Electoral votes of 2020. */
const VOTES = {
  Arizona: 11,
  Florida: 29,
  Georgia: 16,
  Iowa: 6,
  Michigan: 16,
  Minnesota: 10,
  Nevada: 6,
  'New Hampshire': 4,
  'North Carolina': 15,
  Ohio: 18,
  Pennsylvania: 20,
  Texas: 38,
  Wisconsin: 10,
};

const idOf = (contract: string) => `venue_a:P${contract}`;

/** What the site showed of each contract, by its id. */
const contracts = hasRecorded ? Map.groupBy(readTable(FILE), (row) => row.contract_id ?? '') : new Map();

function marketOf(contract: string, question: string): CatalogMarket {
  const native_id = idOf(contract).slice('venue_a:'.length);
  return {
    market_id: idOf(contract),
    family: 'venue_a',
    native_id,
    question,
    status: 'active',
    venue_status: 'active',
  };
}

const text = (dollars: string | undefined) => (dollars ? Number(dollars) : undefined);

function fill(store: Store): void {
  store.write((writer) => {
    for (const [contract, rows] of contracts) {
      const { market_key } = upsertMarket(writer, marketOf(contract, rows[0]?.market_name ?? ''), NOW);
      const observations = rows.map((row: Record<string, string>) => {
        const bid = usableQuote(text(row.best_sell_yes));
        const ask = usableQuote(text(row.best_buy_yes));
        const observed_at = Date.parse(row.captured_at ?? '');
        return {
          observed_at,
          ...(bid === undefined ? {} : { bid }),
          ...(ask === undefined ? {} : { ask }),
        };
      });
      insertObservations(writer, market_key, { series: 'quote', observations }, NOW);
    }
  });
}

/** The contracts of a party, by state. */
function contractsOf(party: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [contract, [row]] of contracts)
    if (row?.contract_name === party) found.set(row.state ?? '', contract);
  return found;
}

function definitions() {
  const [democratic, republican] = [contractsOf('Democratic'), contractsOf('Republican')];
  const common = { visibility: 'public', interval_minutes: 60, base_at: BASE };
  const book_check = { max_quote_age_hours: 48 };
  const weighed = (party: Map<string, string>) =>
    Object.entries(VOTES).map(([state, weight]) => ({ market_id: idOf(party.get(state) ?? ''), weight }));
  return {
    indices: [
      indexDefinition.parse({
        ...common,
        ticker: 'SWING20',
        name: 'Swing states 2020, Democratic',
        methodology: 'basket',
        quote_convention: 'points',
        base_level: 1000,
        book_check,
        weighting: { scheme: 'fixed' },
        constituents: weighed(democratic),
      }),
      indexDefinition.parse({
        ...common,
        ticker: 'SWING20.G',
        name: 'Swing states 2020, Republican chance by votes',
        methodology: 'gauge',
        quote_convention: 'probability',
        book_check,
        weighting: { scheme: 'fixed' },
        constituents: weighed(republican),
      }),
      indexDefinition.parse({
        ...common,
        ticker: 'ALL20',
        name: 'All 56 races, Democratic',
        methodology: 'basket',
        quote_convention: 'points',
        base_level: 1000,
        book_check,
        weighting: { scheme: 'equal' },
        constituents: [...democratic.values()].map((contract) => ({ market_id: idOf(contract) })),
      }),
    ],
    rates: Object.keys(VOTES).map((state) =>
      rateDefinition.parse({
        ticker: `PRES20.${state.replace(' ', '').toUpperCase()}.D`,
        name: `${state} 2020, Democratic`,
        visibility: 'public',
        interval_minutes: 60,
        start_at: BASE,
        methodology: 'event_contract',
        sources: [{ market_id: idOf(democratic.get(state) ?? '') }],
      }),
    ),
  };
}

describe.skipIf(!hasRecorded)('the 56 races of 2020 as PredictIt showed them, from June to September', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foremark-2020-'));
  const path = join(folder, 'foremark.db');
  let store: Store;

  beforeAll(() => {
    store = openStore(path);
    fill(store);
    store.write((writer) =>
      adoptDefinitions(writer, definitions(), Date.parse(BASE), { keepMissing: false }),
    );
    expect(compute(store, NOW, () => {}).failures).toEqual([]);
  }, 60_000);

  afterAll(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.skipIf(!hasPython)('give the prints that an independent program gives', () => {
    const { compared, differences } = compareStores([path]);
    expect(differences).toBe('');
    expect(compared).toBeGreaterThan(10_000);
  });

  it('the Democrats lost a twentieth in the swing states, and the Republicans gained', () => {
    const levels = (ticker: string) =>
      store.read((reader) =>
        [Date.parse(BASE), NOW].map((at) => findIndexPrint(reader, ticker, at)?.level ?? 0),
      );
    expect(levels('SWING20')).toEqual([1000, expect.closeTo(953.83, 2)]);
    const [before = 0, after = 0] = levels('SWING20.G');
    expect(after).toBeGreaterThan(before);
  });

  it('is verified, and a run repeats nothing', () => {
    expect(store.read((reader) => verify(reader, []).differences)).toEqual([]);
    expect(compute(store, NOW + HOUR_MS, () => {}).failures).toEqual([]);
  });
});
