import { type BoardEvent, type BoardMarket, boardCatalogs } from '../board.ts';
import { isNone, readTable, recordedFiles } from '../recorded.ts';
import { noKalshi, type Scenario } from '../scenario.ts';
import { inTimeOrder, type Point } from '../series.ts';
import { electionFolder as folder, states } from '../states.ts';
import { presidentCandles } from './us-president-2024-kalshi.ts';

const endDate = '2024-11-05T12:00:00Z';
const timeColumn = 'Timestamp (UTC)';

/** Names the files give an outcome, and the outcome it is everywhere else (Kansas was recorded by party). */
const outcomeOf: Readonly<Record<string, string>> = {
  Republican: 'Donald Trump',
  Democrat: 'Kamala Harris',
  Democratic: 'Kamala Harris',
};

/**
 * The 2024 presidential markets as far as they were recorded: states with three outcomes each and the national
 * board on Polymarket, and contracts of candidates on Kalshi. Prices only: no book was recorded.
 */
export function usPresident2024(): Scenario {
  const national = [/hourly/, /daily/].map((grain) => recordedFiles(`${folder}/national`, grain));
  const [hourly = [], daily = []] = national;
  const candles = recordedFiles(`${folder}/kalshi`, /^PRES-2024-[A-Z]+[_.]/);
  const events = states.map((state, i) => stateEvent(state.code, state.name, 900_100 + i));
  return {
    recorded_at: '2024-11-05T00:00:00Z',
    polymarket: boardCatalogs(hourly.length > 0 ? [...events, nationalEvent(hourly, daily)] : events),
    kalshi: candles.length > 0 ? presidentCandles(candles) : noKalshi,
  };
}

/** Names the contract on an outcome in a state in its identifiers. */
export function contractKey(code: string, outcome: string): string {
  return `us-president-2024:${code}:${outcome}`;
}

function stateEvent(code: string, name: string, id: number): BoardEvent {
  const [hourly = [], daily = []] = ['csv_hour', 'csv_day'].map((grain) =>
    recordedFiles(`${folder}/${grain}`, new RegExp(`^${code}_`)),
  );
  const series = seriesOf(hourly, daily);
  const place = slugOf(name);
  const outcomes = [...new Set(['Donald Trump', 'Kamala Harris', 'Other', ...series.keys()])];
  return {
    id: `${id}`,
    slug: `presidential-election-winner-2024-${place}`,
    title: `${name} Presidential Election Winner`,
    endDate,
    negRisk: true,
    tick: 0.001,
    markets: outcomes.map((outcome, i): BoardMarket => {
      const who = outcome === 'Other' ? 'another candidate' : outcome;
      return {
        id: `${id}${i + 1}`,
        key: contractKey(code, outcome),
        slug: `will-${slugOf(who)}-win-${place}-in-the-2024-us-presidential-election`,
        question: `Will ${who} win ${name} in the 2024 US presidential election?`,
        groupItemTitle: outcome,
        points: series.get(outcome) ?? [],
        quotes: [],
      };
    }),
  };
}

function nationalEvent(hourly: readonly string[], daily: readonly string[]): BoardEvent {
  const series = seriesOf(hourly, daily);
  return {
    id: '900001',
    slug: 'presidential-election-winner-2024',
    title: 'Presidential Election Winner 2024',
    endDate,
    negRisk: true,
    tick: 0.001,
    markets: [...series.keys()].sort().map((name, i) => ({
      id: `900001${String(i + 1).padStart(2, '0')}`,
      key: contractKey('US', name),
      slug: `will-${slugOf(name)}-win-the-2024-us-presidential-election`,
      question: `Will ${name} win the 2024 US presidential election?`,
      groupItemTitle: name,
      points: series.get(name) ?? [],
      quotes: [],
    })),
  };
}

/**
 * Price series by outcome: the hourly files, with the daily ones before their first row and after their last.
 * The last row of a file was taken when the file was recorded: a raw tick off the grid.
 */
function seriesOf(hourlyPaths: readonly string[], dailyPaths: readonly string[]): Map<string, Point[]> {
  const hourly = pointsByOutcome(hourlyPaths, 3600);
  const daily = pointsByOutcome(dailyPaths, 86_400);
  const outcomes = new Set([...hourly.keys(), ...daily.keys()]);
  return new Map([...outcomes].map((outcome) => [outcome, joined(hourly.get(outcome), daily.get(outcome))]));
}

function joined(hourly: readonly Point[] = [], daily: readonly Point[] = []): Point[] {
  const first = hourly[0]?.at_ms ?? Number.POSITIVE_INFINITY;
  const last = hourly.at(-1)?.at_ms ?? Number.POSITIVE_INFINITY;
  return [
    ...daily.filter((point) => point.at_ms < first),
    ...hourly,
    ...daily.filter((point) => point.at_ms > last),
  ];
}

function pointsByOutcome(paths: readonly string[], grain: number): Map<string, Point[]> {
  const table = paths.flatMap((path) => readTable(path, [timeColumn]));
  // A column with words in it is not that of an outcome.
  const columns = [...new Set(table.flatMap((row) => Object.keys(row)))].filter(
    (column) =>
      !column.endsWith('(UTC)') && table.every((row) => isPrice(row[column]) || isNone(row[column])),
  );
  return new Map(
    columns.map((column) => [
      outcomeOf[column] ?? column,
      inTimeOrder(
        table
          .filter((row) => isPrice(row[column]))
          .map((row): Point => {
            const seconds = Number(row[timeColumn]);
            // The venue stamps a gridded point within the minute after its hour or midnight.
            const resolution_seconds = seconds % grain < 60 ? grain : 0;
            return { at_ms: seconds * 1000, price: Number(row[column]), resolution_seconds };
          }),
      ),
    ]),
  );
}

function isPrice(cell = ''): boolean {
  return cell !== '' && Number(cell) >= 0 && Number(cell) <= 1;
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
