import { hash } from 'node:crypto';
import type { Value } from './store.ts';

/** A record as a row: optional fields that the venue left out are null. */
export type RowOf<Item, Column extends keyof Item> = {
  [C in Column]-?: undefined extends Item[C] ? NonNullable<Item[C]> | null : Item[C];
};

/** The row of a record, with null for absent fields, and a digest by which changes are found. */
export function bind<Item extends object>(columns: readonly (keyof Item & string)[], item: Item) {
  const values = valuesOf(columns, item);
  const row = Object.fromEntries(columns.map((column, i) => [column, values[i] as Value]));
  return { row, digest: digestBytes(digestOf(values)) };
}

/** The values of a record in the order of the columns, with null for absent fields. */
export function valuesOf<Item extends object>(
  columns: readonly (keyof Item & string)[],
  item: Item,
): Value[] {
  return columns.map((column) => (item[column] as Value | undefined) ?? null);
}

/** Digest of a record's values in hexadecimal, by which changes are found. */
export function digestOf(values: readonly Value[]): string {
  return hash('sha1', JSON.stringify(values), 'hex');
}

/** A hexadecimal digest as the bytes that are stored. */
export function digestBytes(digest: string): Buffer {
  return Buffer.from(digest, 'hex');
}
