import type { Instant } from './units.ts';

/** A text as similarity compares it, with what else is known about it. */
export interface RelatedText {
  /** The question, headline or subject, as it is written. */
  text: string;
  /** The outcome that Yes stands for, where the text does not say it: "Boston", "Over 45.5". */
  outcome?: string;
  /** What the text belongs to or is explained by: the event's title, a summary. Weighs less. */
  context?: string;
  closes_at?: Instant;
}
