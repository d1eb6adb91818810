import type { Instant } from './units.ts';

export const ANNOUNCEMENT_TYPES = ['rebalance', 'methodology_update', 'corporate_action'] as const;
export type AnnouncementType = (typeof ANNOUNCEMENT_TYPES)[number];

/** A notice of a change to an index, or to all of them. */
export interface Announcement {
  type: AnnouncementType;
  /** The index; absent when the notice is about all. */
  ticker?: string;
  title: string;
  body: string;
  announced_at: Instant;
  /** From when on the change counts. */
  effective_at: Instant;
  /** Ids of constituents that a rebalance takes in and out. */
  added?: string[];
  removed?: string[];
}
