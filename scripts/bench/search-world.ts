/** Questions as venues word them, generated from a seed, with queries of four kinds over the same words. */
import { seededRandom } from '../seeded-random.ts';

const FIRST = [
  'donald',
  'kamala',
  'joe',
  'gavin',
  'ron',
  'nikki',
  'josh',
  'gretchen',
  'pete',
  'marco',
  'elon',
  'taylor',
];
const LAST_SYLLABLES = ['bar', 'ken', 'mor', 'dal', 'vin', 'tos', 'ril', 'han', 'qua', 'zed', 'lum', 'fir'];
const COINS = ['bitcoin', 'ethereum', 'solana', 'dogecoin', 'ripple', 'cardano'];
const CITIES = ['chicago', 'austin', 'miami', 'denver', 'london', 'tokyo', 'paris', 'oslo'];

/** The rank of a name: the first are named often, the last hardly ever. */
function rankOf(random: () => number, names: number): number {
  return Math.min(names - 1, Math.floor(names ** random()) - 1);
}

function nameOf(rank: number): string {
  if (rank === 0) return 'donald trump';
  const syllables = [
    rank % 12,
    Math.floor(rank / 12) % 12,
    Math.floor(rank / 144) % 12,
    Math.floor(rank / 1728) % 12,
  ];
  return `${FIRST[rank % FIRST.length]} ${syllables.map((each) => LAST_SYLLABLES[each]).join('')}`;
}

const NAMES = 20_000;
const pick = (random: () => number, list: readonly string[]) =>
  list[Math.floor(random() * list.length)] ?? '';

/** A question. */
export function questionOf(random: () => number): string {
  const year = 2026 + Math.floor(random() * 3);
  const who = nameOf(rankOf(random, NAMES));
  const amount = Math.floor(random() * 200) * 1000;
  const kinds = [
    () => `Will ${who} win the ${year} election in ${pick(random, CITIES)}?`,
    () =>
      `Will the price of ${pick(random, COINS)} be above $${amount} on June ${1 + Math.floor(random() * 30)}?`,
    () => `Will ${who} be nominated before ${year}?`,
    () =>
      `Will the highest temperature in ${pick(random, CITIES)} be over ${Math.floor(random() * 100)} degrees?`,
    () => `Will ${who} say "${nameOf(rankOf(random, NAMES)).split(' ')[1]}" in the ${year} debate?`,
  ];
  return kinds[Math.floor(random() * kinds.length)]?.() ?? '';
}

/** 490 queries, grouped by how common their words are. */
export function queriesOf(seed: number): Record<string, string[]> {
  const random = seededRandom(seed);
  const who = () => nameOf(rankOf(random, NAMES));
  const many = (count: number, make: () => string) => Array.from({ length: count }, make);
  return {
    common: [
      'will',
      'trump',
      'win',
      'will trump win',
      'the',
      'price',
      '2026',
      'election',
      'will the',
      'temperature',
    ],
    two: many(160, () =>
      pick(random, [
        `${pick(random, COINS)} above`,
        `${who().split(' ')[1]} win`,
        `${pick(random, CITIES)} temperature`,
      ]),
    ),
    rare: many(160, () => nameOf(Math.floor(random() * NAMES))),
    long: many(160, () =>
      pick(random, [
        `will ${who()} win the 2026 election`,
        `price of ${pick(random, COINS)} above on june 5`,
      ]),
    ),
  };
}
