import { hash } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXTRACTOR } from '../../src/ingest/attachments/attachment-reader.ts';
import { DAY_MS, easternDay, formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { createApp } from '../../src/serve/serve.ts';
import { insertApiKey } from '../../src/store/api-keys.ts';
import { listFilingChanges } from '../../src/store/filings/filing-changes.ts';
import { upsertText } from '../../src/store/filings/filing-documents.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { makeFolder } from '../helpers/make-folder.ts';
import { rounds } from '../helpers/rounds.ts';
import { bearer, type Row, rows } from '../helpers/small-app.ts';
import { openStoreFile } from '../helpers/store-file.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { listPage, pathOf, recordPage, rule } from './cftc-pages.ts';
import { type FixtureVenue, Raw, raw, startFixtureVenue } from './fixture-venue.ts';
import { configFor, NOW, runIngest, testEffects } from './run-ingest.ts';

const HTML = { 'content-type': 'text/html; charset=UTF-8' };
const LIST = pathOf('PTCDCMRules');
const IDS = [101, 102, 103];
const STATUSES = ['10 Day Review', 'Certified'];
const ROWS_A_PAGE = 2;
/** Attachments that a run asks for at most: missing ones and ones to check. */
const MOST = { attachments_a_run: 3, attachment_checks_a_run: 2 };

/** A filing at the registry. */
interface Filed {
  isListed: boolean;
  status: string;
  day: number;
  /** By the number of each attachment, what it holds now. */
  files: Map<number, string>;
}

const id = fc.constantFrom(...IDS);
const file = fc.constantFrom(0, 0, 1, 2);
const CONTENTS = ['one', 'two', 'three'];
const content = fc.constantFrom(...CONTENTS);
/** What may happen at the registry; a status turns from one to the other, and back. */
const happening = fc.oneof(
  fc.record({ kind: fc.constant('list' as const), id }),
  fc.record({ kind: fc.constant('unlist' as const), id }),
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('turn' as const), id, day: fc.nat(3) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('attach' as const), id, file, content }),
  },
);
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

/** A run after some happenings: it may be killed before a commit or stopped at a request. */
const step = fc.record({
  before: fc.array(happening, { minLength: 2, maxLength: 6 }),
  hours: fc.constantFrom(1, 25, 7 * 24),
  end: fc.oneof(
    fc.constant(undefined),
    fc.record({
      how: fc.constantFrom('killed' as const, 'killed' as const, 'stopped' as const),
      at: fc.integer({ min: 1, max: 12 }),
    }),
  ),
  /** Requests between which consumers poll. */
  polls: fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 3 }),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const digestOf = (text: string) => hash('sha256', text);
const nameOf = (filing: number, number: number) => `${filing}-${number}.pdf`;

