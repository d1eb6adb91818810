import { familyOf } from '../methodology/rate-families/rate-families.ts';
import { parsePrintedId, type SeriesKind } from '../model/constituent-id.ts';
import { ForemarkError } from '../model/errors.ts';
import type { ReceiptLine } from '../model/print.ts';
import { formatInstant, MINUTE_MS } from '../model/time.ts';
import { type Instant, toCents, toLevel } from '../model/units.ts';
import { findMarket } from '../store/catalog/catalog.ts';
import {
  findDefinition,
  findNewestDefinition,
  listIndexDefinitions,
  listRateDefinitions,
} from '../store/definitions/definitions.ts';
import { listDivisorSteps } from '../store/prints/divisor-steps.ts';
import { findIndexPrint } from '../store/prints/index-prints.ts';
import { findRatePrint } from '../store/prints/rate-prints.ts';
import { listRestatements } from '../store/restatements.ts';
import type { Reader } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';
import { indexFormula, written } from './index-formula.ts';
import { printParts } from './print-parts.ts';
import { withStore } from './with-store.ts';

/** The print to be explained. */
export interface Asked {
  ticker: string;
  /** The last at or before this instant. */
  at: Instant;
  /** Needed where an index and a rate share the ticker. */
  kind?: SeriesKind;
}

/** Shows how the last print of an index or rate at or before an instant was made. */
export function explainCommand(context: CommandContext, asked: Asked): ExitCode {
  return withStore(context, { readonly: true }, (store) => {
    const explanation = store.read((reader) => explain(reader, asked));
    tell(context, explanation, linesOf(explanation));
    return EXIT.complete;
  });
}

function explain(reader: Reader, asked: Asked) {
  const { ticker, at, kind } = asked;
  const index = kind === 'rate' ? undefined : findIndexPrint(reader, ticker, at);
  const rate = kind === 'index' ? undefined : findRatePrint(reader, ticker, at);
  if (index && rate)
    throw new ForemarkError(
      'not_found',
      `an index and a rate have the ticker ${ticker}; --kind says which is meant`,
    );
  const print = index ?? rate;
  if (!print) throw new ForemarkError('not_found', missing(reader, asked));
  const questions = new Map(
    print.lines.map((line) => [line.market_id, questionOf(reader, line.market_id) ?? null]),
  );
  const definition = findDefinition(reader, print.definition_key);
  const quote_convention =
    definition && 'quote_convention' in definition ? definition.quote_convention : undefined;
  const seats = new Map(
    definition?.methodology === 'nti'
      ? definition.constituents.map((each) => [each.market_id, each.seat] as const)
      : [],
  );
  return {
    ticker,
    kind: index ? ('index' as const) : ('rate' as const),
    at: formatInstant(print.at),
    revision: print.revision,
    methodology_version: print.methodology_version,
    quote_convention,
    formula: index
      ? indexFormula(index, print.lines, quote_convention)
      : definition && 'sources' in definition
        ? familyOf(definition).formula(print.lines)
        : undefined,
    index: index && {
      level: index.level,
      divisor: index.divisor,
      cash: index.cash,
      coverage: index.coverage,
    },
    rate: rate && { price: rate.price, spread: rate.spread },
    constituents: print.lines.map(({ observed_at, ...line }) => ({
      ...line,
      seat: seats.get(line.market_id),
      question: questions.get(line.market_id),
      observed_at: observed_at === undefined ? null : formatInstant(observed_at),
      age_ms: observed_at === undefined ? null : print.at - observed_at,
    })),
    parts: (rate && definition && 'sources' in definition ? printParts(reader, definition, rate) : []).map(
      ({ from, to, price, of }) => ({ from: formatInstant(from), to: formatInstant(to), price, of }),
    ),
    steps: (index ? listDivisorSteps(reader, ticker, print.at) : [])
      .filter((step) => step.at === print.at)
      .map((step) => ({ ...step, at: formatInstant(step.at) })),
    restatements: listRestatements(reader, index ? 'index' : 'rate', ticker, print.at).map((each) => ({
      ...each,
      at: formatInstant(each.at),
      recorded_at: formatInstant(each.recorded_at),
    })),
  };
}

