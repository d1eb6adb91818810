import type { Reader, Value } from '../../src/store/store.ts';

type Values = Value[] | [Record<string, Value>];

/** A reader that counts rows and records the query plan of each statement. */
export class FollowedReader implements Reader {
  readonly #reader: Reader;
  readonly plan: string[] = [];
  rows = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  all<Row>(sql: string, ...values: Values): Row[] {
    const steps = this.#reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    this.plan.push(...steps.map((step) => step.detail));
    const rows = this.#reader.all<Row>(sql, ...values);
    this.rows += rows.length;
    return rows;
  }

  get<Row>(sql: string, ...values: Values): Row | undefined {
    return this.all<Row>(sql, ...values)[0];
  }

  iterate<Row>(sql: string, ...values: Values): IterableIterator<Row> {
    return this.all<Row>(sql, ...values).values();
  }

  value<T extends Value>(sql: string, ...values: Values): T | undefined {
    return this.column<T | null>(sql, ...values)[0] ?? undefined;
  }

  column<T extends Value>(sql: string, ...values: Values): T[] {
    return this.all<Record<string, T>>(sql, ...values).map((row) => Object.values(row)[0] as T);
  }

  once<T>(_name: string, work: () => T): T {
    return work();
  }

  untilWritten<T>(_name: string, work: () => T): T {
    return work();
  }

  reading<T>(_kind: unknown, _id: unknown, work: () => T): T {
    return work();
  }
}
