import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { FilingFeed } from '../../../src/model/filing.ts';
import { DAY_MS } from '../../../src/model/time.ts';
import {
  noteDocumentBytes,
  noteDocumentUnchanged,
  selectDocumentsDue,
} from '../../../src/store/filings/document-bytes.ts';
import {
  type DocumentText,
  listDocuments,
  listTexts,
  noteDocuments,
  selectRecordsDue,
  selectTextsDue,
  upsertText,
} from '../../../src/store/filings/filing-documents.ts';
import { upsertFiling } from '../../../src/store/filings/filings.ts';
import type { Store } from '../../../src/store/store.ts';
import { memoryStore } from '../../helpers/memory-store.ts';

const LATE: DocumentText = { problem: 'could not be read in 30 s', late: true };
const digestOf = (name: string) => hash('sha256', name, 'buffer');

/** A store with a filing for each attachment, the bytes of which are kept. */
function storeWith(names: readonly string[]): Store {
  const store = memoryStore();
  store.write((writer) => {
    for (const [i, name] of names.entries()) {
      const filing = { filing_id: i + 1, feed: 'dco' as const, org: 'KEX', title: 'Rain', description: '' };
      upsertFiling(
        writer,
        { ...filing, status: 'Certified', source_url: `https://registry.example/${i}` },
        1,
        true,
      );
      noteDocuments(writer, i + 1, [{ url: `https://registry.example/${name}.pdf`, title: name }], 1);
      for (const document of listDocuments(writer, i + 1))
        noteDocumentBytes(writer, document.url, digestOf(name), 1);
    }
  });
  return store;
}

it('an attachment that could not be read in time is retried, after the others and three times at most', () => {
  const names = ['old', 'slow'];
  const store = storeWith(names);
  const due = (extractor = 'reader/1') =>
    store
      .read((reader) => selectTextsDue(reader, extractor, 10))
      .map((digest) => names.find((name) => digestOf(name).equals(digest)));
  const keep = (name: string, text: DocumentText, extractor = 'reader/1') =>
    store.write((writer) => upsertText(writer, digestOf(name), extractor, text));
  expect(due()).toEqual(['slow', 'old']);
  keep('slow', LATE);
  expect(due()).toEqual(['old', 'slow']);
  keep('old', { problem: 'its pages hold no text' });
  expect(due()).toEqual(['slow']);
  keep('slow', LATE);
  expect(due()).toEqual(['slow']);
  keep('slow', LATE);
  expect(due()).toEqual([]);
  // Another reader begins anew, and what it reads stands.
  keep('slow', LATE, 'reader/2');
  expect(due('reader/2')).toEqual(['old', 'slow']);
  keep('slow', { markdown: 'Here at last.', pages: 1 }, 'reader/2');
  expect(due('reader/2')).toEqual(['old']);
  expect(store.read((reader) => listTexts(reader, 2))).toMatchObject([
    { markdown: 'Here at last.', problem: null },
  ]);
});

it('what is due of a registry is of its own lists', () => {
  const store = storeWith(['rain', 'snow']);
  const now = 10 * DAY_MS;
  store.write((writer) => {
    writer.run('UPDATE filings SET revision = revision + 1');
  });
  const due = (feed: FilingFeed) =>
    store.read((reader) => [
      selectRecordsDue(reader, { feeds: [feed], sinceDay: '', youngSince: '', now, limit: 9 }).length,
      selectDocumentsDue(reader, [feed], 9).length,
    ]);
  expect([due('dco'), due('dcm_products')]).toEqual([
    [2, 2],
    [0, 0],
  ]);
  // Those of the newest filing come first.
  expect(store.read((reader) => selectDocumentsDue(reader, ['dco'], 1))).toEqual([
    { url: expect.stringContaining('snow') },
  ]);
});

