import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXCLUDE_REASONS, MARK_BASES } from '../../../src/model/mark.ts';
import {
  CONSTITUENT_STATES,
  type IndexPrint,
  type RatePrint,
  type ReceiptLine,
} from '../../../src/model/print.ts';
import { formatInstant } from '../../../src/model/time.ts';
import { adoptDefinitions } from '../../../src/store/definitions/adopt-definitions.ts';
import { insertDivisorStep } from '../../../src/store/prints/divisor-steps.ts';
import { findIndexPrint, IndexRecord, listIndexPrints } from '../../../src/store/prints/index-prints.ts';
import {
  findPrintsDigest,
  listCloseValues,
  listFirstValues,
  listValues,
} from '../../../src/store/prints/known-prints.ts';
import { findRatePrint, listRatePrints, RateRecord } from '../../../src/store/prints/rate-prints.ts';
import { setClose } from '../../../src/store/prints/standings.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { FollowedReader } from '../../helpers/followed-reader.ts';
import { define } from '../../methodology/contracts.ts';

const MADE = { definition_key: 1, recorded_at: 7 };

function open(): Store {
  const store = openStore(':memory:');
  store.write((writer) =>
    adoptDefinitions(writer, { indices: [define(['A'])], rates: [] }, 0, { keepMissing: false }),
  );
  return store;
}

const double = fc.double({ min: 0, max: 1e6, noNaN: true }).map((each) => each + 0);
const line: fc.Arbitrary<ReceiptLine> = fc.record(
  {
    market_id: fc.integer({ min: 0, max: 50 }).map((each) => `venue_a:${each}`),
    state: fc.constantFrom(...CONSTITUENT_STATES),
    weight: double,
    quantity: double,
    price: double,
    basis: fc.constantFrom(...MARK_BASES),
    observed_at: fc.integer({ min: -1e12, max: 2e12 }),
    spread: double,
    exclude_reason: fc.constantFrom(...EXCLUDE_REASONS),
  },
  { requiredKeys: ['market_id', 'state', 'weight', 'quantity'] },
);

const printOf = (at: number, lines: ReceiptLine[]): IndexPrint => ({
  at,
  level: 1000 / 3,
  divisor: 1 / 7,
  cash: 0,
  coverage: 1,
  methodology_version: 'basket-1.2',
  lines,
});
const rateOf = (at: number, price: number): RatePrint => ({
  at,
  price,
  spread: 0,
  methodology_version: 'event_contract-1.0',
  lines: [
    {
      market_id: 'venue_a:A',
      state: 'included',
      weight: 1,
      quantity: 1,
      price,
      basis: 'mid',
      observed_at: at,
    },
  ],
});