/** The question of a constituent, or the name of a rate or index. */
function questionOf(reader: Reader, id: string): string | undefined {
  const printed = parsePrintedId(id);
  return printed
    ? findNewestDefinition(reader, printed.kind, printed.ticker)?.name
    : findMarket(reader, id)?.question;
}

function missing(reader: Reader, { ticker, at, kind }: Asked): string {
  const known = [
    ...(kind === 'rate' ? [] : listIndexDefinitions(reader)),
    ...(kind === 'index' ? [] : listRateDefinitions(reader)),
  ];
  if (known.some((each) => each.definition.ticker === ticker))
    return `${ticker} has no print at or before ${formatInstant(at)}`;
  return `no ${kind ?? 'index or rate'} has the ticker ${ticker}`;
}

function linesOf(explanation: ReturnType<typeof explain>): string[] {
  const { ticker, kind, at, revision, methodology_version, formula, index, rate } = explanation;
  const value = index
    ? `level ${toLevel(index.level)} = ${formula}, ` + `coverage ${(index.coverage * 100).toFixed(1)}%`
    : `price ${toCents(rate?.price ?? 0)} cents = ${formula}, ` +
      `spread ${toCents(rate?.spread ?? 0)} cents`;
  const revised = revision > 0 ? `, revision ${revision}` : '';
  const seated = explanation.constituents.some((line) => line.seat !== undefined);
  const rows = explanation.constituents.map((line) => [
    line.market_id,
    ...(seated ? [line.seat ?? '-'] : []),
    (line.basis === 'stated' && line.state === 'settled' ? 'deleted' : line.state) +
      (line.exclude_reason ? ` (${line.exclude_reason})` : '') +
      (line.outlier ? ' (outlier)' : ''),
    `${(line.weight * 100).toFixed(3)}%`,
    priceText(line),
    line.age_ms === null ? '-' : `${Math.round(line.age_ms / MINUTE_MS)} min`,
    kind === 'index' ? written(line.quantity) : volumeText(line),
    line.question ?? '(not in the catalog)',
  ]);
  const table = [
    [
      'market',
      ...(seated ? ['seat'] : []),
      'state',
      'weight',
      'mark',
      'age',
      kind === 'index' ? 'quantity' : 'volume',
      'question',
    ],
    ...rows,
  ];
  const steps = explanation.steps.map(
    (step) =>
      `step  ${step.reason} of ${step.market_ids.join(', ')}: level ${step.level_before} -> ${step.level_after}, ` +
      `divisor ${step.divisor_before} -> ${step.divisor_after}`,
  );
  return [
    `${ticker} (${kind}, ${methodology_version}) at ${at}${revised}`,
    value,
    ...aligned(table),
    ...explanation.parts.map(
      ({ from, to, price: median, of }) => `part  ${from} to ${to}: ${written(median * 100)}c, ${of}`,
    ),
    ...steps,
    ...explanation.restatements.map(
      (each) =>
        `restated at ${each.recorded_at} (${each.reason}): revision ${each.revision}, ` +
        (index
          ? `level ${toLevel(each.old_value)} -> ${toLevel(each.new_value)}`
          : `price ${toCents(each.old_value)} -> ${toCents(each.new_value)} cents`),
    ),
  ];
}

function priceText(line: Pick<ReceiptLine, 'market_id' | 'price' | 'basis'>): string {
  const { market_id, price, basis } = line;
  if (price === undefined) return 'no price';
  return parsePrintedId(market_id)?.kind === 'index'
    ? `${written(price)} ${basis}`
    : `${written(price * 100)}c ${basis}`;
}

function volumeText(line: Pick<ReceiptLine, 'volume'>): string {
  return line.volume === undefined ? '-' : String(line.volume);
}

function aligned(table: readonly string[][]): string[] {
  const widths = (table[0] ?? []).map((_cell, i) => Math.max(...table.map((row) => row[i]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
