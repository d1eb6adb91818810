import { membersOf } from '../../model/definitions/definition.ts';
import type { IndexStanding } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { listVersions, type Version } from '../../store/definitions/definitions.ts';
import { insertDivisorStep } from '../../store/prints/divisor-steps.ts';
import { IndexRecord } from '../../store/prints/index-prints.ts';
import { findStanding, type Standing, setStanding } from '../../store/prints/standings.ts';
import type { Reader, Writer } from '../../store/store.ts';
import { calculateInstants } from './calculate-instants.ts';
import { IndexCalculator, versionAt } from './index-calculator.ts';
import { constituentInputs, loadIndexInputs } from './load-index-inputs.ts';
import type { WindowInputs } from './window-inputs.ts';

/**
 * Calculates an index at some instants, continuing from its standing, and records the prints, the steps and
 * the new standing.
 *
 * @param instants ascending, all after the last calculated one
 * @returns the instants that printed
 */
export function calculateIndexAt(
  writer: Writer,
  ticker: string,
  instants: readonly Instant[],
  inputs: WindowInputs,
  recordedAt: Instant,
): Instant[] {
  const series = { kind: 'index', ticker } as const;
  const standing = findStanding<IndexStanding>(writer, series);
  const versions = listVersionsFrom(writer, ticker, standing);
  const constituted = versions.find((each) => each.definition_key === standing?.definition_key);
  const calculator = new IndexCalculator(standing?.body, constituted);
  const ids = namedIds(versions, standing?.body);
  const factsOf = loadIndexInputs(writer, ids, instants, inputs);
  const record = new IndexRecord(writer, ticker);
  const printed: Instant[] = [];
  calculateInstants(calculator, versions, instants, constituentInputs(inputs.views, factsOf), {
    step: (step) => insertDivisorStep(writer, ticker, step),
    print({ definition_key }, print) {
      record.add(print, { definition_key, recorded_at: recordedAt });
      printed.push(print.at);
    },
    columns({ definition_key }, print, held, linesOf) {
      record.addColumns(print, held, linesOf(), { definition_key, recorded_at: recordedAt });
      printed.push(print.at);
    },
  });
  const calculated_to = instants.at(-1);
  if (calculated_to !== undefined) {
    const { definition_key } = calculator.constituted ?? versionAt(versions, calculated_to);
    setStanding(writer, series, { calculated_to, definition_key, body: calculator.before });
  }
  return printed;
}

/**
 * The constituents that an index may still price: those of its standing, and of its versions from the current one on.
 */
export function namedMembers(reader: Reader, ticker: string): string[] {
  const standing = findStanding<IndexStanding>(reader, { kind: 'index', ticker });
  return namedIds(listVersionsFrom(reader, ticker, standing), standing?.body);
}

/** The constituents of all versions of an index, including former ones. */
export function everNamed(reader: Reader, ticker: string): string[] {
  return namedIds(listVersions(reader, ticker));
}

function listVersionsFrom(
  reader: Reader,
  ticker: string,
  standing: Standing<IndexStanding> | undefined,
): Version[] {
  const versions = listVersions(reader, ticker);
  return versions.filter((each) => each.definition_key >= (standing?.definition_key ?? 0));
}

/** The constituents of some versions of an index, and of its standing. */
export function namedIds(
  versions: readonly Pick<Version, 'definition'>[],
  standing?: Pick<IndexStanding, 'lines'>,
): string[] {
  const named = versions.flatMap(({ definition }) => membersOf(definition));
  const held = standing?.lines.map((line) => line.market_id) ?? [];
  return [...new Set([...named, ...held])];
}
