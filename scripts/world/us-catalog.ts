import { HOUR, isoDay } from './calendar.ts';
import { slugOf, type WorldEvent } from './topics/topic.ts';
import type { Contract } from './truth/contracts.ts';
import type { TruthEvent } from './truth/events.ts';

/** A market of Polymarket US: a future's candidate, or a game with a side for each team. */
export interface UsMarket {
  id: string;
  slug: string;
  question: string;
  title: string;
  /** Names of the Yes side and the other; Yes is the long one. */
  sides: [string, string];
  rules: string;
  market_type: 'moneyline' | 'futures';
  contract: Contract;
  event: UsEvent;
}

/** A question as Polymarket US lists it. */
export interface UsEvent {
  id: string;
  slug: string;
  title: string;
  /** The board it is listed on: a league or a topic. */
  board: { kind: 'league' | 'topic'; slug: string };
  truth: TruthEvent;
  markets: UsMarket[];
}

/** Everything that Polymarket US will ever list in this world. */
export interface UsCatalog {
  events: Map<string, UsEvent>;
  markets: Map<string, UsMarket>;
  event_list: UsEvent[];
}

/** An empty catalog. */
export function emptyUsCatalog(): UsCatalog {
  return { events: new Map(), markets: new Map(), event_list: [] };
}

const GAME = /^SIM([A-Z]+)GAME-\w*?([A-Z]{3})([A-Z]{3})$/;
const CHAMPION = /^SIM(CBL|AFL)-\d+$/;
const DECISION = /^SIMFED-/;
const GRID = { core: 100, edge: 10 };

/** Lists a question at Polymarket US if the venue carries its kind: games, champions, the Fed. */
export function addUsEvent(catalog: UsCatalog, { truth, kalshi: face }: WorldEvent): void {
  if (face === undefined) return;
  const game = GAME.exec(truth.key);
  const league = (game ?? CHAMPION.exec(truth.key))?.[1]?.toLowerCase();
  if (league === undefined && !DECISION.test(truth.key)) return;
  const [, , away = '', home = ''] = game ?? [];
  const slug = game
    ? `${league}-${away.toLowerCase()}-${home.toLowerCase()}-${isoDay(truth.known_at - 27 * HOUR)}`
    : `sim-us-${slugOf(face.title)}`;
  const id = String(40_000 + catalog.event_list.length);
  const board =
    league === undefined
      ? { kind: 'topic' as const, slug: 'fed' }
      : { kind: 'league' as const, slug: league };
  const event: UsEvent = { id, slug, title: face.title, board, truth, markets: [] };
  // A game is one market: Yes is the home team, and No the other.
  const listed = game ? face.markets.slice(1) : face.markets;
  for (const [i, { outcome, ticker, text }] of listed.entries()) {
    const { title, yes_sub_title, rules } = text();
    const name = game ? `aec-${slug}` : `tec-${slug}-${slugOf(ticker.split('-').at(-1) ?? '')}`;
    const other = face.markets[0]?.text().yes_sub_title ?? '';
    const market: UsMarket = {
      id: `${id}${String(i).padStart(3, '0')}`,
      slug: name,
      question: game ? title : face.title,
      title: yes_sub_title,
      sides: game ? [yes_sub_title, other] : ['Yes', 'No'],
      rules,
      market_type: game ? 'moneyline' : 'futures',
      contract: { venue: 'polymarket-us', id: name, event: truth, outcome, grid: GRID },
      event,
    };
    event.markets.push(market);
    catalog.markets.set(name, market);
  }
  catalog.events.set(slug, event);
  catalog.event_list.push(event);
}
