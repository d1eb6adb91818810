import { parsePrintedId } from '../model/constituent-id.ts';
import type { ReceiptLine } from '../model/print.ts';
import { toCents, toLevel } from '../model/units.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';
import { type Asked, type Explanation, explain } from './explanation/explanation.ts';
import { written } from './explanation/index-formula.ts';
import { withStore } from './with-store.ts';
import { spanOf } from './wording.ts';

/** Shows how the last print at or before an instant was made. */
export function explainCommand(context: CommandContext, asked: Asked): ExitCode {
  return withStore(context, 'read', (store) => {
    const explanation = store.read((reader) => explain(reader, asked));
    tell(context, explanation, linesOf(explanation));
    return EXIT.complete;
  });
}

function linesOf(explanation: Explanation): string[] {
  const { ticker, kind, at, revision, methodology_version, formula, index, rate } = explanation;
  const value = index
    ? `level ${toLevel(index.level)} = ${formula}, coverage ${(index.coverage * 100).toFixed(1)}%`
    : `price ${toCents(rate?.price ?? 0)} cents = ${formula}, spread ${toCents(rate?.spread ?? 0)} cents`;
  const revised = revision > 0 ? `, revision ${revision}` : '';
  const steps = explanation.steps.map(
    (step) =>
      `step  ${step.reason} of ${step.market_ids.join(', ')}: level ${step.level_before} -> ${step.level_after}, ` +
      `divisor ${step.divisor_before} -> ${step.divisor_after}`,
  );
  return [
    `${ticker} (${kind}, ${methodology_version}) at ${at}${revised}`,
    value,
    ...aligned(constituentTable(explanation)),
    ...explanation.parts.map(
      ({ from, to, price: median, of }) => `part  ${from} to ${to}: ${written(median * 100)}c, ${of}`,
    ),
    ...steps,
    ...explanation.restatements.map(
      (each) =>
        `${each.replaces === null ? 'added' : 'restated'} at ${each.recorded_at} (${each.reason}): revision ${each.revision}, ` +
        (index
          ? `level ${toLevel(each.old_value)} -> ${toLevel(each.new_value)}`
          : `price ${toCents(each.old_value)} -> ${toCents(each.new_value)} cents`),
    ),
  ];
}

// What replaces a half-cent print was observed after its instant.
function ageText(ms: number | null): string {
  if (ms === null) return '-';
  return ms < 0 ? `${spanOf(-ms)} later` : spanOf(ms);
}

/** A row for each constituent, below a row of headings. */
function constituentTable({ kind, constituents }: Explanation): string[][] {
  const seated = constituents.some((line) => line.seat !== undefined);
  const rows = constituents.map((line) => [
    line.market_id,
    ...(seated ? [line.seat ?? '-'] : []),
    (line.basis === 'stated' && line.state === 'settled' ? 'deleted' : line.state) +
      (line.exclude_reason ? ` (${line.exclude_reason})` : '') +
      (line.outlier ? ' (outlier)' : ''),
    `${(line.weight * 100).toFixed(3)}%`,
    priceText(line),
    ageText(line.age_ms),
    kind === 'index' ? written(line.quantity) : String(line.volume ?? '-'),
    line.question ?? '(not in the catalog)',
  ]);
  return [
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
}

function priceText(line: Pick<ReceiptLine, 'market_id' | 'price' | 'basis'>): string {
  const { market_id, price, basis } = line;
  if (price === undefined) return 'no price';
  return parsePrintedId(market_id)?.kind === 'index'
    ? `${written(price)} ${basis}`
    : `${written(price * 100)}c ${basis}`;
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
