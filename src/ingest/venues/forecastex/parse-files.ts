import { type CsvFile, parseCsv } from '../../wire/csv.ts';
import { leaveOut, type ReadPage, readRow, reject } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

/** A day's prices: the Yes row of each contract. */
export interface PriceFile extends ReadPage {
  rows: wire.PriceRow[];
  /** Every contract that the file names, including those with unreadable rows. */
  contracts: Set<string>;
  /** The days that its rows say they are of, YYYY-MM-DD; empty if none does. */
  days: Set<string>;
  /** Whether the file ends within a row. */
  cut: boolean;
  /** Whether its last line ends with a line break. */
  ended: boolean;
}

const LINE_END = 0x0a;

/**
 * Parses a file of daily prices. A contract has a Yes and a No row for the same pairs; only the Yes row is used.
 *
 * @throws ForemarkError invalid_payload
 */
export async function parsePriceFile(body: Buffer): Promise<PriceFile> {
  const file = await parseCsv(body);
  const prices: PriceFile = {
    ...pageOf(file, 'event_contract'),
    rows: [],
    contracts: new Set(),
    days: new Set(),
    cut: file.cut,
    ended: body.at(-1) === LINE_END,
  };
  for (const { cells } of [...file.rows, ...file.unreadable])
    if (cells.event_contract) prices.contracts.add(cells.event_contract);
  for (const { position, cells } of file.rows) {
    const day = wire.dayIn(cells.date ?? '');
    if (day !== undefined) prices.days.add(day);
    const row = readRow(prices, wire.priceRow, cells, { position, idField: 'event_contract' });
    if (row?.subtype === 'YES') prices.rows.push(row);
  }
  return prices;
}

/** Parses a file of products, by id. @throws ForemarkError invalid_payload */
export async function parseProductFile(
  body: Buffer,
): Promise<ReadPage & { products: Map<string, wire.ProductRow> }> {
  const file = await parseCsv(body);
  const page = { ...pageOf(file, 'product_id'), products: new Map<string, wire.ProductRow>() };
  for (const { position, cells } of file.rows) {
    const row = readRow(page, wire.productRow, cells, { position, idField: 'product_id' });
    if (row) page.products.set(row.product_id, row);
  }
  return page;
}

function pageOf({ rows, unreadable }: CsvFile, idField: string): ReadPage {
  const page: ReadPage = { read: rows.length + unreadable.length, rejections: [] };
  for (const { position, cells, reason } of unreadable)
    leaveOut(page, reject(cells, { position, idField }, '', reason));
  return page;
}