it('a page is read again a day later while its filing is young, a week later while it is open', () => {
  const store = storeWith([]);
  const read = 30 * DAY_MS;
  const filings = [
    { status: 'Certified', status_day: '2026-10-02', received_day: '2026-01-02' },
    { status: 'Certified', status_day: '2026-10-01' },
    { status: '10 Day Review', status_day: '2026-09-01' },
    { status: 'Pending', received_day: '2026-09-01' },
    { status: 'Certified', received_day: '2026-10-02' },
    { status: 'Pending', received_day: '2026-08-31' },
  ];
  store.write((writer) => {
    for (const [i, each] of filings.entries()) {
      const filing = { feed: 'dco' as const, org: 'KEX', title: '', description: '', source_url: 'x' };
      upsertFiling(writer, { ...filing, ...each, filing_id: i }, 1, true);
      if (i < 5) noteDocuments(writer, i, [], read);
    }
  });
  const due = (now: number) =>
    store.read((reader) => {
      const days = { sinceDay: '2026-09-01', youngSince: '2026-10-02' };
      return selectRecordsDue(reader, { feeds: ['dco'], ...days, now, limit: 9 }).map(
        (each) => each.filing_id,
      );
    });
  expect([DAY_MS - 1, DAY_MS, 7 * DAY_MS - 1, 7 * DAY_MS].map((after) => due(read + after))).toEqual([
    [],
    [4, 0],
    [4, 0],
    [4, 3, 2, 0],
  ]);
});

it('an attachment is asked for by its validators only where all filings that name it have the bytes they are of', () => {
  const store = storeWith(['rain']);
  const url = 'https://registry.example/rain.pdf';
  const moved = 'https://registry.example/26/rain.pdf';
  const validators = { etag: '"1"', last_modified: 'Sun, 01 Nov 2026 00:00:00 GMT' };
  const due = () => store.read((reader) => selectDocumentsDue(reader, ['dco'], 9));
  const bytes = (at: string, name: string) =>
    store.write((writer) => noteDocumentBytes(writer, at, digestOf(name), 2, validators));
  const page = (filing: number, at: string) =>
    store.write((writer) => noteDocuments(writer, filing, [{ url: at, title: 'Rain' }], 3));
  bytes(url, 'rain');
  store.write((writer) => writer.run('UPDATE filings SET revision = 2'));
  expect(due()).toEqual([{ url, unless: validators }]);
  // Told unchanged, it is no longer due, although its filing has changed.
  store.write((writer) => noteDocumentUnchanged(writer, url, 3));
  expect(due()).toEqual([]);
  // Another filing names it, which has no bytes of it yet.
  store.write((writer) => {
    const filing = { filing_id: 2, feed: 'dco', org: 'KEX', title: 'Rain', status: 'Certified' } as const;
    upsertFiling(writer, { ...filing, source_url: 'https://registry.example/2' }, 3, false);
    writer.run('UPDATE filings SET revision = 3');
  });
  page(2, url);
  expect(due()).toEqual([{ url }]);
  store.write((writer) => noteDocumentUnchanged(writer, url, 3));
  expect(store.read((reader) => listDocuments(reader, 2))).toMatchObject([{ digest: null }]);
  bytes(url, 'rain');
  expect(due()).toEqual([]);
  // Nor are the validators those of the address to which it moves, or of bytes that were replaced.
  page(1, moved);
  expect(due()).toEqual([{ url: moved }]);
  bytes(moved, 'snow');
  expect(store.read((reader) => listDocuments(reader, 1))).toMatchObject([
    { url: moved, digest: digestOf('snow'), replaced_at: null },
    { url: moved, digest: digestOf('rain'), replaced_at: 2 },
  ]);
  // It moves back with its bytes of before: those of then and those of now are there once each.
  page(1, url);
  bytes(url, 'rain');
  expect(
    store
      .read((reader) => listDocuments(reader, 1))
      .map(({ digest, replaced_at }) => [digest?.equals(digestOf('rain')), replaced_at]),
  ).toEqual([
    [true, null],
    [false, 2],
  ]);
});
