import { afterAll, expect, it } from 'vitest';
import type { ReceiptLine } from '../../../src/model/print.ts';
import { encodeReceipt } from '../../../src/store/prints/receipt-codec.ts';
import { columnsOfLines, decodeReceipt, encodeMarketKeys } from '../../../src/store/prints/receipts.ts';
import { openStore } from '../../../src/store/store.ts';

const store = openStore(':memory:');
afterAll(() => store.close());

const AT = 1_000_000;
const PLAIN: ReceiptLine[] = [
  {
    market_id: 'venue_a:A',
    state: 'included',
    weight: 1,
    quantity: 1,
    price: 0.5,
    basis: 'mid',
    observed_at: 5,
  },
  { market_id: 'venue_a:B', state: 'unpriced', weight: 0.5, quantity: 0 },
];

function roundTrip(lines: ReceiptLine[], garble = (receipt: Buffer) => receipt): ReceiptLine[] {
  return store.write((writer) => {
    const receipt = garble(encodeReceipt(columnsOfLines(lines, AT)));
    const market_keys = encodeMarketKeys(writer, lines);
    return decodeReceipt(writer, { ticker: 'ONE', at: AT, market_keys, receipt });
  });
}

it('a receipt restores its lines, with volumes, outliers and sources that were only consulted', () => {
  const [first, second] = PLAIN as [ReceiptLine, ReceiptLine];
  const full: ReceiptLine[] = [
    { ...first, volume: 123_456.75 },
    second,
    { ...first, state: 'consulted', quantity: 0, weight: 0, outlier: true, volume: 0 },
  ];
  expect(roundTrip(full)).toEqual(full);
  const flagged: ReceiptLine[] = [{ ...first, outlier: true }, second];
  expect(roundTrip(flagged)).toEqual(flagged);
  expect(roundTrip(PLAIN)).toEqual(PLAIN);
});

it('a receipt that is not as it was stored is named', () => {
  expect(() => roundTrip(PLAIN, () => Buffer.of(0xff, 0, 0xff))).toThrow(
    expect.objectContaining({
      code: 'store_unusable',
      message: expect.stringMatching(/^the print of ONE at 1970-01-01T00:16:40Z cannot be read: .*damaged/),
    }),
  );
});
