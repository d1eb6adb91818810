import { DAY, dayName, HOUR } from '../calendar.ts';
import { ladder } from './ladder.ts';
import { isAskedIn, simulated, slugOf, type Topic, type WorldEvent } from './topic.ts';

/** An invented film, the Friday it opens and the opening weekend expected of it, in millions of dollars. */
const FILMS: [code: string, title: string, friday: string, millions: number][] = [
  ['TIDE', 'The Ninth Tide', '2026-07-10', 62],
  ['LANT', 'Lantern Season', '2026-07-24', 28],
  ['RUST', 'Rust and Honey', '2026-08-07', 19],
  ['ORBT', 'Orbital Decay', '2026-08-21', 74],
  ['QUIL', 'The Quiet Quilter', '2026-09-04', 12],
  ['HARB', 'Harbor of Glass', '2026-09-18', 33],
  ['MONS', 'Monsoon Parade', '2026-10-02', 41],
  ['CLOC', 'The Clockmaker Returns', '2026-10-16', 55],
  ['WOLF', 'Wolves at the Lighthouse', '2026-10-30', 38],
  ['EMBR', 'Ember Crossing', '2026-11-13', 88],
  ['SNOW', 'A Snow for Clara', '2026-11-25', 47],
  ['TITN', 'Titan Station II', '2026-12-18', 140],
];

const SHARES = [0.6, 0.8, 0.9, 1, 1.1, 1.25, 1.5] as const;

/** Opening weekends of a dozen invented films. */
export const boxOffice: Topic = {
  name: 'box-office',
  list: (scope) =>
    FILMS.map(([code, title, friday, millions]) =>
      listFilm(code, title, Date.parse(friday), millions, scope.epoch),
    ).filter(isAskedIn(scope)),
};

function listFilm(code: string, title: string, friday: number, millions: number, epoch: number): WorldEvent {
  const event_ticker = `SIMBOX-${code}`;
  const lines = SHARES.map((share) => Math.round(share * millions));
  const slug = `sim-${slugOf(title)}-opening-weekend`;
  const asked = ladder({
    event_ticker,
    lines,
    mean: millions,
    loadings: [
      { factor: 'cinema-audience', daily_sd: millions * 0.01 },
      { factor: `cinema-${code}`, daily_sd: millions * 0.03 },
    ],
    residual_sd: millions * 0.03,
    listed_at: Math.max(epoch, friday - 40 * DAY + 16 * HOUR),
    known_at: friday + 3 * DAY + 20 * HOUR,
    interest: 0.3,
    series: {
      ticker: 'SIMBOX',
      title: 'Opening weekends (simulated)',
      category: 'Entertainment',
      tags: ['Movies', 'Box office'],
      frequency: 'custom',
      source: 'weekend box office report',
    },
    title: `How much will ${title} take on its opening weekend?`,
    sub_title: `Opens ${dayName(friday)}`,
    tickerOf: (line) => String(line),
    textOf: (line) => ({
      title: `Will ${title} take more than $${line} million on its opening weekend?`,
      yes_sub_title: `Above $${line} million`,
      rules: `If the domestic takings of ${title} from Friday to Sunday of its opening weekend exceed ${line} million dollars, then the market resolves to Yes.`,
    }),
  });
  if (millions <= 50) return asked;
  return {
    ...asked,
    polymarket: {
      slug,
      title: `"${title}" opening weekend box office`,
      description: simulated(
        `This market will resolve to "Yes" if "${title}" grosses more than the listed amount in its first three days.`,
      ),
      tags: ['culture', 'movies'],
      tick: 100,
      neg_risk: false,
      markets: lines.map((line, outcome) => ({
        outcome,
        slug: `${slug}-${line}m`,
        question: `Will "${title}" open above $${line}m?`,
        group_item_title: `>$${line}m`,
      })),
    },
  };
}
