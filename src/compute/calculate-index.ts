import { calculateIndex, pricesOtherwise } from '../methodology/index-families/index-families.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import type { IndexStanding } from '../model/print.ts';
import type { Instant } from '../model/units.ts';
import { type Adopted, findDefinition } from '../store/definitions.ts';
import { IndexRecord, insertDivisorStep } from '../store/index-prints.ts';
import { findStanding, setStanding } from '../store/standings.ts';
import type { Writer } from '../store/store.ts';
import { type KnownOfWindow, loadIndexInputs } from './load-index-inputs.ts';

/**
 * Calculates an index at some instants, going on from where it stands, and records the prints, the steps and
 * the new standing.
 *
 * @param instants ascending, all after the last calculated one
 * @returns the instants that printed
 */
export function calculateIndexAt(
  writer: Writer,
  adopted: Adopted<IndexDefinition>,
  instants: readonly Instant[],
  known: KnownOfWindow,
  recordedAt: Instant,
): Instant[] {
  const { definition, definition_key } = adopted;
  const { ticker } = definition;
  const standing = findStanding<IndexStanding>(writer, 'index', ticker);
  let before = standing?.body;
  const earlier = before && findDefinition<IndexDefinition>(writer, standing?.definition_key ?? 0);
  let reconstitute = pricesOtherwise(earlier, definition);
  const ids = [...definition.constituents, ...(before?.lines ?? [])].map((each) => each.market_id);
  const inputsAt = loadIndexInputs(writer, definition, ids, instants, known);
  const record = new IndexRecord(writer, ticker);
  const printed: Instant[] = [];
  for (const at of instants) {
    const input = { definition, at, ...inputsAt(at), reconstitute, ...(before ? { before } : {}) };
    const { print, steps, standing: after } = calculateIndex(input);
    for (const step of steps) insertDivisorStep(writer, ticker, step);
    if (print) {
      record.add(print, { definition_key, recorded_at: recordedAt });
      printed.push(at);
    }
    before = after ?? before;
    if (steps.some((step) => step.reason === 'reconstitution')) reconstitute = false;
  }
  const calculated_to = instants.at(-1);
  if (calculated_to !== undefined)
    setStanding(writer, 'index', ticker, {
      calculated_to,
      // While no member has a good mark the earlier members stand, and the reconstitution is still due.
      definition_key: reconstitute && standing ? standing.definition_key : definition_key,
      ...(before ? { body: before } : {}),
    });
  return printed;
}
