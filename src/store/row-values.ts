import { hash } from 'node:crypto';
import type { Value } from './store.ts';

/** A record as a row: optional fields that the venue left out are null. */
export type RowOf<Item, Column extends keyof Item> = {
  [C in Column]-?: undefined extends Item[C] ? NonNullable<Item[C]> | null : Item[C];
};

/** The values of a record's columns, null where the record has none, and a digest that tells one state from another. */
export function bind<Item extends object>(columns: readonly (keyof Item & string)[], item: Item) {
  const values = valuesOf(columns, item);
  const row = Object.fromEntries(columns.map((column, i) => [column, values[i] as Value]));
  return { row, digest: digestBytes(digestOf(values)) };
}

/** The values of a record's columns in their order, null where the record has none. */
export function valuesOf<Item extends object>(
  columns: readonly (keyof Item & string)[],
  item: Item,
): Value[] {
  return columns.map((column) => (item[column] as Value | undefined) ?? null);
}

/** What tells one state of a record from another, in hexadecimal digits. */
export function digestOf(values: readonly Value[]): string {
  return hash('sha1', JSON.stringify(values), 'hex');
}

/** A digest as it is stored. */
export function digestBytes(digest: string): Buffer {
  return Buffer.from(digest, 'hex');
}