describe('the feed of filing changes', () => {
  let site: FixtureVenue;
  const folder = temporaryFolder(makeFolder());
  let filed: Map<number, Filed>;
  let stores = 0;

  beforeAll(async () => {
    site = await startFixtureVenue();
    site.on(LIST, (query) => {
      const listed = [...filed].filter(([, each]) => each.isListed);
      listed.sort(([a, { day }], [b, { day: other }]) => other - day || b - a);
      const page = Number(query.get('page'));
      const last = Math.max(0, Math.ceil(listed.length / ROWS_A_PAGE) - 1);
      const shown = listed
        .slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE)
        .map(([number, { status, day }]) => {
          const [year, month, date] = easternDay(NOW + day * DAY_MS).split('-');
          return rule(number, { Status: status, Date: `${month}/${date}/${year}` });
        });
      const pager = Array.from({ length: last + 1 }, (_, i) => i).filter((i) => i !== page);
      return raw(listPage('PTCDCMRules', shown, { pager }), 200, HTML);
    });
    for (const number of IDS) {
      site.on(pathOf('PTCDCMRules', number), () => {
        const names = [...(filed.get(number)?.files.keys() ?? [])].map((each) => nameOf(number, each));
        return raw(
          recordPage(
            number,
            names.map((name) => [`/cftc/filings/ptc/${name}`, name]),
          ),
          200,
          HTML,
        );
      });
      for (const each of [0, 1, 2])
        site.on(`/cftc/filings/ptc/${nameOf(number, each)}`, () => answerFile(number, each));
    }
  });
  afterAll(() => site.close());

  /** A file as its server answers: of the three of a filing one has an ETag, one a date, and one neither. */
  function answerFile(number: number, each: number): Raw {
    const text = filed.get(number)?.files.get(each) ?? '';
    const day = CONTENTS.indexOf(text) + 1;
    const modified = `Sun, 0${day} Nov 2026 00:00:00 GMT`;
    const validators: Record<string, string>[] = [{ etag: `"${text}"` }, { 'last-modified': modified }, {}];
    const given = validators[each] ?? {};
    return new Raw((response, { headers }) => {
      const isSame = headers['if-none-match'] === `"${text}"` || headers['if-modified-since'] === modified;
      response.writeHead(isSame ? 304 : 200, { 'content-type': 'application/pdf', ...given });
      response.end(isSame ? undefined : text);
    });
  }

  function happen(what: Happening): void {
    const known = filed.get(what.id);
    if (what.kind === 'list') {
      filed.set(
        what.id,
        known ?? { isListed: true, status: '10 Day Review', day: 0, files: new Map([[0, 'one']]) },
      );
      if (known) known.isListed = true;
    }
    if (!known) return;
    if (what.kind === 'unlist') known.isListed = false;
    if (what.kind === 'turn')
      Object.assign(known, { status: STATUSES.find((each) => each !== known.status), day: what.day });
    if (what.kind === 'attach') known.files.set(what.file, what.content);
  }

  /** A store whose process dies before its nth commit: nothing of that transaction, or after it, is written. */
  function dying(store: Store, at: number): Store {
    let commits = 0;
    return {
      ...store,
      write: (work) =>
        store.write((writer) => {
          const result = work(writer);
          if (++commits >= at) throw new Error('killed');
          return result;
        }),
    };
  }

  /** A consumer over HTTP, which keeps what it has read and the cursor of its last page. */
  function openConsumer(get: (path: string) => Promise<Row>, first: string, filter = '') {
    const read: Row[] = [];
    let cursor = first;
    return {
      read,
      async poll() {
        const body = await get(`/filings/events?per_page=2&${cursor}${filter}`);
        read.push(...rows(body));
        const { last_seq, has_next } = body.meta as { last_seq: number; has_next: boolean };
        cursor = `since_seq=${last_seq}`;
        return has_next;
      },
    };
  }

  it('[2.7.1/1] tells each consumer each change once, in order, whenever runs are killed and whatever the registry does', async () => {
    const told = { replaced: 0, killed: 0, back: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
        filed = new Map();
        for (const number of [101, 102]) happen({ kind: 'list', id: number });
        const path = join(folder, `${stores++}.db`);
        const store = openStoreFile(path);
        const key = store.write((writer) => insertApiKey(writer, 'acme', ['org:filings:read'], NOW));
        // Their texts are another matter; reading them takes a process.
        store.write((writer) => {
          const text = { problem: 'it is not a PDF, xlsx or docx file' };
          for (const each of CONTENTS)
            upsertText(writer, Buffer.from(digestOf(each), 'hex'), EXTRACTOR, text);
        });
        const reading = openStore(path, { readonly: true });
        let now = NOW;
        const app = createApp({
          store: reading,
          now: () => now,
          sites: {} as never,
          label: '',
          report: () => {},
        });
        const get = async (path: string): Promise<Row> => {
          const response = await app.request(`/api/v1${path}`, { headers: bearer(key) });
          expect(response.status).toBe(200);
          return (await response.json()) as Row;
        };
        const settings = configFor(site.origin, { attempts: 1 });
        for (const venue of Object.values(settings.venues)) venue.enabled = false;
        Object.assign(settings.registries.cftc, { enabled: true, feeds: ['ptc_dcm_rules'], ...MOST });

        const since = now + (steps[0]?.hours ?? 0) * HOUR_MS;
        const consumers = [
          openConsumer(get, 'since_seq=0'),
          openConsumer(get, `since=${formatInstant(since)}`),
          openConsumer(get, 'since_seq=0', '&kind=documents_added'),
        ];
        const seen = new Map<number, number>();
        let before: unknown[] = [];
        /** What holds at any moment: numbers without gaps, rows that stand, sightings that only move forward. */
        const look = () =>
          reading.read((reader) => {
            const changes = listFilingChanges(reader, {}, 1000);
            expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, i) => i + 1));
            expect(changes.slice(0, before.length)).toEqual(before);
            before = changes;
            const sightings = reader.all<{ filing_id: number; last_seen_at: number }>(
              'SELECT * FROM filings',
            );
            for (const { filing_id, last_seen_at } of sightings) {
              expect(last_seen_at).toBeGreaterThanOrEqual(seen.get(filing_id) ?? 0);
              seen.set(filing_id, last_seen_at);
            }
            return changes;
          });
        const run = async ({ end, polls }: Pick<Step, 'end' | 'polls'>) => {
          const effects = testEffects();
          const stop = new AbortController();
          let asked = 0;
          site.requests.length = 0;
          await runIngest(end?.how === 'killed' ? dying(store, end.at) : store, settings, {
            now,
            signal: stop.signal,
            effects: {
              ...effects,
              fetch: async (...request) => {
                asked++;
                look();
                if (polls.includes(asked)) for (const each of consumers) await each.poll();
                if (end?.how === 'stopped' && asked === end.at) stop.abort();
                return await fetch(...request);
              },
            },
          }).catch((thrown) => {
            expect(String(thrown)).toContain('killed');
            told.killed++;
          });
          look();
          const files = site.requests.filter((each) => each.path.endsWith('.pdf'));
          const { attachments_a_run, attachment_checks_a_run } = settings.registries.cftc;
          expect(files.length).toBeLessThanOrEqual(attachments_a_run + attachment_checks_a_run);
        };
        for (const { before: happenings, hours, ...how } of steps) {
          for (const each of happenings) happen(each);
          now += hours * HOUR_MS;
          await run(how);
        }
        // Then nothing happens any more, and runs read all that is due: lists and pages, and a week later the files.
        Object.assign(settings.registries.cftc, { attachments_a_run: 100, attachment_checks_a_run: 100 });
        for (const hours of [25, 8 * 24]) {
          now += hours * HOUR_MS;
          await run({ end: undefined, polls: [] });
        }
        for (const each of consumers) while (await each.poll());
        const changes = look();
        expect(consumers.map(({ read }) => read.map(({ seq }) => seq))).toEqual(
          [
            changes,
            changes.filter(({ observed_at }) => observed_at >= since),
            changes.filter(({ kind }) => kind === 'documents_added'),
          ].map((each) => each.map(({ seq }) => seq)),
        );

        for (const [number, { isListed, status, day, files }] of filed) {
          const of = rows({ data: consumers[0]?.read }).filter(
            ({ filing }) => (filing as Row).filing_id === number,
          );
          const detail = await get(`/filings/${number}`).catch(() => undefined);
          // One that was listed only between runs was never seen.
          if (!detail && !isListed) continue;
          expect(of.map(({ kind }) => kind).indexOf('received', 1), 'received once').toBe(-1);
          expect(of[0]?.kind).toBe('received');
          if (isListed) expect(detail).toMatchObject({ status, status_date: easternDay(NOW + day * DAY_MS) });
          let last = of[0]?.status;
          const held = new Set([last]);
          for (const each of of.filter(({ kind }) => kind === 'status_changed')) {
            expect(each.previous_status).toBe(last);
            if (each.status !== last && held.has(each.status)) told.back++;
            last = each.status;
            held.add(last);
          }
          expect(detail?.status).toBe(last);
          const documents = rows(detail ?? {}, 'documents');
          const current = documents.filter(({ replaced }) => replaced === undefined);
          expect(new Map(current.map(({ title, sha256 }) => [title, sha256]))).toEqual(
            new Map([...files].map(([each, text]) => [nameOf(number, each), digestOf(text)])),
          );
          expect(current).toHaveLength(files.size);
          const added = of.flatMap(({ documents }) => (documents ?? []) as Row[]);
          const fresh = added.filter(({ sha256 }) => sha256 === undefined).map(({ url }) => url);
          expect(new Set(fresh).size, 'added once').toBe(fresh.length);
          for (const { url, sha256 } of current) {
            const replaced = added.filter((each) => each.url === url && each.sha256 !== undefined);
            told.replaced += replaced.length;
            const contents = replaced.map((each) => each.sha256);
            expect(contents.some((each, i) => each === contents[i + 1])).toBe(false);
            if (contents.length > 0) expect(contents.at(-1)).toBe(sha256);
            // All that it ever was told to hold, and what it held before that, is still there, each once.
            const kept = documents.filter((each) => each.url === url).map((each) => each.sha256);
            expect(new Set(kept).size).toBe(kept.length);
            expect(kept).not.toContain(undefined);
            expect(kept).toEqual(expect.arrayContaining(contents));
            expect(kept.length > 1 || contents.length === 0).toBe(true);
          }
        }
        reading.close();
        store.close();
      }),
      { numRuns: rounds(10), seed: 16 },
    );
    // The worlds had what this is about.
    expect(told.replaced).toBeGreaterThan(1);
    expect(told.killed).toBeGreaterThan(1);
    expect(told.back).toBeGreaterThan(0);
  });
});
