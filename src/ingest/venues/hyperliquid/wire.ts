import { z } from 'zod';
import { amount, epochMillis, fraction, neededText, shownText } from '../../wire-scalars.ts';

/** The answers that are read. Keys that are not read are not named. */

export const outcomeMeta = z.object({
  outcomes: z.array(z.unknown()),
  questions: z
    .array(z.unknown())
    .nullish()
    .transform((value) => value ?? []),
});

const number = z.int().min(0).max(999_999_999);
const numbers = z
  .array(number)
  .nullish()
  .transform((value) => value ?? []);

export const outcome = z.object({ outcome: number, name: neededText, description: shownText });

export type Outcome = z.output<typeof outcome>;

export const question = z.object({
  question: number,
  name: neededText,
  description: shownText,
  fallbackOutcome: number.nullish(),
  namedOutcomes: numbers,
});

export type Question = z.output<typeof question>;

/** Null until the outcome settles. */
export const settledOutcome = z.object({ spec: z.unknown(), settleFraction: fraction }).nullable();

/** The coins of the spot market, outcomes among them, each with what is in circulation of it. */
export const assetContexts = z.tuple([z.unknown(), z.array(z.unknown())]);
export const assetContext = z.object({ coin: shownText, circulatingSupply: amount });

const rungs = z.array(z.object({ px: fraction, sz: amount }));

/** Null for a coin that is not listed. */
export const book = z.object({ coin: neededText, levels: z.tuple([rungs, rungs]) }).nullable();

export const candles = z.array(z.unknown());
export const candle = z.object({
  t: epochMillis,
  o: fraction,
  h: fraction,
  l: fraction,
  c: fraction,
  v: amount,
  n: amount,
});

/** What a candle says of volume alone. */
export const dayVolume = z.object({ t: epochMillis, v: amount });
