import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Filing } from '../../../src/model/filing.ts';
import { noteDocumentBytes, selectDocumentsDue } from '../../../src/store/filings/document-bytes.ts';
import { listChangesOfFiling, listFilingChanges } from '../../../src/store/filings/filing-changes.ts';
import { listDocuments, listTexts, noteDocuments } from '../../../src/store/filings/filing-documents.ts';
import { findFiling, upsertFiling } from '../../../src/store/filings/filings.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

const FILING: Filing = {
  filing_id: 64839,
  feed: 'ptc_dcm_rules',
  org: 'KEX',
  title: 'Rain contracts',
  description: 'Rain contracts',
  received_day: '2026-10-01',
  status: '10 Day Review',
  status_day: '2026-10-01',
  source_url: 'https://registry.example/64839',
};

describe('filings', () => {
  let store: Store;
  beforeEach(() => {
    store = openStore(':memory:');
  });
  afterEach(() => store.close());

  const see = (changes: Partial<Filing>, at: number, backfill = false) =>
    store.write((writer) => upsertFiling(writer, { ...FILING, ...changes }, at, backfill));
  const all = (filter = {}) => store.read((reader) => listFilingChanges(reader, filter, 100));

  it('only move last_seen_at forward; first_seen_at and the revision stay while nothing differs', () => {
    expect([see({}, 10), see({}, 30), see({}, 20)]).toEqual([true, false, false]);
    expect(store.read((reader) => findFiling(reader, 64839))).toMatchObject({
      first_seen_at: 10,
      last_seen_at: 30,
      revision: 1,
      remarks: null,
    });
    see({ remarks: 'Corrected' }, 25);
    const corrected = { last_seen_at: 30, revision: 2, remarks: 'Corrected' };
    expect(store.read((reader) => findFiling(reader, 64839))).toMatchObject(corrected);
  });

  it('[2.7.1/1] the sequence has no gap, even after a transaction that was rolled back', () => {
    see({}, 1);
    expect(() =>
      store.write((writer) => {
        upsertFiling(writer, { ...FILING, filing_id: 2 }, 2, false);
        throw new Error('given up');
      }),
    ).toThrow('given up');
    see({ filing_id: 3, feed: 'dco_rules' }, 3);
    see({ status: 'Certified' }, 4);
    expect(all().map((each) => [each.seq, each.kind, each.filing_id])).toEqual([
      [1, 'received', 64839],
      [2, 'received', 3],
      [3, 'status_changed', 64839],
    ]);
    expect(all({ sinceSeq: 1, kind: 'received' }).map((each) => each.seq)).toEqual([2]);
    expect(all({ feed: 'ptc_dcm_rules' }).map((each) => each.seq)).toEqual([1, 3]);
    expect(all({ since: 4 }).map((each) => each.seq)).toEqual([3]);
    const own = store.read((reader) => listChangesOfFiling(reader, 64839));
    expect(own.map((each) => each.seq)).toEqual([1, 3]);
  });

  it('[2.7.1/1] changes can be neither altered nor removed', () => {
    see({}, 1);
    const run = (sql: string) => () => store.write((writer) => writer.run(sql));
    expect(run("UPDATE filing_changes SET kind = 'received'")).toThrow('never changed');
    expect(run('DELETE FROM filing_changes')).toThrow('never removed');
  });

  it('[2.7.1/1] a consumer that polls in small steps meets each change once, in order', () => {
    for (let i = 1; i <= 30; i++) see({ filing_id: i % 7, status: `step ${i % 3}` }, i);
    const whole = all();
    const met: number[] = [];
    for (let sinceSeq = 0; ; ) {
      const page = store.read((reader) => listFilingChanges(reader, { sinceSeq }, 4));
      if (page.length === 0) break;
      met.push(...page.map((each) => each.seq));
      sinceSeq = met.at(-1) ?? 0;
    }
    expect(met).toEqual(whole.map((each) => each.seq));
    expect(met).toEqual(met.map((_seq, i) => i + 1));
  });

  it('attachments are no change at the first reading, and are one later', () => {
    see({}, 1);
    const note = (urls: string[], at: number, word = 'File') => {
      const documents = urls.map((url) => ({ url, title: `${word} ${url}` }));
      return store.write((writer) => noteDocuments(writer, 64839, documents, at));
    };
    expect([note(['a', 'b'], 2), note(['b'], 3), note(['a', 'b', 'c'], 4)]).toEqual([2, 0, 1]);
    expect(all().slice(1)).toMatchObject([
      { kind: 'documents_added', observed_at: 4, documents: [{ url: 'c', title: 'File c' }] },
    ]);
    // They are in the order of the page as it was read last, and have the titles that it gives them.
    note(['c', 'a', 'b'], 5, 'Exhibit');
    for (const list of [listDocuments, listTexts])
      expect(store.read((reader) => list(reader, 64839))).toMatchObject(
        ['c', 'a', 'b'].map((url) => ({ url, title: `Exhibit ${url}` })),
      );
  });

  it('an attachment that moved to another folder is none, unless its content differs there', () => {
    see({}, 1);
    const note = (urls: string[], at: number) =>
      store.write((writer) =>
        noteDocuments(
          writer,
          64839,
          urls.map((url) => ({ url, title: 'File' })),
          at,
        ),
      );
    const fetched = (url: string, text: string, at: number) =>
      store.write((writer) => noteDocumentBytes(writer, url, hash('sha256', text, 'buffer'), at));
    const due = () =>
      store.read((reader) => selectDocumentsDue(reader, ['ptc_dcm_rules'], 9)).map((each) => each.url);
    const [here, there] = ['u/filings/ptc/rule1.pdf', 'u/sites/filings/ptc/26/10/rule1.pdf'];
    note([here, 'u/filings/ptc/b.pdf'], 2);
    for (const url of due()) fetched(url, 'text', 2);
    expect([due(), note([there, 'u/filings/ptc/b.pdf'], 3), due()]).toEqual([[], 0, [there]]);
    expect(fetched(there, 'text', 3)).toBe(false);
    expect(store.read((reader) => listDocuments(reader, 64839)).map((each) => each.url)).toEqual([
      there,
      'u/filings/ptc/b.pdf',
    ]);
    expect(all().map((each) => each.kind)).toEqual(['received']);
    note([here, 'u/filings/ptc/b.pdf'], 4);
    expect(fetched(here, 'another text', 4)).toBe(true);
    expect(all().slice(1)).toMatchObject([
      { kind: 'documents_added', observed_at: 4, documents: [{ url: here }] },
    ]);
    // Where the name does not tell which one it was, or both are there, it is another.
    expect(note([here, there, 'u/media/7/b/download'], 5)).toBe(2);
    expect(note(['u/media/8/b/download'], 6)).toBe(1);
    // Two of that name are gone, or two have come: neither tells which is which.
    expect(note(['u/26/rule1.pdf'], 7)).toBe(1);
    expect(note(['u/27/rule1.pdf', 'u/28/rule1.pdf'], 8)).toBe(2);
  });
});
