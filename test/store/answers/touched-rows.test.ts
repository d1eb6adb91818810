import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/model/time.ts';
import { routes } from '../../../src/routes/routes.ts';
import { beginEpoch, findTouchedRows } from '../../../src/store/answers/answered.ts';
import { rowChecksum, TrackedReader } from '../../../src/store/answers/tracked-reader.ts';
import { upsertEvents } from '../../../src/store/catalog/catalog.ts';
import { setMarketMark } from '../../../src/store/catalog/market-marks.ts';
import { marketKey } from '../../../src/store/catalog/market-names.ts';
import { upsertSeries } from '../../../src/store/catalog/series.ts';
import { setSeriesFilings } from '../../../src/store/filings/series-filings.ts';
import type { ClockedKind, Reader, RowKind, Store, Value, Writer } from '../../../src/store/store.ts';
import { ofEachTest } from '../../helpers/of-each-test.ts';
import { MARKETS, openRelatedApp } from '../../helpers/related-store.ts';
import { NOW, SITES } from '../../helpers/small-store.ts';

const ID = MARKETS[0]?.market_id as string;

const app = ofEachTest(openRelatedApp);
let store: Store;
beforeEach(() => {
  store = app.store;
  store.write((writer) => {
    const key = marketKey(writer, ID);
    setMarketMark(writer, key, { price: 0.5, basis: 'mid', observed_at: NOW, spread: 0.1 });
    const event_id = 'venue_a:E';
    writer.run('UPDATE markets SET event_id = ? WHERE market_id = ?', event_id, ID);
    const of = { family: 'venue_a', title: 'One' } as const;
    upsertEvents(writer, [{ ...of, event_id, native_id: 'E', series: 'S' }], NOW);
    upsertSeries(writer, { ...of, series_id: 's', native_id: 'S', tags: [], settlement_sources: [] }, NOW);
    setSeriesFilings(writer, [{ series_id: 's', filing_id: 201 }], '');
  });
});

/** Tables that watched documents are answered from, by the kind under which they are read. */
const TABLES: Readonly<Record<Exclude<RowKind, ClockedKind>, readonly string[]>> = {
  market: ['markets', 'market_marks'],
  near: ['markets', 'market_marks'],
  status: ['markets'],
  lists: ['relation_texts', 'neighbours'],
  text: ['relation_texts', 'markets'],
  article: ['news_articles'],
  filing: ['filings'],
  terms: ['series_filings', 'markets', 'events', 'series'],
};

/** Columns that no watched document shows: keys, when something was seen, and what comparing texts needs. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  markets: ['market_key', 'first_seen_at', 'last_seen_at', 'digest'],
  market_marks: ['market_key', 'spread'],
  relation_texts: ['digest', 'term_ids', 'weights', 'compared', 'embedded', 'at'],
  neighbours: [],
  filings: ['revision', 'record_revision', 'record_read_at', 'digest'],
  series_filings: [],
  events: [
    'event_key',
    'native_id',
    'title',
    'slug',
    'category',
    'description',
    'listed_at',
    'closes_at',
    'volume',
    'open_interest',
    'first_seen_at',
    'last_seen_at',
    'digest',
  ],
  series: [
    'title',
    'category',
    'tags',
    'settlement_sources',
    'contract_url',
    'contract_terms_url',
    'first_seen_at',
    'last_seen_at',
  ],
  news_articles: ['news_key', 'revision', 'first_seen_at', 'last_seen_at', 'digest'],
};

/** A different value of a column. */
function otherThan(column: string, value: Value): Value {
  if (typeof value === 'number') return value === 0.5 ? 0.25 : value + DAY_MS;
  if (value instanceof Uint8Array) return Buffer.concat([value, value]);
  if (
    column === 'at' ||
    column.endsWith('_at') ||
    ['volume', 'open_interest', 'payout', 'document_count'].includes(column)
  )
    return 1;
  return column === 'sort' ? 'rate' : `${value ?? ''} x`;
}

