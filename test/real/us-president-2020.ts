import { compute } from '../../src/compute/compute.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { usableQuote } from '../../src/model/observation.ts';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import type { Store } from '../../src/store/store.ts';
import { market } from '../helpers/small-store.ts';
import { instantIn, readTable, recordedFiles, recordedSet } from '../replay/recorded.ts';

const DAY_MS = 24 * HOUR_MS;
const COLUMNS = ['captured_at', 'market_name', 'contract_id', 'contract_name', 'state'];
const PRICES = ['best_sell_yes', 'best_buy_yes'];
const FILES = /^predictit_states/;

/** Folder of the recorded races. */
export const racesFolder = recordedSet('predictit-2020-by-state', FILES);

const rows = recordedFiles(racesFolder, FILES).flatMap((path) => readTable(path, [...COLUMNS, ...PRICES]));
const captured = rows.map((row) => instantIn(row.captured_at)).sort((a, b) => a - b);

/** The midnights (UTC) that follow the first and the last snapshot. */
const [first, last] = [captured[0] ?? 0, captured.at(-1) ?? 0].map(
  (at) => Math.ceil(at / DAY_MS) * DAY_MS,
) as [Instant, Instant];
export const BASE = formatInstant(first);
export const NOW = last;

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
const contracts = Map.groupBy(rows, (row) => row.contract_id ?? '');

const marketOf = (contract: string, question: string) => market({ market_id: idOf(contract), question });

const text = (dollars: string | undefined) => (dollars ? Number(dollars) : undefined);

function fill(store: Store): void {
  store.write((writer) => {
    for (const [contract, shown] of contracts) {
      const { market_key } = upsertMarket(writer, marketOf(contract, shown[0]?.market_name ?? ''), NOW);
      const observations = shown.map((row) => {
        const bid = usableQuote(text(row.best_sell_yes));
        const ask = usableQuote(text(row.best_buy_yes));
        const observed_at = instantIn(row.captured_at);
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
    Object.entries(VOTES).flatMap(([state, weight]) => {
      const contract = party.get(state);
      return contract === undefined ? [] : [{ market_id: idOf(contract), weight }];
    });
  const basket = {
    ...common,
    book_check,
    methodology: 'basket',
    quote_convention: 'points',
    base_level: 1000,
  };
  const indices = [
    {
      ...basket,
      ticker: 'SWING20',
      name: 'Swing states 2020, Democratic',
      weighting: { scheme: 'fixed' },
      constituents: weighed(democratic),
    },
    {
      ...common,
      ticker: 'SWING20.G',
      name: 'Swing states 2020, Republican chance by votes',
      methodology: 'gauge',
      quote_convention: 'probability',
      book_check,
      weighting: { scheme: 'fixed' },
      constituents: weighed(republican),
    },
    {
      ...basket,
      ticker: 'ALL20',
      name: 'All races, Democratic',
      weighting: { scheme: 'equal' },
      constituents: [...democratic.values()].map((contract) => ({ market_id: idOf(contract) })),
    },
  ];
  return {
    // A recording may have no swing state.
    indices: indices
      .filter((each) => each.constituents.length > 0)
      .map((each) => indexDefinition.parse(each)),
    rates: Object.keys(VOTES).flatMap((state) => {
      const contract = democratic.get(state);
      if (contract === undefined) return [];
      return rateDefinition.parse({
        ticker: `PRES20.${state.replace(' ', '').toUpperCase()}.D`,
        name: `${state} 2020, Democratic`,
        visibility: 'public',
        interval_minutes: 60,
        start_at: BASE,
        methodology: 'event_contract',
        sources: [{ market_id: idOf(contract) }],
      });
    }),
  };
}

/**
 * Puts what PredictIt showed of 56 races into a store and calculates the indices and rates on them in one run. The
 * site has no adapter: the recording is a table of its pages, with the ids of its contracts.
 */
export function playStates2020(store: Store): void {
  fill(store);
  store.write((writer) => adoptDefinitions(writer, definitions(), Date.parse(BASE), { keepMissing: false }));
  const { failures } = compute(store, NOW, () => {});
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
}
