import { z } from 'zod';
import { greatestOf, leastOf } from '../../model/extremes.ts';
import { DAY_MS, floorTo, HOUR_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import type { MarketRow } from '../../store/catalog/catalog.ts';

/** A span of time, in UTC milliseconds. */
export interface Span {
  from: Instant;
  to: Instant;
}

/** How much of a market's price history is known. */
export const historyKnown = z.object({
  /** Start of the span that was asked for. */
  from: z.number(),
  /** The newest observation received. */
  to: z.number(),
  /** Instant of the run that last got an answer. */
  asked_at: z.number(),
  /** Whether `to` was held back before a row that was left out. */
  held: z.boolean(),
});
export type HistoryKnown = z.output<typeof historyKnown>;

/** A settled market is asked about for this much longer: an empty answer does not prove that nothing is missing. */
const AFTER_SETTLEMENT_MS = DAY_MS;
/** The last candle of a market ends up to a period after its close. */
const LAST_CANDLES_MS = 2 * HOUR_MS;
/** The newest hours are asked for again: venues publish hours late, revise them, or give the current tick first. */
const ASKED_AGAIN_MS = 2 * HOUR_MS;
/**
 * A market without new points is asked about for this long before its last answer, which may have been wrongly empty:
 * from its last point on, it would be asked for more hours with each run.
 */
const QUIET_MS = 7 * DAY_MS;

/**
 * The part of a market's hourly history still to be fetched; undefined when all of it is known. It begins shortly
 * before the known part ends, or at the start that definitions ask for, but not before the market was listed.
 */
export function historySpan(
  market: MarketRow,
  historyFrom: Instant,
  known: HistoryKnown | undefined,
  now: Instant,
): Span | undefined {
  const settledAt = market.status === 'settled' ? market.settled_at : null;
  const listedAt = leastOf([market.listed_at, market.opens_at]);
  const start = listedAt === undefined ? historyFrom : Math.max(historyFrom, floorTo(listedAt, HOUR_MS));
  const to = settledAt === null ? now : Math.min(now, settledAt + LAST_CANDLES_MS);
  const goesOn = known !== undefined && start >= known.from;
  const isOver = goesOn && settledAt !== null && known.asked_at >= settledAt + AFTER_SETTLEMENT_MS;
  if (isOver && !known.held) return undefined;
  if (floorTo(to, HOUR_MS) <= (goesOn ? known.to : start)) return undefined;
  return { from: goesOn ? Math.max(known.from, resumesAt(known)) : start, to };
}

function resumesAt({ to, asked_at, held }: HistoryKnown): Instant {
  const answered = held ? to : Math.max(to, asked_at - QUIET_MS);
  return answered - ASKED_AGAIN_MS;
}

/** How far an answer reaches. */
export interface HistoryAnswer {
  newest: Instant | undefined;
  /** Instant of the last observation before the first row that was left out; undefined when none was. */
  heldAt: Instant | undefined;
}

/** Joins the answers to the parts of a span; undefined if they do not cover it. */
export function joinAnswers(
  { from, to }: Span,
  parts: readonly { asked: Span; answer: HistoryAnswer }[],
): HistoryAnswer | undefined {
  let answered = from;
  for (const { asked } of parts.toSorted((a, b) => a.asked.from - b.asked.from))
    if (asked.from <= answered) answered = Math.max(answered, asked.to);
  if (answered < to) return undefined;
  return {
    newest: greatestOf(parts.map(({ answer }) => answer.newest)),
    heldAt: leastOf(parts.map(({ answer }) => answer.heldAt)),
  };
}

/**
 * What is known of a history once a span was answered. An answer without observations moves neither end: empty answers
 * have been wrong before, and asking again costs little. The end also stays before a row that was left out, until that
 * has been asked for once more.
 */
export function historyKnownAfter(
  asked: Span,
  { newest, heldAt }: HistoryAnswer,
  known: HistoryKnown | undefined,
  now: Instant,
): HistoryKnown | undefined {
  if (newest === undefined) return known && { ...known, asked_at: now };
  const from = Math.min(asked.from, known?.from ?? asked.from);
  if (heldAt !== undefined && known?.held !== true)
    return { from, to: Math.max(asked.from, Math.min(newest, heldAt)), asked_at: now, held: true };
  return { from, to: Math.max(known?.to ?? asked.from, newest), asked_at: now, held: false };
}