describe('a print', () => {
  it('comes back with every number and absence of its inputs', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 0, max: 2e12 }), (lines, at) => {
        const store = open();
        store.write((writer) => new IndexRecord(writer, 'TEST').add(printOf(at, lines), MADE));
        const found = store.read((reader) => findIndexPrint(reader, 'TEST', at));
        expect(found).toEqual({ ...printOf(at, lines), ...MADE, revision: 0 });
      }),
      { numRuns: 60 },
    );
  });

  it('[C/20] is refused if it is not all numbers', () => {
    const store = open();
    const print = { ...printOf(0, []), level: Number.POSITIVE_INFINITY };
    const record = () => store.write((writer) => new IndexRecord(writer, 'TEST').add(print, MADE));
    expect(record).toThrow('the print of 1970-01-01T00:00:00Z has level Infinity, divisor 0.14');
  });

  it('of a rate comes back too, and its newest revision counts', () => {
    const store = open();
    store.write((writer) => {
      const record = new RateRecord(writer, 'ONE');
      record.add(rateOf(5, 0.005), MADE);
      record.restate({ value: 0.005, revision: 0 }, rateOf(5, 0.3), {
        ...MADE,
        reason: 'half_cent_replaced',
      });
    });
    expect(store.read((reader) => findRatePrint(reader, 'ONE', 5))).toEqual({
      ...rateOf(5, 0.3),
      ...MADE,
      revision: 1,
    });
    expect(store.read((reader) => listRatePrints(reader, 'ONE', 0, 9))).toHaveLength(1);
  });

  it('enters other series as first recorded: without its revisions, or anything not known yet', () => {
    const store = open();
    store.write((writer) => {
      const rate = new RateRecord(writer, 'ONE');
      const index = new IndexRecord(writer, 'TEST');
      for (const at of [10, 20, 30]) {
        rate.add(rateOf(at, at / 100), { ...MADE, recorded_at: at });
        index.add(printOf(at, []), { ...MADE, recorded_at: at });
      }
      const later = { ...MADE, recorded_at: 40, reason: 'late_settlement' } as const;
      rate.restate({ value: 0.2, revision: 0 }, rateOf(20, 0.9), later);
      index.restate({ value: 1000 / 3, revision: 0 }, { ...printOf(20, []), level: 9 }, later);
    });
    const first = (series: { kind: 'index' | 'rate'; ticker: string }, known?: number) =>
      store.read((reader) => listFirstValues(reader, series, 25, 30, known));
    const rate = { kind: 'rate', ticker: 'ONE' } as const;
    expect(first(rate)).toEqual([
      { at: 20, value: 0.2, recorded_at: 20 },
      { at: 30, value: 0.3, recorded_at: 30 },
    ]);
    expect(first(rate, 29)).toEqual([{ at: 20, value: 0.2, recorded_at: 20 }]);
    expect(first({ kind: 'index', ticker: 'TEST' })).toEqual([
      { at: 20, value: 1000 / 3, recorded_at: 20 },
      { at: 30, value: 1000 / 3, recorded_at: 30 },
    ]);
  });

  it('is found at or before an instant; a span includes both ends', () => {
    const store = open();
    store.write((writer) => {
      const record = new IndexRecord(writer, 'TEST');
      for (const at of [10, 20, 30]) record.add(printOf(at, []), MADE);
    });
    const found = (at: number) => store.read((reader) => findIndexPrint(reader, 'TEST', at)?.at);
    expect([9, 10, 19, 20, 99].map(found)).toEqual([undefined, 10, 10, 20, 30]);
    expect(store.read((reader) => listIndexPrints(reader, 'TEST', 10, 20)).map((print) => print.at)).toEqual([
      10, 20,
    ]);
  });

  it('can never be changed or removed, nor can its receipt, the ledger and restatements', () => {
    const store = open();
    store.write((writer) => {
      new IndexRecord(writer, 'TEST').add(
        printOf(5, [{ market_id: 'venue_a:A', state: 'included', weight: 1, quantity: 2, price: 0.5 }]),
        MADE,
      );
      const record = new RateRecord(writer, 'ONE');
      record.add(rateOf(5, 0.005), MADE);
      record.restate({ value: 0.005, revision: 0 }, rateOf(5, 0.3), {
        ...MADE,
        reason: 'half_cent_replaced',
      });
      const step = { level_before: 1, level_after: 1, divisor_before: 1, divisor_after: 1 };
      insertDivisorStep(writer, 'TEST', { at: 5, reason: 'base', market_ids: [], ...step });
    });
    for (const [table, column] of [
      ['index_prints', 'level'],
      ['index_receipts', 'receipt'],
      ['rate_prints', 'price'],
      ['holdings', 'quantities'],
      ['divisor_steps', 'level_after'],
      ['restatements', 'new_value'],
    ] as const) {
      const attempt = (sql: string) => () => store.write((writer) => writer.run(sql));
      expect(attempt(`UPDATE ${table} SET ${column} = ${column}`), table).toThrow(/never changed/);
      expect(attempt(`DELETE FROM ${table}`), table).toThrow(/never/);
    }
  });

  it('contains the hash of the previous one, over its row, its definition, its receipt and what it holds, without a key', () => {
    const store = open();
    const lines: ReceiptLine[] = [
      { market_id: 'venue_a:A', state: 'included', weight: 1, quantity: 2, price: 0.5 },
    ];
    store.write((writer) => new IndexRecord(writer, 'TEST').add(printOf(5, lines), MADE));
    // A record that is opened again continues where the last one ended.
    store.write((writer) => new IndexRecord(writer, 'TEST').add(printOf(6, lines), MADE));
    const rows = store.read((reader) =>
      reader.all<
        {
          previous_hash: Buffer | null;
          hash: Buffer;
          quantities: Buffer;
          receipt: Buffer;
        } & Record<string, unknown>
      >(
        `SELECT print.ticker, at, revision, level, divisor, cash, coverage, digest AS definition, adopted_at,
           methodology_version, recorded_at, previous_hash, hash, quantities, receipt
         FROM index_prints AS print JOIN definitions USING (definition_key) JOIN holdings USING (holding_id)
           JOIN index_receipts USING (print_id) ORDER BY print_id`,
      ),
    );
    let before: Buffer | null = null;
    for (const { previous_hash, hash, quantities, receipt, ...row } of rows) {
      expect(previous_hash).toEqual(before);
      const expected = createHash('sha256').update(before ?? '');
      const contents = createHash('sha256').update('["venue_a:A"]').update(quantities).digest();
      for (const part of [JSON.stringify(row), receipt, contents]) expected.update(part);
      expect(hash).toEqual(expected.digest());
      before = hash;
    }
    expect(rows).toHaveLength(2);
    expect(store.read((reader) => reader.value('SELECT count(*) FROM holdings'))).toBe(1);
  });
});

