import type { SeriesKind } from '../../model/constituent-id.ts';
import type { Instant } from '../../model/units.ts';
import { insertRestatement, type RestatementReason } from '../restatements.ts';
import type { Value, Writer } from '../store.ts';
import { PRINTS } from './known-prints.ts';
import { type HashedDefinition, type Link, PrintChain } from './print-chain.ts';

/** The definition that made a print, and when it was recorded. */
export interface Made {
  definition_key: number;
  recorded_at: Instant;
}

/** The revision of a print that a newer one replaces. */
export interface Superseded {
  revision: number;
  /** Its level or price. */
  value: number;
}

/** Appends prints to the record of one index or rate. Recorded prints are never changed. */
export abstract class PrintRecord<Print extends { at: Instant }> {
  protected readonly writer: Writer;
  protected readonly ticker: string;
  readonly #chain: PrintChain;
  readonly #kind: SeriesKind;
  #definition: (HashedDefinition & { key: number }) | undefined;

  constructor(writer: Writer, kind: SeriesKind, ticker: string) {
    this.writer = writer;
    this.ticker = ticker;
    this.#chain = new PrintChain(writer, PRINTS[kind].table, ticker);
    this.#kind = kind;
  }

  abstract add(print: Print, made: Made, revision?: number): void;

  /** Appends a print to the chain: the columns that say what it is, in order, what made it, and what it is made of. */
  protected link(
    said: Record<string, Value>,
    methodology_version: string,
    made: Made,
    ...blobs: Buffer[]
  ): Link {
    const { definition, adopted_at } = this.#hashedDefinition(made.definition_key);
    const row = { ...said, definition, adopted_at, methodology_version, recorded_at: made.recorded_at };
    return this.#chain.add(row, ...blobs);
  }

  /** A definition as the hashes of prints name it; cached, because prints seldom change their definition. */
  #hashedDefinition(key: number): HashedDefinition {
    if (this.#definition?.key !== key) {
      const sql = 'SELECT digest AS definition, adopted_at FROM definitions WHERE definition_key = ?';
      const found = this.writer.get<HashedDefinition>(sql, key);
      if (!found) throw new Error(`no definition has the key ${key}`);
      this.#definition = { key, ...found };
    }
    return this.#definition;
  }

  /** The level or price of a print. */
  abstract valueOf(print: Print): number;

  /** Adds a newer revision of a print, with the reason. The earlier one is kept. */
  restate(earlier: Superseded, print: Print, made: Made & { reason: RestatementReason }): void {
    const { reason, recorded_at } = made;
    const revision = earlier.revision + 1;
    this.add(print, made, revision);
    const values = { old_value: earlier.value, new_value: this.valueOf(print) };
    const restated = { at: print.at, revision, ...values, reason, recorded_at };
    insertRestatement(this.writer, { kind: this.#kind, ticker: this.ticker }, restated);
  }
}
