import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { standingDeletions } from '../../src/methodology/deletion-notices.ts';
import type { ReceiptLine } from '../../src/model/print.ts';
import { findMarket, upsertMarket } from '../../src/store/catalog/catalog.ts';
import { followAnnouncements, listAnnouncements } from '../../src/store/definitions/announcements.ts';
import { selectDocumentsDue, selectDocumentsToCheck } from '../../src/store/filings/document-bytes.ts';
import { listDocuments } from '../../src/store/filings/filing-documents.ts';
import { listFilings } from '../../src/store/filings/filing-lists.ts';
import { upsertFiling } from '../../src/store/filings/filings.ts';
import { findBrokenLink } from '../../src/store/prints/broken-link.ts';
import { insertCalculation } from '../../src/store/prints/calculations.ts';
import { findIndexPrint, IndexRecord } from '../../src/store/prints/index-prints.ts';
import { linkHash } from '../../src/store/prints/print-chain.ts';
import { encodeReceipt } from '../../src/store/prints/receipt-codec.ts';
import { columnsOfLines } from '../../src/store/prints/receipts.ts';
import { findBrokenRecords } from '../../src/store/record-links.ts';
import { listRuns } from '../../src/store/runs.ts';
import { openStore } from '../../src/store/store.ts';
import { market } from '../helpers/small-store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const FOLDER = join(import.meta.dirname, '../../src/store/migrations');

/** A store as it was with a schema of before, to be filled and closed. */
function oldStore(schema: number): Database.Database {
  const old = new Database(join(temporaryFolder(), 'foremark.db'));
  for (const name of readdirSync(FOLDER).sort().slice(0, schema))
    old.exec(readFileSync(join(FOLDER, name), 'utf8'));
  old.pragma(`user_version = ${schema}`);
  return old;
}

