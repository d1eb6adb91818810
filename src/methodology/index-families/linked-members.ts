import type { DivisorStep, IndexStanding, ReceiptLine } from '../../model/print.ts';
import type { IndexInput } from './index-input.ts';
import type { Ledger } from './ledger.ts';
import { depart } from './line-marks.ts';
import { type Reading, readMember } from './member-readings.ts';

/**
 * Chain-linking of the indices that a composite holds. A gauge moves when a name enters it or its definition changes,
 * which is no return of what it was made of: the quantity held of it changes instead.
 */

/** A step that moved the level of an index. */
export type LevelStep = Pick<DivisorStep, 'at' | 'level_before' | 'level_after'>;

/**
 * The level of an index at a print without the steps that have moved it since an earlier print: what its names of then
 * are worth now. Where its ledger was restated in between, the steps that it then had are in it instead.
 *
 * @param then,now the steps up to each of the two prints, oldest first, as the ledger stood when the print was made
 * @returns undefined if there are no such steps
 * @example linkedLevel(60, [], [{ at: 0, level_before: 50, level_after: 75 }]) // 40
 */
export function linkedLevel(
  level: number,
  then: readonly LevelStep[],
  now: readonly LevelStep[],
): number | undefined {
  const other = now.findIndex((step, i) => !isSame(step, then[i]));
  const shared = other < 0 ? Math.min(now.length, then.length) : other;
  const [left, came] = [then.slice(shared), now.slice(shared)];
  if (left.length + came.length === 0) return undefined;
  // Before a step to 0 the names were worth what the ledger says, whatever the level did since.
  const without = came.reduceRight(
    (worth, { level_before, level_after }) =>
      level_after > 0 ? (worth * level_before) / level_after : level_before,
    level,
  );
  return left
    .filter(({ level_before, level_after }) => level_before > 0 && level_after > 0)
    .reduce((worth, { level_before, level_after }) => (worth * level_after) / level_before, without);
}

function isSame(step: LevelStep, other: LevelStep | undefined): boolean {
  return (
    step.at === other?.at &&
    step.level_before === other.level_before &&
    step.level_after === other.level_after
  );
}

/** The linked level of a held index at present; undefined if no step has moved it since it was last priced. */
function linkedPrice({ printed }: IndexInput, { market_id, quantity, observed_at }: ReceiptLine) {
  if (quantity === 0 || observed_at === undefined) return undefined;
  return printed(market_id)?.linkedSince?.(observed_at);
}

/**
 * Reads a constituent that is held: an index at its linked level. Where that or its level is 0 there is nothing to link,
 * and the holding ends at what it is worth.
 */
export function readHeld(input: IndexInput, line: ReceiptLine): Reading {
  const reading = readMember(input, line.market_id);
  const price = linkedPrice(input, line);
  if (price === undefined || reading.kind === 'failed') return reading;
  if (reading.kind === 'good' && price > 0) return { ...reading, price };
  return { kind: 'settled', price, basis: 'settlement', observed_at: reading.observed_at };
}

/**
 * Links the held indices that steps have moved: each line at its linked level departs, and one of the same value takes
 * its place at the present level. A step each.
 *
 * @param held the lines before this instant
 * @returns the departed lines
 */
export function linkHeld(input: IndexInput, held: readonly ReceiptLine[], ledger: Ledger): ReceiptLine[] {
  return held.flatMap((before) => {
    if (linkedPrice(input, before) === undefined) return [];
    const { lines } = ledger.standing;
    const line = lines.find((each) => each.market_id === before.market_id);
    const reading = readMember(input, before.market_id);
    if (line?.state !== 'included' || line.price === undefined || reading.kind !== 'good') return [];
    const { price } = reading;
    const linked = { ...line, price, quantity: (line.quantity * line.price) / price };
    const after: IndexStanding = {
      ...ledger.standing,
      lines: lines.map((each) => (each === line ? linked : each)),
    };
    ledger.step('linking', [line], after);
    return depart(line);
  });
}
