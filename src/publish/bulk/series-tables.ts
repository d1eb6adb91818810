import { type SeriesId, writtenMark } from '../../model/constituent-id.ts';
import type { DivisorStep, ReceiptLine } from '../../model/print.ts';
import { formatInstant } from '../../model/time.ts';
import { type Instant, toCents, toLevel } from '../../model/units.ts';
import { presentInstant } from '../../routes/present.ts';
import { type IndexPrintRow, listIndexPrints } from '../../store/prints/index-prints.ts';
import { listRatePrints, type RatePrintRow } from '../../store/prints/rate-prints.ts';
import { type CloseRow, listCloses } from '../../store/prints/standings.ts';
import { eachRestatement, type ListedRestatement } from '../../store/restatements.ts';
import type { Reader } from '../../store/store.ts';
import { linesAt } from '../public-series.ts';
import { type ColumnOf, number, type Table, tableOf, text } from './table.ts';

const INDEX_HISTORY: readonly ColumnOf<IndexPrintRow>[] = [
  text('at', ({ at }) => formatInstant(at)),
  number('level', ({ level }) => toLevel(level)),
  number('coverage', ({ coverage }) => coverage),
  number('revision', ({ revision }) => revision),
  text('methodology_version', ({ methodology_version }) => methodology_version),
  // With the quantities and marks of a close these give its level.
  number('divisor', ({ divisor }) => divisor),
  number('cash', ({ cash }) => cash),
];

const RATE_HISTORY: readonly ColumnOf<RatePrintRow>[] = [
  text('at', ({ at }) => formatInstant(at)),
  number('price', ({ price }) => toCents(price)),
  number('spread', ({ spread }) => toCents(spread)),
  number('revision', ({ revision }) => revision),
  text('methodology_version', ({ methodology_version }) => methodology_version),
];

const CONSTITUENTS: readonly ColumnOf<CloseRow & { line: ReceiptLine }>[] = [
  text('day', ({ day }) => day),
  text('at', ({ at }) => formatInstant(at)),
  text('market_id', ({ line }) => line.market_id),
  text('state', ({ line }) => line.state),
  number('weight', ({ line }) => line.weight),
  number('quantity', ({ line }) => line.quantity),
  number('mark', ({ line: { market_id, price } }) =>
    price !== undefined ? writtenMark(market_id, price) : null,
  ),
  text('basis', ({ line }) => line.basis),
  text('observed_at', ({ line }) => presentInstant(line.observed_at)),
  text('exclude_reason', ({ line }) => line.exclude_reason),
];

/** The columns of the restatements of an index or rate, given how its values are written. */
function restatementColumns(writeValue: (value: number) => number): readonly ColumnOf<ListedRestatement>[] {
  return [
    text('at', ({ at }) => formatInstant(at)),
    number('revision', ({ revision }) => revision),
    number('replaces', ({ replaces }) => replaces),
    number('old_value', ({ old_value }) => writeValue(old_value)),
    number('new_value', ({ new_value }) => writeValue(new_value)),
    text('reason', ({ reason }) => reason),
    text('recorded_at', ({ recorded_at }) => formatInstant(recorded_at)),
  ];
}

/** In full precision: that a step left the level where it was is seen in the last digits. */
const STEPS: readonly ColumnOf<DivisorStep>[] = [
  text('at', ({ at }) => formatInstant(at)),
  text('reason', ({ reason }) => reason),
  text('market_ids', ({ market_ids }) => JSON.stringify(market_ids)),
  number('level_before', ({ level_before }) => level_before),
  number('level_after', ({ level_after }) => level_after),
  number('divisor_before', ({ divisor_before }) => divisor_before),
  number('divisor_after', ({ divisor_after }) => divisor_after),
];

const INDEX_RESTATEMENTS = restatementColumns(toLevel);
const RATE_RESTATEMENTS = restatementColumns(toCents);

/** Every print of an index or rate until an instant, oldest first; prices and spreads in cents. */
export function historyTable(reader: Reader, { kind, ticker }: SeriesId, until: Instant): Table {
  return kind === 'index'
    ? tableOf(INDEX_HISTORY, listIndexPrints(reader, ticker, 0, until))
    : tableOf(RATE_HISTORY, listRatePrints(reader, ticker, 0, until));
}

/** Every revision of those prints, with what it replaced, when and why; values as in the history. */
export function restatementsTable(reader: Reader, series: SeriesId, until: Instant): Table {
  const columns = series.kind === 'index' ? INDEX_RESTATEMENTS : RATE_RESTATEMENTS;
  return tableOf(columns, eachRestatement(reader, series, 0, until));
}

/** What entered the print of each daily close: a row for each constituent or source; marks in cents, of indices in points. */
export function constituentsTable(reader: Reader, series: SeriesId, before: string): Table {
  const closes = listCloses(reader, series, before);
  function* lines() {
    for (const close of closes)
      for (const line of linesAt(reader, series, close.at)) yield { ...close, line };
  }
  return tableOf(CONSTITUENTS, lines());
}

/** The continuity ledger of an index; recalculated spans have only the lines of the last recalculation. */
export function stepsTable(steps: readonly DivisorStep[]): Table {
  return tableOf(STEPS, steps);
}
