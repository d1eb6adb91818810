import { hash } from 'node:crypto';
import type { MarketStatus } from '../../model/catalog.ts';
import type { Config } from '../../model/config.ts';
import { DAY_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { findMarket, type MarketRow } from '../../store/catalog/catalog.ts';
import type { Feed } from '../feed.ts';
import type { NamedMarket } from '../named-markets.ts';
import type { VenueRun } from '../venues/venue.ts';
import { DriftTally } from './drift.ts';
import type { ListedQuote } from './listed-market.ts';

export interface CatalogWalk {
  run: VenueRun;
  feed: Feed;
  state: WalkState;
}

/** What a catalog walk accepts, and which of the named markets it has met so far. */
export interface WalkState {
  /** Ids of the markets that definitions name, and those of them that it has met. */
  named: ReadonlySet<string>;
  seen: Set<string>;
  bookWanted: Map<string, BookWanted>;
  scope: Config['scope'];
  drift: DriftTally;
  /** Digest of all that affects how a page is read, apart from its bytes. */
  settings: string;
  /** Why a page was not believed; undefined while all were. */
  doubt?: string;
}

/** Looks up markets by their ids and stores what it finds. @param left those that were not found yet */
export type LookUp = (walk: CatalogWalk, left: () => readonly { native_id: string }[]) => Promise<void>;

/** A named market whose catalog row does not give its price, so that its book must be fetched. */
export interface BookWanted {
  market_key: number;
  market_id: string;
  native_id: string;
  price_token: string | undefined;
  status: MarketStatus;
  quote: ListedQuote;
}

/** The state of a walk that has met nothing yet. */
export function newWalkState({ named, config }: Pick<VenueRun, 'named' | 'config'>): WalkState {
  const ids = named.map((each) => each.market_id).sort();
  const { accepted_losses } = config.ingest;
  return {
    named: new Set(ids),
    settings: hash('sha1', JSON.stringify([ids, config.scope, accepted_losses])),
    seen: new Set(),
    bookWanted: new Map(),
    scope: config.scope,
    drift: new DriftTally(accepted_losses),
  };
}

/** Outcomes are checked again for this long, because venues have overturned some. */
const OUTCOME_STANDS_AFTER_MS = 7 * DAY_MS;

/** Whether a market settled so long ago that its outcome is not checked again. */
export function outcomeStands(known: MarketRow | undefined, now: Instant): boolean {
  const settledAt = known?.status === 'settled' ? known.settled_at : null;
  return settledAt !== null && now - settledAt >= OUTCOME_STANDS_AFTER_MS;
}

/** The named markets that a walk over the open ones did not meet, except those that settled long ago. */
export function selectUnseen({ store, named, now }: VenueRun, { seen }: WalkState): NamedMarket[] {
  return store.read((reader) =>
    named.filter(
      ({ market_id }) => !seen.has(market_id) && !outcomeStands(findMarket(reader, market_id), now),
    ),
  );
}

/** Marks a feed incomplete for named markets that are not listed, and for those whose rows cannot be read. */
export function reportUnseen(feed: Feed, unseen: readonly NamedMarket[]): void {
  const unreadable = unseen.filter(({ native_id }) => feed.isUnreadable(native_id));
  const absent = unseen.filter((each) => !unreadable.includes(each));
  if (absent.length > 0) feed.leaveIncomplete(`not listed, though a definition names it: ${firstOf(absent)}`);
  if (unreadable.length > 0)
    feed.leaveIncomplete(`cannot be read, though a definition names it: ${firstOf(unreadable)}`);
}

function firstOf(markets: readonly NamedMarket[]): string {
  const first = markets.slice(0, 3).map((each) => each.native_id);
  const more = markets.length > first.length ? ` and ${markets.length - first.length} more` : '';
  return `${first.join(', ')}${more}`;
}
