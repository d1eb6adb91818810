import { readWire, recordedFiles, recordedFolders, rowsOf, type WireRow } from '../recorded.ts';
import { noKalshi, noPolymarket, type Scenario } from '../scenario.ts';

/** Folders whose pages have a scenario of their own. */
const PLAYED = [
  'kalshi-api-2026-01',
  'kalshi-event-nested-2026-05',
  'kalshi-open-events-2025',
  'polymarket-samples',
  'polymarket-wire-2025-11',
  'three-venue-markets-2026-06',
];

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

/** Scenarios of the pages of venues in any other folder of recordings, by folder; rows are told by their fields. */
export function foundPages(): Map<string, { scenario: Scenario; hasListing: boolean }> {
  const found = new Map<string, { scenario: Scenario; hasListing: boolean }>();
  for (const folder of recordedFolders().filter((each) => !PLAYED.includes(each))) {
    const rows = rowsByShape(recordedFiles(folder, /\.json(\.gz)?$/).map(readWire));
    if (Object.values(rows).some((each) => each.length > 0))
      found.set(folder, { scenario: scenarioOf(rows), hasListing: rows.clobMarkets.length > 0 });
  }
  return found;
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
