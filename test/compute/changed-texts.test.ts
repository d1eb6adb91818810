import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publicFilingsSince } from '../../src/model/filing.ts';
import { type RelationSort, TEXT_GROUPS, type TextGroup } from '../../src/model/relations.ts';
import { upsertEvents } from '../../src/store/catalog/catalog.ts';
import { listNearRecords } from '../../src/store/relations/neighbours.ts';
import { eachRelationRecord, textDigest } from '../../src/store/relations/relation-records.ts';
import { compareAllAgain } from '../../src/store/relations/relation-texts.ts';
import type { Store } from '../../src/store/store.ts';
import { openRelatedApp } from '../helpers/related-store.ts';
import { rounds } from '../helpers/rounds.ts';
import { NOW, relateAll } from '../helpers/small-store.ts';

/** Every column that a text or its group depends on, with different values. */
const COLUMNS = {
  markets: {
    family: ['venue_a', 'venue_b_us'],
    question: ['Will it snow in Oslo?', 'Bitcoin above $90k?'],
    yes_sub_title: ['Yes', 'Above', null],
    status: ['active', 'closed', 'settled'],
    listed_at: [1_750_000_000_000, null],
    opens_at: [1_760_000_000_000, null],
    closes_at: [1_800_000_000_000, null],
    event_id: ['venue_a:E1', 'venue_a:E2', 'venue_a:LATE', null],
  },
  events: { title: ['Bitcoin in 2026', 'Weather'] },
  filings: {
    status_day: ['2026-04-01', '2025-04-01', null],
    title: ['New product'],
    description: ['Fees', null],
    product_name: ['Rain', null],
    product_type: ['Binary option', null],
    products_affected: ['All', null],
    remarks: ['Amended', null],
  },
  news_articles: {
    title: ['Rain again', 'Bitcoin falls'],
    summary: ['It rains.', null],
    published_at: [1_740_000_000_000, null],
  },
} as const;

const change = fc.constantFrom(
  ...Object.entries(COLUMNS).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([column, values]) =>
      values.map((value: string | number | null) => ({ table, column, value })),
    ),
  ),
);

function put(store: Store, event_id: string, title: string, seenAt: number): void {
  const event = { event_id, family: 'venue_a' as const, native_id: event_id.slice(8), title };
  store.write((writer) => upsertEvents(writer, [event], seenAt));
}

/** What relations should have read: every record except settled markets. */
function expected(store: Store): string[] {
  return store.read((reader) =>
    [...eachRelationRecord(reader, 'all', publicFilingsSince(NOW))]
      .map(({ sort, record_id, group, text, at }) =>
        [sort, record_id, TEXT_GROUPS[group], textDigest(text).toString('hex'), at ?? '-'].join(' '),
      )
      .sort(),
  );
}

function known(store: Store): string[] {
  return store.read((reader) =>
    reader
      .all<{ row: string }>(
        `SELECT concat_ws(' ', sort, record_id, text_group, lower(hex(digest)), coalesce(at, '-')) AS row FROM relation_texts
         WHERE text_group <> ${TEXT_GROUPS.settled}`,
      )
      .map(({ row }) => row)
      .sort(),
  );
}

const changes = fc.array(fc.tuple(change, fc.nat(3), fc.integer({ min: 0, max: 5 })), { maxLength: 25 });

type Changes = typeof changes extends fc.Arbitrary<infer All> ? All : never;

/** A store after changes, some of them followed by a reading of the texts, as is the last. */
function storeAfter(changes: Changes): Store {
  const { store } = openRelatedApp();
  put(store, 'venue_a:E1', 'Bitcoin', 1);
  put(store, 'venue_a:E2', 'Rain', 1);
  store.write((writer) =>
    writer.run("UPDATE markets SET event_id = iif(market_key % 2, 'venue_a:E1', 'venue_a:LATE')"),
  );
  relateAll(store);
  for (const [i, [{ table, column, value }, place, relateWhen0]] of changes.entries()) {
    store.write((writer) =>
      writer.run(
        `UPDATE ${table} SET ${column} = ? WHERE rowid = (SELECT rowid FROM ${table} LIMIT 1 OFFSET ?)`,
        value,
        place,
      ),
    );
    if (i === 5) put(store, 'venue_a:LATE', 'Came later', 2);
    if (relateWhen0 === 0) relateAll(store);
  }
  relateAll(store);
  return store;
}

