import type { Instant } from './units.ts';

/** The kinds of notices that an editor may write; a rebalance is announced by the changed definition itself. */
export const EDITORIAL_TYPES = ['methodology_update', 'corporate_action'] as const;
/** Every kind of notice; the store's table of them allows no other. */
export const ANNOUNCEMENT_TYPES = ['rebalance', ...EDITORIAL_TYPES] as const;
export type AnnouncementType = (typeof ANNOUNCEMENT_TYPES)[number];

/** A notice of a change to one index, or to all. */
export interface Announcement {
  type: AnnouncementType;
  /** The index; absent when the notice is about all indices. */
  ticker?: string;
  title: string;
  body: string;
  announced_at: Instant;
  /** When the change takes effect. */
  effective_at: Instant;
  /** Ids of the constituents that a rebalance adds. */
  added?: string[];
  /** Ids of the constituents that it removes. */
  removed?: string[];
  /** What is done, of a deletion: the constituent and its price in cents. For later runs; not published. */
  deed?: string;
  /** Whether it cancels what another notice announced. For later runs; not published. */
  calls_off?: boolean;
}
