import { rateFamilyOf } from '../../methodology/rate-families/rate-families.ts';
import { parsePrintedId, type SeriesKind } from '../../model/constituent-id.ts';
import { type Definition, findTeamMember, isRate } from '../../model/definitions/definition.ts';
import { ForemarkError } from '../../model/errors.ts';
import type { IndexPrint, RatePrint } from '../../model/print.ts';
import { formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { findMarket } from '../../store/catalog/catalog.ts';
import {
  findDefinition,
  findNewestDefinition,
  listDefinitionHistory,
} from '../../store/definitions/definitions.ts';
import { listDivisorSteps } from '../../store/prints/divisor-steps.ts';
import { findIndexPrint } from '../../store/prints/index-prints.ts';
import { findRatePrint } from '../../store/prints/rate-prints.ts';
import { listRestatements } from '../../store/restatements.ts';
import type { Reader } from '../../store/store.ts';
import { refuseUnknown } from '../refuse-unknown.ts';
import { indexFormula } from './index-formula.ts';
import { printParts } from './print-parts.ts';

/** Which print to explain. */
export interface Asked {
  ticker: string;
  /** The last print at or before this instant is explained. */
  at: Instant;
  /** Required when an index and a rate share the ticker. */
  kind?: SeriesKind;
}

/** How a print was made. */
export type Explanation = ReturnType<typeof explain>;

/**
 * Gathers how the last print of an index or rate at or before an instant was made.
 *
 * @throws ForemarkError not_found when there is no such print, or when there are two
 */
export function explain(reader: Reader, asked: Asked) {
  const { ticker, at, kind } = asked;
  const index = kind === 'rate' ? undefined : findIndexPrint(reader, ticker, at);
  const rate = kind === 'index' ? undefined : findRatePrint(reader, ticker, at);
  if (index && rate)
    throw new ForemarkError(
      'not_found',
      `an index and a rate have the ticker ${ticker}; choose one with --kind`,
    );
  const series = { ticker, kind: index ? ('index' as const) : ('rate' as const) };
  const print = index ?? rate;
  if (!print) throw missing(reader, asked);
  const definition = findDefinition(reader, print.definition_key);
  const rateDefinition = definition && isRate(definition) ? definition : undefined;
  const quote_convention =
    definition && 'quote_convention' in definition ? definition.quote_convention : undefined;
  return {
    ...series,
    at: formatInstant(print.at),
    revision: print.revision,
    methodology_version: print.methodology_version,
    quote_convention,
    formula: index
      ? indexFormula(index, print.lines, quote_convention)
      : rateDefinition && rateFamilyOf(rateDefinition).formula(print.lines),
    index: index && {
      level: index.level,
      divisor: index.divisor,
      cash: index.cash,
      coverage: index.coverage,
    },
    rate: rate && { price: rate.price, spread: rate.spread },
    constituents: constituentsOf(reader, print, definition),
    parts: (rate && rateDefinition ? printParts(reader, rateDefinition, rate) : []).map(
      ({ from, to, price, of }) => ({ from: formatInstant(from), to: formatInstant(to), price, of }),
    ),
    steps: (index ? listDivisorSteps(reader, ticker, print.at) : [])
      .filter((step) => step.at === print.at)
      .map((step) => ({ ...step, at: formatInstant(step.at) })),
    restatements: listRestatements(reader, series, print.at).map((each) => ({
      ...each,
      at: formatInstant(each.at),
      recorded_at: formatInstant(each.recorded_at),
    })),
  };
}

/** The lines of a print with the names, seats and ages of their marks. */
function constituentsOf(
  reader: Reader,
  { at, lines }: IndexPrint | RatePrint,
  definition: Definition | undefined,
) {
  return lines.map(({ observed_at, ...line }) => ({
    ...line,
    seat: findTeamMember(definition, line.market_id)?.seat,
    question: questionOf(reader, line.market_id) ?? null,
    observed_at: observed_at === undefined ? null : formatInstant(observed_at),
    age_ms: observed_at === undefined ? null : at - observed_at,
  }));
}

/** The question of a constituent, or the name of a rate or index. */
function questionOf(reader: Reader, id: string): string | undefined {
  const printed = parsePrintedId(id);
  return printed ? findNewestDefinition(reader, printed)?.name : findMarket(reader, id)?.question;
}

function missing(reader: Reader, { ticker, at, kind }: Asked): ForemarkError {
  const known = listDefinitionHistory(reader).filter((each) => kind === undefined || each.kind === kind);
  refuseUnknown([ticker], known, kind);
  return new ForemarkError('not_found', `${ticker} has no print at or before ${formatInstant(at)}`);
}