const TARGETS = (Object.keys(TEXT_GROUPS) as TextGroup[]).filter((group) => group !== 'settled');

/** What each text that is compared is near to, by group; which of those that are equally near comes first is open. */
function nearOf(store: Store): string[] {
  return store.read((reader) =>
    reader
      .all<{ sort: RelationSort; record_id: string }>(
        `SELECT sort, record_id FROM relation_texts WHERE text_group <> ${TEXT_GROUPS.settled}
         ORDER BY sort, record_id`,
      )
      .flatMap((of) =>
        TARGETS.map((group) => {
          const near = listNearRecords(reader, of, group, 10);
          const rows = near.map((each) => `${each.similarity.toFixed(5)} ${each.record_id}`);
          return `${of.sort} ${of.record_id} ${group}: ${rows.sort().join(', ')}`;
        }),
      ),
  );
}
describe('[C/3] texts of relations', () => {
  it('equal those found by looking at every record, whatever changed', () => {
    fc.assert(
      fc.property(changes, (changes) => {
        const store = storeAfter(changes);
        expect(known(store)).toEqual(expected(store));
        store.close();
      }),
      { numRuns: rounds(10) },
    );
  });

  it('are near the same others as if all were compared again, whatever changed', () => {
    fc.assert(
      fc.property(changes, (changes) => {
        const store = storeAfter(changes);
        const before = nearOf(store);
        store.write(compareAllAgain);
        relateAll(store);
        expect(before).toEqual(nearOf(store));
        store.close();
      }),
      { numRuns: rounds(10) },
    );
  });

  it('are cut at a fixed number of characters, whatever a venue writes', () => {
    const { store } = openRelatedApp();
    const long = 'word '.repeat(4000);
    store.write((writer) => {
      for (const [table, { text }] of Object.entries({
        markets: { text: ['question', 'yes_sub_title'] },
        events: { text: ['title'] },
        filings: { text: ['title', 'remarks'] },
        news_articles: { text: ['summary'] },
      }))
        for (const column of text) writer.run(`UPDATE ${table} SET ${column} = ?`, long);
    });
    const lengths = store.read((reader) =>
      [...eachRelationRecord(reader)].flatMap(({ text: { text, outcome = '', context = '' } }) => [
        text.length,
        outcome.length,
        context.length,
      ]),
    );
    expect(Math.max(...lengths)).toBe(600);
    store.close();
  });

  it('are not read again for records that did not change', () => {
    const { store } = openRelatedApp();
    const waiting = () => store.read((reader) => reader.all('SELECT * FROM changed_texts'));
    expect(waiting()).toEqual([]);
    store.write((writer) =>
      writer.run('UPDATE markets SET last_seen_at = 5, volume = 7, question = question'),
    );
    store.write((writer) => writer.run('UPDATE filings SET last_seen_at = 5'));
    store.write((writer) => writer.run('UPDATE news_articles SET last_seen_at = 5'));
    expect(waiting()).toEqual([]);
    store.close();
  });
});

it('only the beginning of a very long text is compared: each word costs time in each comparison', () => {
  const { store } = openRelatedApp();
  const long = 'and so it went on, '.repeat(2000);
  store.write((writer) => {
    writer.run('UPDATE markets SET question = ?', long);
    writer.run('UPDATE filings SET title = ?, remarks = ?', long, long);
    writer.run('UPDATE news_articles SET summary = ?', long);
  });
  const records = store.read((reader) => [...eachRelationRecord(reader)]);
  expect(new Set(records.map(({ sort }) => sort))).toEqual(new Set(['market', 'rate', 'filing', 'news']));
  for (const { text, context = '' } of records.map((each) => each.text)) {
    expect(text.length).toBeLessThanOrEqual(600);
    expect(context.length).toBeLessThanOrEqual(600);
  }
  store.close();
});