describe('migrations', () => {
  it('bring a store of the first schema to the newest one with its rows', () => {
    const old = oldStore(1);
    old.exec("INSERT INTO feeds VALUES ('venue_a/events', 1, 1, 'good', NULL, 5, 0)");
    old.exec(
      `INSERT INTO runs VALUES (1, 'run', 1, 1, 2, 'complete', '{"kept":1}'), (2, 'run', 1, 3, NULL, NULL, NULL)`,
    );
    old.close();
    const store = openStore(old.name);
    store.write((writer) => {
      upsertMarket(writer, market({ market_id: 'venue_a:KX-1' }), 1);
      const filing = { filing_id: 1, feed: 'dco', org: 'A', title: 'A', status: 'Registered' } as const;
      upsertFiling(writer, { ...filing, source_url: 'https://registry.example/1' }, 1, true);
    });
    store.close();
    const again = openStore(old.name, { readonly: true });
    again.read((reader) => {
      expect(findMarket(reader, 'venue_a:KX-1')?.market_id).toBe('venue_a:KX-1');
      expect(reader.get('SELECT rows_read FROM feeds')).toEqual({ rows_read: 5 });
      expect(listRuns(reader, 5).map((each) => [each.outcome, each.summary])).toEqual([
        [null, null],
        ['complete', '{"kept":1}'],
      ]);
    });
    again.close();
  });

  it('have marks that are last trades made again, since an older store does not say which lie beyond the quote', () => {
    const old = oldStore(37);
    old.exec(
      `INSERT INTO market_names VALUES (1, 'venue_a:KX-1'), (2, 'venue_a:KX-2');
       INSERT INTO market_marks VALUES (1, 0.12, 'last', 1, NULL), (2, 0.5, 'mid', 1, 0.02);
       DELETE FROM unmarked_markets`,
    );
    old.close();
    const store = openStore(old.name);
    const waiting = store.read((reader) => reader.column('SELECT market_key FROM unmarked_markets'));
    expect(waiting).toEqual([1]);
    store.close();
  });

  it('give notices of an older store what they announce or call off, which was read in their texts', () => {
    const old = oldStore(33);
    const insert = old.prepare(
      "INSERT INTO announcements VALUES (NULL, ?, 'PAIR', ?, ?, 1, 9, '[]', '[]', NULL)",
    );
    const done = (id: string) => `Who takes what takes venue_a:${id} out at 4.5 cents a contract.`;
    insert.run('corporate_action', 'Deletion from PAIR', done('A'));
    insert.run('corporate_action', 'Deletion from PAIR', done('B'));
    insert.run('corporate_action', 'Deletion from PAIR called off', `This is not done then: ${done('A')}`);
    insert.run('corporate_action', 'A split', done('C'));
    insert.run('rebalance', 'Rebalance of PAIR', 'Resets.');
    insert.run('rebalance', 'Change of PAIR called off', 'Stays.');
    old.close();
    const store = openStore(old.name);
    const notices = store.read((reader) => listAnnouncements(reader, { until: 9 })).reverse();
    expect(notices.map(({ deed, calls_off }) => [deed, calls_off])).toEqual([
      ['venue_a:A 4.5', undefined],
      ['venue_a:B 4.5', undefined],
      ['venue_a:A 4.5', true],
      [undefined, undefined],
      [undefined, undefined],
      [undefined, true],
    ]);
    expect([...standingDeletions(notices).keys()]).toEqual(['9 venue_a:B 4.5']);
    const change = () => store.write((writer) => writer.run("UPDATE announcements SET deed = ''"));
    expect(change).toThrow('announcements are never changed');
    store.close();
  });

  it('keep the filings of an older store: attachments are asked for again, and texts found by folded words', () => {
    const old = oldStore(36);
    old.exec(`INSERT INTO filings (filing_id, feed, org, title, status, source_url, revision, first_seen_at,
        last_seen_at, record_revision, digest) VALUES (7, 'dco', 'ＦＥＤ', 'A', 'Registered', 'u', 2, 1, 5, 2, x'00');
      INSERT INTO filing_documents VALUES (3, 7, 1, 'u/b', 'B', 1, 5, NULL, NULL, 4), (9, 7, 0, 'u/a', 'A', 1, 5, x'aa', 2, 0)`);
    old.close();
    const store = openStore(old.name);
    store.read((reader) => {
      expect(listDocuments(reader, 7)).toEqual([
        { document_key: 9, filing_id: 7, url: 'u/a', title: 'A', digest: Buffer.of(0xaa), replaced_at: null },
        { document_key: 3, filing_id: 7, url: 'u/b', title: 'B', digest: null, replaced_at: null },
      ]);
      expect(selectDocumentsDue(reader, ['dco'], 9)).toEqual([{ url: 'u/b' }]);
      const asked = { feeds: ['dco'] as const, sinceDay: '', askedUntil: 1, limit: 9 };
      expect(selectDocumentsToCheck(reader, asked)).toEqual([{ url: 'u/a' }]);
      const found = listFilings(reader, { search: 'fed' }, undefined, { limit: 9, offset: 0 });
      expect(found.map((each) => each.filing_id)).toEqual([7]);
    });
    store.close();
  });

  it('put what an older store has recorded on the chain with the first record after that', () => {
    const old = oldStore(36);
    old.exec(`INSERT INTO definitions VALUES (1, 'index', 'ONE', '', '{}', 1, 0, 5, 0), (2, 'index', 'ONE', '', '{}', 1, 5, NULL, 7);
      INSERT INTO calculations VALUES (5), (6);
      INSERT INTO unfinished_calculations VALUES ('rate', 'R', 5, NULL), ('index', 'ONE', 6, 4), ('index', 'ONE', 5, 3);
      INSERT INTO recalculations VALUES (1, 'index', 'ONE', 0, 5, NULL, NULL, 'backfill', 6);
      WITH RECURSIVE steps (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM steps WHERE id < 2500)
        INSERT INTO divisor_steps SELECT id, 'ONE', id, 'rebalance', '[]', 1, 1, 1, 1, 0 FROM steps`);
    const said = {
      type: 'rebalance',
      ticker: 'ONE',
      title: 'A',
      body: 'B',
      announced_at: 1,
      effective_at: 9,
    };
    const notice = { ...said, added: '[]', removed: '[]' };
    const [one, two] = [notice, { ...notice, body: 'C' }];
    const first = linkHash(null, one, []);
    const insert = old.prepare(
      'INSERT INTO announcements VALUES (NULL, @type, @ticker, @title, @body, @announced_at, @effective_at, @added, @removed, @hash, NULL, 0)',
    );
    insert.run({ ...one, hash: first });
    insert.run({ ...two, hash: linkHash(first, two, []) });
    old.close();
    const store = openStore(old.name);
    const links = () => store.read((reader) => reader.value('SELECT count(*) FROM record_links'));
    const broken = () =>
      store.read((reader) => {
        const { broken } = followAnnouncements(reader);
        return [...findBrokenRecords(reader), ...(broken ? [broken] : [])];
      });
    expect([links(), broken()]).toEqual([0, []]);
    store.write((writer) => insertCalculation(writer, 7));
    // Definitions, a withdrawal, notices, lines, a recalculation, runs, and what they did not finish.
    expect([links(), broken()]).toEqual([2 + 1 + 2 + 2500 + 1 + 3 + 3, []]);
    store.write((writer) => insertCalculation(writer, 7));
    store.write((writer) => insertCalculation(writer, 8));
    expect([links(), broken()]).toEqual([2515 - 2, []]);
    const found = (sql: string) => {
      const undone = new Error('undone');
      let result: unknown[] = [];
      expect(() =>
        store.write((writer) => {
          const sqls = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%raise(ABORT%'";
          for (const name of writer.column<string>(sqls)) writer.run(`DROP TRIGGER ${name}`);
          writer.run(sql);
          result = broken();
          throw undone;
        }),
      ).toThrow(undone);
      return result;
    };
    const [index, announcement] = [
      { kind: 'index', ticker: 'ONE' },
      { kind: 'announcement', ticker: 'ONE' },
    ];
    expect(found('UPDATE announcements SET calls_off = 1 WHERE announcement_id = 2')).toMatchObject([
      announcement,
    ]);
    expect(found("UPDATE announcements SET hash = x'00' WHERE announcement_id = 1")).toMatchObject([
      announcement,
      announcement,
    ]);
    expect(found('UPDATE definitions SET withdrawn_at = 6 WHERE definition_key = 1')).toMatchObject([index]);
    expect(found('UPDATE definitions SET withdrawn_at = 6 WHERE definition_key = 2')).toMatchObject([index]);
    expect(found('DELETE FROM divisor_steps WHERE step_id = 2500')).toMatchObject([{ ...index, at: 2500 }]);
    expect(() =>
      store.write((writer) => writer.run('UPDATE definitions SET adopted_at = 1 WHERE definition_key = 1')),
    ).toThrow('definitions are never changed');
    store.close();
  });

  it('keep the hash chains of prints, which go on with hashes that cover no keys', () => {
    const old = oldStore(36);
    old.exec(`INSERT INTO market_names VALUES (1, 'venue_a:A');
      INSERT INTO definitions VALUES (1, 'index', 'ONE', 'digest', '{}', 1, 0, NULL, 0)`);
    const lines: ReceiptLine[] = [{ market_id: 'venue_a:A', state: 'included', weight: 1, quantity: 1 }];
    const receipt = encodeReceipt(columnsOfLines(lines, 5));
    const last = new Map<string, Buffer>();
    /** Records a print as was done when hashes covered the id of its holdings, or later their number. */
    const record = (ticker: string, at: number, holding_id: number, number: number | null = null) => {
      const row = {
        ...{ ticker, at, revision: 0, level: at, divisor: 1, cash: 0, coverage: 1 },
        ...{ holding_id: number ?? holding_id, definition_key: 1 },
        ...{ methodology_version: 'basket-1.2', recorded_at: at },
      };
      const blobs = [Buffer.of(1, 0, 0, 0), Buffer.from(Float64Array.of(holding_id).buffer)];
      old
        .prepare('INSERT INTO holdings VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
        .run(holding_id, ticker, ...blobs, number);
      const previous = last.get(ticker) ?? null;
      const hash = linkHash(previous, row, [receipt, ...blobs]);
      last.set(ticker, hash);
      const columns = [...Object.keys(row), 'previous_hash', 'hash'];
      const { lastInsertRowid } = old
        .prepare(`INSERT INTO index_prints (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
        .run(...Object.values({ ...row, holding_id }), previous, hash);
      old.prepare('INSERT INTO index_receipts VALUES (?, ?)').run(lastInsertRowid, receipt);
    };
    record('ONE', 5, 1);
    record('TWO', 5, 2);
    record('TWO', 6, 2);
    record('ONE', 6, 3, 2);
    old.close();
    const store = openStore(old.name);
    const add = (ticker: string, at: number, quantity: number) =>
      store.write((writer) => {
        const print = { at, level: at, divisor: 1, cash: 0, coverage: 1, methodology_version: 'basket-1.2' };
        const held = lines.map((line) => ({ ...line, quantity }));
        new IndexRecord(writer, ticker).add(
          { ...print, lines: held },
          { definition_key: 1, recorded_at: at },
        );
      });
    const followed = (ticker: string) =>
      store.read((reader) => findBrokenLink(reader, { kind: 'index', ticker }));
    expect([followed('ONE'), followed('TWO')]).toEqual([{ prints: 2 }, { prints: 2 }]);
    add('ONE', 7, 3);
    add('TWO', 7, 9);
    add('TWO', 8, 9);
    add('ONE', 8, 9);
    add('NEW', 8, 9);
    expect(['ONE', 'TWO', 'NEW'].map(followed)).toEqual([{ prints: 4 }, { prints: 4 }, { prints: 1 }]);
    const held = store.read((reader) =>
      reader.column('SELECT holding_id FROM index_prints ORDER BY print_id'),
    );
    expect(held).toEqual([1, 2, 2, 3, 3, 4, 4, 5, 6]);
    expect(store.read((reader) => findIndexPrint(reader, 'ONE', 6))?.lines).toMatchObject([{ quantity: 3 }]);
    const alter = (sql: string) => store.write((writer) => writer.run(sql));
    alter('DROP TRIGGER index_prints_stand');
    alter("UPDATE index_prints SET hash_form = 0 WHERE ticker = 'TWO' AND at = 8");
    alter('DROP TRIGGER holdings_stand');
    alter("UPDATE holdings SET number = 7 WHERE ticker = 'ONE' AND holding_id = 3");
    alter("UPDATE market_names SET market_id = 'venue_a:B'");
    expect(followed('ONE')).toMatchObject({ prints: 1, broken: { at: 6, reason: 'it was altered' } });
    expect(followed('TWO')).toMatchObject({ prints: 3, broken: { at: 8, reason: 'it was altered' } });
    store.close();
    const again = openStore(old.name, { readonly: true });
    const renamed = again.read((reader) => findBrokenLink(reader, { kind: 'index', ticker: 'NEW' }));
    expect(renamed).toMatchObject({ prints: 0, broken: { at: 8, reason: 'it was altered' } });
    again.close();
  });
});
