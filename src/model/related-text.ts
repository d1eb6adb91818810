import type { Instant } from './units.ts';

/** A text to compare, with further information about it. */
export interface RelatedText {
  /** The question, headline or subject, as written. */
  text: string;
  /** The outcome that Yes stands for, if the text does not say it: "Boston", "Over 45.5". */
  outcome?: string;
  /** Context, such as the event's title or a summary. It has less weight. */
  context?: string;
  closes_at?: Instant;
}
