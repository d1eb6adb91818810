import { type SeriesKind, writtenMark } from '../../model/constituent-id.ts';
import type { ReceiptLine } from '../../model/print.ts';
import { formatInstant } from '../../model/time.ts';
import { type Instant, toCents, toLevel } from '../../model/units.ts';
import { findIndexPrint, listIndexPrints } from '../../store/prints/index-prints.ts';
import { findRatePrint, listRatePrints } from '../../store/prints/rate-prints.ts';
import { type CloseRow, listCloses } from '../../store/prints/standings.ts';
import type { Reader } from '../../store/store.ts';
import type { Column, Table } from './table.ts';

const text = (name: string): Column => ({ name, type: 'text' });
const number = (name: string): Column => ({ name, type: 'number' });

const INDEX_HISTORY = [
  text('at'),
  number('level'),
  number('coverage'),
  number('revision'),
  text('methodology_version'),
];
const RATE_HISTORY = [
  text('at'),
  number('price'),
  number('spread'),
  number('revision'),
  text('methodology_version'),
];
const CONSTITUENTS = [
  text('day'),
  text('at'),
  text('market_id'),
  text('state'),
  number('weight'),
  number('quantity'),
  number('mark'),
  text('basis'),
  text('observed_at'),
  text('exclude_reason'),
];

/** Every print of an index or rate until an instant, oldest first; prices and spreads in cents. */
export function historyTable(reader: Reader, kind: SeriesKind, ticker: string, until: Instant): Table {
  if (kind === 'index')
    return {
      columns: INDEX_HISTORY,
      rows: listIndexPrints(reader, ticker, 0, until).map((print) => [
        formatInstant(print.at),
        toLevel(print.level),
        print.coverage,
        print.revision,
        print.methodology_version,
      ]),
    };
  return {
    columns: RATE_HISTORY,
    rows: listRatePrints(reader, ticker, 0, until).map((print) => [
      formatInstant(print.at),
      toCents(print.price),
      toCents(print.spread),
      print.revision,
      print.methodology_version,
    ]),
  };
}

/** What entered the print of each daily close: a row for each constituent or source; marks in cents, of indices in points. */
export function constituentsTable(reader: Reader, kind: SeriesKind, ticker: string, before: string): Table {
  const closes = listCloses(reader, kind, ticker, Number.MAX_SAFE_INTEGER, before);
  const find = kind === 'index' ? findIndexPrint : findRatePrint;
  function* rows() {
    for (const close of closes)
      for (const line of find(reader, ticker, close.at)?.lines ?? []) yield constituentRow(close, line);
  }
  return { columns: CONSTITUENTS, rows: rows() };
}

function constituentRow({ day, at }: CloseRow, line: ReceiptLine) {
  return [
    day,
    formatInstant(at),
    line.market_id,
    line.state,
    line.weight,
    line.quantity,
    line.price === undefined ? null : writtenMark(line.market_id, line.price),
    line.basis ?? null,
    line.observed_at === undefined ? null : formatInstant(line.observed_at),
    line.exclude_reason ?? null,
  ];
}
