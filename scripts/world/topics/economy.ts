import { DAY, HOUR, monthName, monthToken } from '../calendar.ts';
import { ladder } from './ladder.ts';
import { isAskedIn, type Scope, simulated, slugOf, type Topic, type WorldEvent } from './topic.ts';

/** A monthly statistic, the lines traded on it, and the day of the next month on which it is published. */
interface Statistic {
  code: string;
  name: string;
  unit: string;
  mean: number;
  daily_sd: number;
  lines: number[];
  release_day: number;
}

const STATISTICS: Statistic[] = [
  {
    code: 'CPI',
    name: 'CPI inflation, year on year',
    unit: '%',
    mean: 2.9,
    daily_sd: 0.035,
    lines: [2.2, 2.4, 2.6, 2.8, 3, 3.2, 3.4, 3.6],
    release_day: 13,
  },
  {
    code: 'UNEMP',
    name: 'unemployment rate',
    unit: '%',
    mean: 4.4,
    daily_sd: 0.02,
    lines: [4, 4.2, 4.3, 4.4, 4.5, 4.6, 4.8],
    release_day: 5,
  },
  {
    code: 'PAYROLL',
    name: 'change of nonfarm payrolls',
    unit: ' thousand',
    mean: 85,
    daily_sd: 6,
    lines: [0, 50, 75, 100, 125, 150, 200],
    release_day: 5,
  },
  {
    code: 'GAS',
    name: 'mean price of regular gasoline',
    unit: ' dollars a gallon',
    mean: 3.2,
    daily_sd: 0.02,
    lines: [2.9, 3, 3.1, 3.2, 3.3, 3.4, 3.6],
    release_day: 2,
  },
];

const MONTHS = 11;

/** Monthly economic statistics, July 2026 to May 2027, each a ladder of lines. */
export const economy: Topic = {
  name: 'economy',
  list: (scope) =>
    STATISTICS.flatMap((statistic) =>
      Array.from({ length: MONTHS }, (_, i) => listStatistic(statistic, Date.UTC(2026, 6 + i, 1), scope)),
    ).filter(isAskedIn(scope)),
};

function listStatistic(statistic: Statistic, month: number, { epoch }: Scope): WorldEvent {
  const published =
    Date.UTC(new Date(month).getUTCFullYear(), new Date(month).getUTCMonth() + 1, statistic.release_day) +
    12.5 * HOUR;
  const event_ticker = `SIM${statistic.code}-${monthToken(month)}`;
  const period = monthName(month);
  const slug = `sim-${slugOf(statistic.name)}-${slugOf(period)}`;
  const asked = ladder({
    event_ticker,
    lines: statistic.lines,
    mean: statistic.mean,
    loadings: [
      { factor: `economy-${statistic.code}`, daily_sd: statistic.daily_sd },
      { factor: `economy-${event_ticker}`, daily_sd: statistic.daily_sd / 2 },
    ],
    residual_sd: statistic.daily_sd * 2,
    listed_at: Math.max(epoch, month - 100 * DAY),
    known_at: published,
    interest: statistic.code === 'CPI' ? 0.7 : 0.4,
    series: {
      ticker: `SIM${statistic.code}`,
      title: `${statistic.name} (simulated)`,
      category: 'Economics',
      tags: ['Statistics', statistic.code],
      frequency: 'monthly',
      source: 'national statistics office',
    },
    title: `What will the ${statistic.name} be for ${period}?`,
    sub_title: `For ${period}`,
    tickerOf: (line) => `T${line}`,
    textOf: (line) => ({
      title: `Will the ${statistic.name} for ${period} be above ${line}${statistic.unit}?`,
      yes_sub_title: `Above ${line}${statistic.unit}`,
      rules: `If the first published ${statistic.name} for ${period} is above ${line}${statistic.unit}, then the market resolves to Yes.`,
    }),
  });
  if (statistic.code !== 'CPI') return asked;
  return {
    ...asked,
    polymarket: {
      slug,
      title: `Annual inflation in ${period}`,
      description: simulated(
        `This market will resolve to "Yes" if consumer prices of ${period} rose by at least the listed rate over twelve months, by the first release.`,
      ),
      tags: ['economy', 'inflation'],
      tick: 100,
      neg_risk: false,
      markets: statistic.lines.map((line, outcome) => ({
        outcome,
        slug: `${slug}-${slugOf(String(line))}`,
        question: `Will annual inflation be above ${line}% in ${period}?`,
        group_item_title: `${line}%`,
      })),
    },
  };
}
