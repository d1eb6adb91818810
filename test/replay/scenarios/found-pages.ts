import { readLines, readWire, recordedFiles, recordedFolders, rowsOf, type WireRow } from '../recorded.ts';
import { noKalshi, noPolymarket, type Scenario } from '../scenario.ts';

/** Rows of the venues as they were found, by what they are. */
interface FoundRows {
  series: WireRow[];
  kalshiEvents: WireRow[];
  kalshiMarkets: WireRow[];
  gammaEvents: WireRow[];
  gammaMarkets: WireRow[];
  clobMarkets: WireRow[];
}

/** What tells a row of each sort from the others: fields that it alone has, or has besides. */
const SORTS: readonly [keyof FoundRows, readonly string[]][] = [
  ['gammaMarkets', ['conditionId', 'question']],
  ['clobMarkets', ['condition_id', 'tokens']],
  ['kalshiMarkets', ['ticker', 'event_ticker', 'status']],
  ['kalshiEvents', ['event_ticker', 'title']],
  ['gammaEvents', ['slug', 'title', 'markets']],
  ['series', ['ticker', 'title', 'frequency']],
];

/** Where an answer holds its rows, one or a list of them. */
const ENVELOPES = ['events', 'event', 'markets', 'market', 'series', 'data'];

/** The pages of venues that a folder of recordings holds; what cannot be read throws when it is played. */
export interface FoundPages {
  scenario(): Scenario;
  hasListing: boolean;
}

/** The pages of venues in any folder of recordings, by folder; rows are told by their fields. */
export function foundPages(): Map<string, FoundPages> {
  const found = new Map<string, FoundPages>();
  for (const folder of recordedFolders()) {
    const pages = pagesOf(folder);
    if (pages) found.set(folder, pages);
  }
  return found;
}

function pagesOf(folder: string): FoundPages | undefined {
  try {
    const answers = recordedFiles(folder, /\.json(\.gz)?$/).map(readWire);
    const lines = recordedFiles(folder, /\.jsonl(\.gz)?$/).flatMap(readLines);
    const rows = rowsByShape([...answers, ...lines]);
    if (Object.values(rows).every((each) => each.length === 0)) return undefined;
    return { scenario: () => scenarioOf(rows), hasListing: rows.clobMarkets.length > 0 };
  } catch (thrown) {
    return {
      scenario: () => {
        throw thrown;
      },
      hasListing: false,
    };
  }
}

function rowsIn(wire: unknown): WireRow[] {
  const answers = rowsOf(Array.isArray(wire) ? wire : [wire]);
  return answers.flatMap((answer) => {
    if (sortOf(answer) !== undefined) return [answer];
    return ENVELOPES.flatMap((key) => rowsOf([answer[key]].flat()));
  });
}

function sortOf(row: WireRow): keyof FoundRows | undefined {
  return SORTS.find(([, fields]) => fields.every((field) => field in row))?.[0];
}

/** The rows of recorded answers, whatever they are wrapped in; answers of other kinds have none. */
export function rowsByShape(answers: readonly unknown[]): FoundRows {
  const bySort = Map.groupBy(answers.flatMap(rowsIn), sortOf);
  const of = (sort: keyof FoundRows) => bySort.get(sort) ?? [];
  const nested = of('kalshiEvents').flatMap(({ markets }) => rowsOf(markets ?? []));
  const kalshiMarkets = lastOf('ticker', [...nested, ...of('kalshiMarkets')]);
  const children = of('gammaEvents').flatMap(({ markets, ...event }) =>
    rowsOf(markets ?? []).map((market) => ({ ...market, events: [event] })),
  );
  const gammaMarkets = lastOf('conditionId', [...children, ...of('gammaMarkets')]);
  // A market that was recorded alone stands in an event made of what it says of its own.
  const ownEvents = kalshiMarkets.map(({ event_ticker, title }) => ({ event_ticker, title }));
  const parents = gammaMarkets.flatMap((market) =>
    rowsOf(market.events ?? []).map((event) => ({ title: market.question, ...event })),
  );
  return {
    series: lastOf('ticker', of('series')),
    kalshiEvents: lastOf('event_ticker', [...ownEvents, ...of('kalshiEvents')]).map(
      ({ markets: _markets, ...event }) => event,
    ),
    kalshiMarkets,
    gammaEvents: lastOf('id', [...parents, ...of('gammaEvents')]).map((event) => ({
      ...event,
      markets: gammaMarkets.filter((market) => rowsOf(market.events ?? [])[0]?.id === event.id),
    })),
    gammaMarkets,
    clobMarkets: of('clobMarkets'),
  };
}

/** Rows by an id, each as it was recorded last. */
function lastOf(id: string, rows: readonly WireRow[]): WireRow[] {
  return [...new Map(rows.map((row) => [row[id], row])).values()];
}

function scenarioOf(rows: FoundRows): Scenario {
  const page = { data: rows.clobMarkets, next_cursor: 'LTE=', count: rows.clobMarkets.length };
  return {
    recorded_at: new Date().toISOString(),
    kalshi: {
      ...noKalshi,
      seriesAt: () => rows.series,
      eventsAt: () => rows.kalshiEvents,
      marketsAt: () => rows.kalshiMarkets,
    },
    polymarket: {
      ...noPolymarket,
      eventsAt: () => rows.gammaEvents,
      marketsAt: () => rows.gammaMarkets,
      marketsPage: () => (rows.clobMarkets.length > 0 ? page : undefined),
    },
  };
}
