import type { Instant } from '../../model/units.ts';
import { listValues } from '../../store/prints/known-prints.ts';
import type { PrintRecord, Superseded } from '../../store/prints/print-record.ts';
import type { Recalculation } from '../../store/restatements.ts';
import type { Reader, Writer } from '../../store/store.ts';
import { type ComparedPrint, differingField } from './differing-field.ts';

export interface RestatedCount {
  /** Prints that have a new revision. */
  restated: number;
  /** Prints at instants that had none. */
  added: number;
}

/** How the prints of a kind are found and recorded. */
interface PrintsOfKind<Print extends ComparedPrint> {
  /** The last one at or before an instant. */
  find(reader: Reader, ticker: string, at: Instant): Print | undefined;
  record: Pick<PrintRecord<Print>, 'restate' | 'valueOf'>;
}

/** Compares the results of a recalculation with the prints in force in its span, and records the differences. */
export class RevisedSpan<Print extends ComparedPrint> {
  /** The print in force before the span. */
  readonly before: Print | undefined;
  /** Instants that had a print before. */
  readonly printed: ReadonlySet<Instant>;
  /** Instants that have one now, ascending. */
  readonly ats: Instant[] = [];
  readonly count: RestatedCount = { restated: 0, added: 0 };
  readonly #writer: Writer;
  readonly #recalculation: Recalculation;
  readonly #prints: PrintsOfKind<Print>;
  readonly #stood: ReadonlyMap<Instant, Superseded>;
  readonly #valueInForce: (at: Instant) => number | undefined;

  constructor(writer: Writer, recalculation: Recalculation, prints: PrintsOfKind<Print>) {
    const { kind, ticker, from_at, until_at } = recalculation;
    const rows = listValues(writer, { kind, ticker }, from_at, until_at);
    this.#writer = writer;
    this.#recalculation = recalculation;
    this.#prints = prints;
    this.#stood = new Map(rows.map((row) => [row.at, row]));
    this.#valueInForce = valueBefore(rows);
    this.before = prints.find(writer, ticker, from_at - 1);
    this.printed = new Set(this.#stood.keys());
  }

  /** Takes the print of an instant, in order, and records it if it differs. */
  keep(print: Print, definition_key: number): void {
    const { ticker, recorded_at, reason } = this.#recalculation;
    const { find, record } = this.#prints;
    const { at } = print;
    this.ats.push(at);
    const earlier = this.#stood.get(at);
    const stood = earlier && find(this.#writer, ticker, at);
    if (stood && !differingField(stood, print)) return;
    // An instant without a print had the value of the print before it.
    const value = this.#valueInForce(at) ?? record.valueOf(this.before ?? print);
    record.restate(earlier ?? { value, revision: 0 }, print, { definition_key, recorded_at, reason });
    this.count[earlier ? 'restated' : 'added']++;
  }
}

/** Finds the last value before an instant among ascending rows. Instants must be asked for in ascending order. */
function valueBefore(rows: readonly { at: Instant; value: number }[]): (at: Instant) => number | undefined {
  let next = 0;
  let value: number | undefined;
  return (at) => {
    for (let row = rows[next]; row && row.at < at; row = rows[++next]) value = row.value;
    return value;
  };
}