/** The rows that a change touches; the change is rolled back. */
function touchedBy(change: (writer: Writer) => void): Set<number> {
  let touched = new Set<number>();
  const undone = new Error('undone');
  try {
    store.write((writer) => {
      writer.run('PRAGMA defer_foreign_keys = ON');
      const epoch = beginEpoch(writer);
      change(writer);
      touched = findTouchedRows(writer, epoch);
      throw undone;
    });
  } catch (thrown) {
    if (thrown !== undone) throw thrown;
  }
  return touched;
}

describe('touched rows', () => {
  it('are noted whichever shown column changes, whatever writes it', () => {
    const silent: string[] = [];
    for (const [table, passed] of Object.entries(NOT_SHOWN)) {
      const row = store.read((reader) => reader.get<Record<string, Value>>(`SELECT * FROM ${table} LIMIT 1`));
      const key = Object.entries(row ?? {}).slice(0, table === 'neighbours' ? 2 : 1);
      const where = key.map(([column]) => `${column} = ?`).join(' AND ');
      const ids = key.map(([, value]) => value);
      for (const [name, value] of Object.entries(row ?? {})) {
        if (passed.includes(name)) continue;
        const sql = `UPDATE ${table} SET ${name} = ? WHERE ${where}`;
        if (touchedBy((writer) => writer.run(sql, otherThan(name, value), ...ids)).size === 0)
          silent.push(`${table}.${name}`);
      }
      expect(row, table).toBeDefined();
    }
    expect(silent).toEqual([]);
  });

  it('are noted when a row comes or goes', () => {
    const [own] = store.read((reader) =>
      reader.all<{ text_key: number; market_key: number }>(
        'SELECT text_key, market_key FROM relation_texts JOIN markets ON record_id = market_id WHERE market_id = ?',
        ID,
      ),
    );
    const anyTerms = rowChecksum('terms', '');
    const market = [rowChecksum('market', ID), rowChecksum('near', ID)];
    const text = rowChecksum('text', own?.text_key as number);
    const lists = rowChecksum('lists', `market ${ID}`);
    const cases: [table: string, column: string, key: Value, touched: number[]][] = [
      ['markets', 'market_id', ID, [...market, rowChecksum('status', ID), text]],
      ['market_marks', 'market_key', own?.market_key as number, market],
      ['relation_texts', 'text_key', own?.text_key as number, [text, lists]],
      ['neighbours', 'text_key', own?.text_key as number, [lists]],
      ['news_articles', 'news_id', 'n1', [rowChecksum('article', 'n1')]],
      ['filings', 'filing_id', 201, [rowChecksum('filing', 201)]],
      ['series_filings', 'series_id', 's', [anyTerms]],
      ['series', 'series_id', 's', [anyTerms]],
      ['events', 'event_id', 'venue_a:E', [rowChecksum('terms', ID)]],
    ];
    for (const [table, column, key, touched] of cases) {
      const remove = (writer: Writer) => writer.run(`DELETE FROM ${table} WHERE ${column} = ?`, key);
      expect(touchedBy(remove), `${table} less`).toEqual(new Set(touched));
      const add = (writer: Writer) => {
        writer.run(`CREATE TEMP TABLE kept AS SELECT * FROM ${table} WHERE ${column} = ?`, key);
        remove(writer);
        writer.run('DELETE FROM touched_rows');
        writer.run(`INSERT INTO ${table} SELECT * FROM kept`);
      };
      expect(touchedBy(add), `${table} more`).toEqual(new Set(touched));
    }
  });

  it('are noted when a market moves to another event: its contracts then have other terms', () => {
    const move = (writer: Writer) =>
      writer.run('UPDATE markets SET event_id = ? WHERE market_id = ?', 'venue_a:F', ID);
    expect(touchedBy(move)).toContain(rowChecksum('terms', ID));
  });

  it('are noted when a filing was last seen on another day in New York, summer and winter', () => {
    const seen = (text: string) => (writer: Writer) =>
      writer.run('UPDATE filings SET last_seen_at = ? WHERE filing_id = 201', Date.parse(text));
    const told = (before: string, after: string) => {
      store.write(seen(before));
      return touchedBy(seen(after)).size > 0;
    };
    expect(told('2026-01-15T05:00:00Z', '2026-01-16T03:59:59Z')).toBe(false);
    expect(told('2026-01-16T04:59:59Z', '2026-01-16T05:00:00Z')).toBe(true);
    expect(told('2026-07-15T05:00:00Z', '2026-07-16T03:59:59Z')).toBe(false);
    expect(told('2026-07-16T03:59:59Z', '2026-07-16T04:00:00Z')).toBe(true);
  });

  it('are noted only once something was published', () => {
    const count = () => store.read((reader) => findTouchedRows(reader, 0).size);
    expect(count()).toBe(0);
    store.write(beginEpoch);
    store.write((writer) => writer.run('DELETE FROM market_marks'));
    expect(count()).toBe(2);
  });
});

