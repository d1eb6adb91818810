import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { insertReject, listRejects } from '../../src/store/feeds.ts';
import { noteDocumentBytes, selectDocumentsDue } from '../../src/store/filings/document-bytes.ts';
import { noteDocuments } from '../../src/store/filings/filing-documents.ts';
import { upsertFiling } from '../../src/store/filings/filings.ts';
import { findLastFetch, findPayload, forgetAnswers, insertFetch } from '../../src/store/payloads.ts';
import { insertRun } from '../../src/store/runs.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { fetchedBody } from '../helpers/fetched-body.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let store: Store;

/** A run at an instant that fetched some texts, with a row of each left out. @returns the keys of the fetches */
function fetched(at: number, ...texts: string[]): number[] {
  return store.write((writer) => {
    const run_id = insertRun(writer, 'ingest', at);
    return texts.map((text) => {
      const page = { run_id, feed: 'f', request: `GET /${text}`, observed_at: at, body: Buffer.from(text) };
      const fetch_id = insertFetch(writer, page);
      insertReject(writer, { fetch_id, feed: 'f', position: 3, native_id: null, path: 'a', reason: 'r' });
      return fetch_id;
    });
  });
}

const payload = (fetch: number | undefined) =>
  store.read((reader) => fetchedBody(reader, fetch ?? 0)?.toString());
const rows = (table: string) =>
  store.read((reader) => reader.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count);

describe('raw answers', () => {
  beforeEach(() => {
    store = openStore(':memory:');
    return () => store.close();
  });

  it('are kept once per digest, and come back byte for byte, with the list of what was left out', () => {
    fetched(1, '{"a": 1}\n');
    const [again] = fetched(2, '{"a": 1}\n');
    expect(payload(again)).toBe('{"a": 1}\n');
    expect([rows('fetches'), rows('payloads')]).toEqual([2, 1]);
    expect(store.read((reader) => listRejects(reader, 2, 10))).toMatchObject([
      { fetch_id: again, position: 3 },
    ]);
  });

  it('are forgotten once they are older than asked, unless they came again since', () => {
    const [old, both] = fetched(10, 'old', 'both');
    const [again, young] = fetched(20, 'both', 'young');
    expect(forgetAnswers(store, 20)).toBe(2);
    expect([old, both, again, young].map(payload)).toEqual([undefined, undefined, 'both', 'young']);
    expect([rows('fetches'), rows('payloads'), rows('rejects')]).toEqual([2, 2, 2]);
    expect(forgetAnswers(store, 20)).toBe(0);
  });

  it('of the last run that fetched any stay, however old', () => {
    fetched(10, 'old');
    const [last] = fetched(20, 'last');
    fetched(900);
    expect(forgetAnswers(store, 1000)).toBe(1);
    expect(payload(last)).toBe('last');
    expect(store.read(findLastFetch)).toEqual({ run_id: 2, observed_at: 20 });
  });

  it('that are the bytes of an attachment stay, for a later reader', () => {
    const [attachment] = fetched(10, 'bytes');
    const digest = store.write((writer) => {
      const filing = {
        filing_id: 1,
        feed: 'dco' as const,
        org: 'O',
        title: 'T',
        status: 'S',
        source_url: 'u',
      };
      upsertFiling(writer, filing, 10, false);
      noteDocuments(writer, 1, [{ url: 'u/1', title: 'D' }], 10);
      const [due] = selectDocumentsDue(writer, ['dco'], 1);
      const { digest } = writer.get('SELECT digest FROM payloads') as { digest: Buffer };
      if (due) noteDocumentBytes(writer, due.url, digest, 10);
      if (due) noteDocumentBytes(writer, due.url, hash('sha256', 'others', 'buffer'), 12);
      return digest;
    });
    fetched(20, 'page');
    expect(forgetAnswers(store, 20)).toBe(1);
    expect(payload(attachment)).toBeUndefined();
    expect(store.read((reader) => findPayload(reader, digest))?.toString()).toBe('bytes');
  });

  it('are forgotten a limited number per run, oldest first; the next run continues', () => {
    for (let at = 1; at <= 5; at++) fetched(at, ...Array.from({ length: 500 }, (_, i) => `${at} ${i}`));
    fetched(6, 'last');
    expect(forgetAnswers(store, 6)).toBe(2000);
    expect(store.read((reader) => reader.get('SELECT min(observed_at) AS at FROM fetches'))).toEqual({
      at: 5,
    });
    expect(forgetAnswers(store, 6)).toBe(500);
    expect(rows('payloads')).toBe(1);
  });

  it('do not pile up where each run fetches more than that', () => {
    const kept = [1, 2, 3].map((at) => {
      fetched(at, ...Array.from({ length: 2500 }, (_, i) => `${at} ${i}`));
      forgetAnswers(store, at);
      return rows('fetches');
    });
    expect(kept).toEqual([2500, 2500, 2500]);
  });
});

describe('the file of a store', () => {
  const folder = temporaryFolder();

  it('stops growing once as much is forgotten as arrives', () => {
    const path = `${folder}/store.db`;
    store = openStore(path);
    const pages = () =>
      (store.read((reader) => reader.get('PRAGMA page_count')) as { page_count: number }).page_count;
    const day = (at: number) => {
      // Incompressible texts.
      fetched(at, ...Array.from({ length: 5 }, (_, i) => noise(at * 10 + i)));
      forgetAnswers(store, at - 2);
      return pages();
    };
    const sizes = Array.from({ length: 12 }, (_, i) => day(i + 1));
    expect(sizes.at(-1)).toBe(sizes[5]);
    expect(sizes[5]).toBeGreaterThan(sizes[0] as number);
    store.close();
  });
});

function noise(seed: number): string {
  let state = seed;
  return Array.from({ length: 5000 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state.toString(36);
  }).join('');
}
