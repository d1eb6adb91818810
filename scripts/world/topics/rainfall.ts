import { DAY, monthName } from '../calendar.ts';
import { hashText, normal } from '../truth/random.ts';
import { ladder } from './ladder.ts';
import type { Topic, WorldEvent } from './topic.ts';

/** Worlds up to this size have no stations, since the other topics provide enough markets. */
const WITHOUT_STATIONS = 20_000;
/** The share of the markets beyond that: half of a large world is open, the other half has settled. */
const SHARE = 0.5;
const MONTHS = 12;
const REGIONS = 50;

/** Inches of rain above which a month's ladder pays. */
const INCHES = [1, 2, 3, 4, 6] as const;

/** Rain of each month of 2027 at weather stations: open questions, whose number grows with the world. */
export const rainfall: Topic = {
  name: 'rainfall',
  list({ markets, epoch }) {
    const wanted = Math.max(0, markets - WITHOUT_STATIONS) * SHARE;
    const stations = Math.floor(wanted / (MONTHS * INCHES.length));
    return Array.from({ length: stations * MONTHS }, (_, i) =>
      listMonth(1 + Math.floor(i / MONTHS), i % MONTHS, epoch),
    );
  },
};

function listMonth(station: number, month: number, epoch: number): WorldEvent {
  const code = String(station).padStart(5, '0');
  const event_ticker = `SIMRAIN-27${String(month + 1).padStart(2, '0')}-${code}`;
  const when = monthName(Date.UTC(2027, month, 1));
  return ladder({
    event_ticker,
    lines: INCHES,
    mean: 2.8 + 1.2 * normal(hashText(0, event_ticker)),
    loadings: [
      { factor: 'weather-continent', daily_sd: 0.02 },
      { factor: `rain-region-${station % REGIONS}`, daily_sd: 0.04 },
    ],
    residual_sd: 0.6,
    listed_at: epoch,
    known_at: Date.UTC(2027, month + 1, 1) + DAY,
    interest: 0.05,
    series: {
      ticker: 'SIMRAIN',
      title: 'Rain of the month by station (simulated)',
      category: 'Climate and Weather',
      tags: ['Rain', 'Monthly'],
      frequency: 'monthly',
      source: 'national weather service',
    },
    title: `How much rain will fall at station ${code} in ${when}?`,
    sub_title: `In ${when}`,
    tickerOf: (inches) => String(inches),
    textOf: (inches) => ({
      title: `Will it rain more than ${inches} inches at station ${code} in ${when}?`,
      yes_sub_title: `More than ${inches} inches`,
      rules: `If more than ${inches} inches of precipitation are recorded at station ${code} in ${when}, then the market resolves to Yes.`,
    }),
  });
}