describe('a watched document', () => {
  const watched = routes.filter((route) => route.isWatched);

  it('is answered only from tables whose changes are noted, under the kind that notes them', () => {
    const read = new Map<string, Set<string>>();
    store.read((reader) => {
      let kind: RowKind | undefined;
      const noted = (sql: string) => {
        const tables = [...sql.matchAll(/(?:FROM|JOIN) (\w+)/g)].map((each) => each[1] as string);
        read.set(kind ?? '', new Set([...(read.get(kind ?? '') ?? []), ...tables]));
        return reader;
      };
      const spying: Reader = {
        all: (sql, ...values) => noted(sql).all(sql, ...values),
        get: (sql, ...values) => noted(sql).get(sql, ...values),
        iterate: (sql, ...values) => noted(sql).iterate(sql, ...values),
        value: (sql, ...values) => noted(sql).value(sql, ...values),
        column: (sql, ...values) => noted(sql).column(sql, ...values),
        once: (_name, work) => work(),
        untilWritten: (_name, work) => work(),
        reading(now, _id, work) {
          kind = now;
          try {
            return work();
          } finally {
            kind = undefined;
          }
        },
      };
      for (const { market_id: id } of MARKETS)
        for (const route of watched)
          route.answer({
            reader: spying,
            now: NOW,
            tier: 'public',
            id,
            query: route.query.parse({}),
            sites: SITES,
          });
    });
    for (const kind of ['day', 'membership', 'clock']) read.delete(kind);
    expect(Object.fromEntries([...read].map(([kind, tables]) => [kind, [...tables].sort()]))).toEqual(
      Object.fromEntries(Object.entries(TABLES).map(([kind, tables]) => [kind, [...tables].sort()])),
    );
    expect(new Set(Object.values(TABLES).flat())).toEqual(new Set(Object.keys(NOT_SHOWN)));
  });

  it('reads nothing else: a query outside of a kind is refused', () => {
    store.read((reader) => {
      const tracked = new TrackedReader(reader);
      expect(() => tracked.get('SELECT 1')).toThrow('not tracked');
      expect(() => tracked.all('SELECT 1')).toThrow('not tracked');
      expect(() => tracked.iterate('SELECT 1')).toThrow('not tracked');
      expect(() => tracked.once('one', () => 1)).toThrow('not tracked');
      expect(() => tracked.untilWritten('one', () => 1)).toThrow('not tracked');
      expect(tracked.reading('status', ID, () => tracked.get('SELECT 1 AS one'))).toEqual({ one: 1 });
      expect([...tracked.takeRows()]).toEqual([rowChecksum('status', ID)]);
      expect([...tracked.takeRows()]).toEqual([]);
    });
  });
});