describe('a long history', () => {
  const DAYS = 20;
  const ONE = { kind: 'rate', ticker: 'ONE' } as const;
  const dayOf = (day: number) => `2026-01-${String(day).padStart(2, '0')}`;
  /** Ten prints a day, the last its close; the close of the fourth day was restated since. */
  function openLong(): Store {
    const store = open();
    store.write((writer) => {
      const record = new RateRecord(writer, 'ONE');
      for (let at = 0; at < DAYS * 10; at++) record.add(rateOf(at, at / 1000), MADE);
      for (let day = 0; day < DAYS; day++)
        setClose(writer, { kind: 'rate', ticker: 'ONE' }, { day: dayOf(day + 1), at: day * 10 + 9 });
      const reason = 'late_settlement';
      record.restate({ value: 0.039, revision: 0 }, rateOf(39, 0.9), { ...MADE, reason });
    });
    return store;
  }

  it('gives its last closes by their newest revisions, and reads nothing else', () => {
    openLong().read((reader) => {
      const followed = new FollowedReader(reader);
      expect(listCloseValues(followed, ONE, dayOf(6), 3)).toEqual([
        { day: dayOf(3), at: 29, value: 0.029 },
        { day: dayOf(4), at: 39, value: 0.9 },
        { day: dayOf(5), at: 49, value: 0.049 },
      ]);
      expect(followed.rows).toBe(3);
      expect(followed.plan.filter((step) => step.startsWith('SCAN'))).toEqual([]);
    });
  });

  it('gives its values by their newest revisions, from an index alone', () => {
    openLong().read((reader) => {
      const followed = new FollowedReader(reader);
      const prints = listRatePrints(reader, 'ONE', 5, 170);
      expect(listValues(followed, ONE, 5, 170)).toEqual(
        prints.map(({ at, revision, price }) => ({ at, revision, value: price })),
      );
      expect(listValues(followed, { kind: 'index', ticker: 'ONE' }, 5, 170)).toEqual([]);
      expect(followed.plan).toEqual(
        ['rate', 'index'].map(
          (kind) =>
            `SEARCH ${kind}_prints USING COVERING INDEX ${kind}_prints_values (ticker=? AND at>? AND at<?)`,
        ),
      );
    });
  });

  it('is identified up to an instant by the print recorded last, found from the end, and its last instant', () => {
    openLong().read((reader) => {
      const hashes = reader.column<Buffer>('SELECT hash FROM rate_prints ORDER BY print_id');
      const digest = (print: number, at: number) =>
        `${hashes.at(print)?.toString('hex')} ${formatInstant(at)}`;
      const followed = new FollowedReader(reader);
      const known = (until: number) => findPrintsDigest(followed, { kind: 'rate', ticker: 'ONE' }, until);
      // The print recorded last is of an earlier instant.
      expect([known(-1), known(7), known(39), known(199)]).toEqual([
        undefined,
        digest(7, 7),
        digest(-1, 39),
        digest(-1, 199),
      ]);
      expect(new Set(followed.plan)).toEqual(
        new Set([
          'SEARCH rate_prints USING INDEX rate_prints_in_order (ticker=?)',
          'SEARCH rate_prints USING COVERING INDEX sqlite_autoindex_rate_prints_1 (ticker=? AND at<?)',
        ]),
      );
    });
  });
});
