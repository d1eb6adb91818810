import { z } from 'zod';
import { answerRows, listOf, optionalListOf, rows } from '../../wire/wire-lists.ts';
import {
  amount,
  epochMillis,
  fraction,
  neededText,
  nullableAmount,
  nullableFraction,
  shownText,
  wholeNumber,
} from '../../wire/wire-scalars.ts';

/** Schemas of the answers. Keys that are not used are left out. */

export const outcomeMeta = z.object({
  outcomes: answerRows,
  questions: rows.transform((value) => value ?? []),
});

const numbers = listOf(wholeNumber)
  .nullish()
  .transform((value) => value ?? []);

/** The names of the two sides, Yes first; an outcome without them is still read. */
const sides = optionalListOf(z.object({ name: shownText }));

export const outcome = z.object({
  outcome: wholeNumber,
  name: neededText,
  description: shownText,
  sideSpecs: sides,
});

export type Outcome = z.output<typeof outcome>;

export const question = z.object({
  question: wholeNumber,
  name: neededText,
  description: shownText,
  fallbackOutcome: wholeNumber.nullish(),
  namedOutcomes: numbers,
  settledNamedOutcomes: numbers,
});

export const templates = answerRows;
export const template = z.object({ id: neededText, name: neededText, description: shownText });

/** The fields of a question that its outcomes use. */
export type Parent = Pick<z.output<typeof question>, 'question' | 'name' | 'description'>;

/**
 * The question of a settled outcome. Its number is under `settled` or `active`, depending on whether the question is
 * settled too.
 */
const settledQuestion = z
  .object({
    question: z
      .union([z.object({ settled: wholeNumber }), z.object({ active: wholeNumber })])
      .transform((number) => ('settled' in number ? number.settled : number.active)),
    name: neededText,
    description: shownText,
  })
  .nullish()
  .catch(undefined);

/** Null until the outcome settles. */
export const settledOutcome = z
  .object({ spec: z.unknown(), settleFraction: fraction, question: settledQuestion })
  .nullable();

/** The coins of the spot market, including outcomes, with their circulating supply. */
export const assetContexts = z.tuple([z.unknown(), z.array(z.unknown())]);
export const assetContext = z.object({ coin: shownText, circulatingSupply: amount });

const rungs = listOf(z.object({ px: nullableFraction, sz: nullableAmount }));

/** Null for a coin that is not listed. */
export const book = z.object({ coin: neededText, levels: z.tuple([rungs, rungs]) }).nullable();

export const candles = answerRows;
export const candle = z.object({
  t: epochMillis,
  o: fraction,
  h: fraction,
  l: fraction,
  c: nullableFraction,
  v: amount,
  n: amount,
});

/** A daily candle, of which only the volume is used. */
export const dayVolume = z.object({ t: epochMillis, v: amount });
