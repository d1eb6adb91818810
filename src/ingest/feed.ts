import { atOnce } from '../model/at-once.ts';
import type { Progress } from '../model/effects.ts';
import { easternDay } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { type FeedRow, insertReject, upsertFeed } from '../store/feeds.ts';
import { insertFetch } from '../store/payloads.ts';
import type { Store, Writer } from '../store/store.ts';
import { type ListingPage, type WalkOptions, walkPages } from './page-walk.ts';
import type { Answer, Requester, VenueRequest } from './wire/request.ts';
import { hasFailed, isMissing, isTooLong, isVenueTrouble } from './wire/venue-trouble.ts';
import type { ReadPage, Rejection } from './wire/wire-rows.ts';

export interface FeedReport {
  feed: string;
  /** good: read to its end. partial: some of it. failed: none of it. */
  condition: FeedRow['condition'];
  message: string | null;
  /** Tries of requests, including retries. */
  requests: number;
  seconds: number;
  /** Bytes of good answers, after decompression. */
  bytes: number;
  rows_read: number;
  /** Catalog rows that are new or differ from what was known. */
  rows_changed: number;
  rows_left_out: number;
  /** The first rows left out, with their reasons. */
  first_reasons: string[];
  /** Rows of markets that the settings leave out. */
  rows_out_of_scope: number;
  observations_added: number;
  /** Whether a full crawl of the catalog was completed and believed, now or before, so that it can be served. */
  catalog_whole: boolean;
}

/** What a page changed in the store. */
export interface Kept {
  rows_changed?: number;
  observations_added?: number;
  out_of_scope?: number;
  /** Why the page was not believed; nothing of it is written. */
  quarantined?: string;
}

export interface FeedRun {
  store: Store;
  runId: number;
  /** The run's instant, at which answers count as observed. */
  now: Instant;
  progress: Progress;
}

const REASONS_SHOWN = 5;
/** From this many rows on, a page with more than half of them unreadable means that the format changed. */
const DRIFT_FROM_ROWS = 20;
/** From this many on, more than three quarters unreadable mean the same, as for an event without a readable market. */
const DRIFT_FROM_FEW = 5;

/** One kind of answer of one venue, with its counts. Every page is stored whole or not at all. */
export class Feed {
  /** Its name in reports; the notes that it leaves for its next run are under it too. */
  readonly name: string;
  readonly report: FeedReport;
  readonly #run: FeedRun;
  readonly #request: Requester;
  /** In lower case. */
  readonly #unreadable = new Set<string>();
  #troubled = false;
  #everyRowCounts = false;
  readonly #started = performance.now();

  constructor(run: FeedRun, request: Requester, name: string) {
    this.#run = run;
    this.#request = request;
    this.name = name;
    this.report = {
      feed: name,
      condition: 'good',
      message: null,
      requests: 0,
      bytes: 0,
      rows_read: 0,
      rows_changed: 0,
      rows_left_out: 0,
      first_reasons: [],
      rows_out_of_scope: 0,
      observations_added: 0,
      catalog_whole: false,
      seconds: 0,
    };
  }

  /** Sends a request and counts it. @throws ForemarkError venue_unavailable */
  fetch(request: VenueRequest): Promise<Answer> {
    return this.#request(request, this.report);
  }

  /** Fetches something that the venue may not have: undefined if it answers 404. @throws as fetch */
  async find(request: VenueRequest): Promise<Answer | undefined> {
    try {
      return await this.fetch(request);
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      throw thrown;
    }
  }

  /**
   * Fetches a page of at most so many rows. While the answer exceeds the size limit, asks again for a quarter of the
   * rows, down to one: events such as a game day or a ladder of prices have a thousand markets each. A page at which
   * the venue fails or times out may be too much for it, and is asked for with a quarter of its rows once.
   *
   * @throws as fetch
   */
  async fetchRows(most: number, requestOf: (rows: number) => VenueRequest): Promise<Answer> {
    let failed = false;
    for (let rows = most; ; rows = Math.ceil(rows / 4)) {
      try {
        return await this.fetch(requestOf(rows));
      } catch (thrown) {
        const fails = hasFailed(thrown);
        if (rows === 1 || (!isTooLong(thrown) && (failed || !fails))) throw thrown;
        failed ||= fails;
      }
    }
  }

  /**
   * Stores an answer: its bytes, the rows left out, and what `write` makes of it, in one transaction.
   *
   * @param page.read rows of the answer, including those left out
   */
  keep(answer: Answer, page: ReadPage, write: (writer: Writer) => Kept = () => ({})): void {
    const { report } = this;
    const kept = this.#run.store.write((writer) => {
      const fetch_id = insertFetch(writer, {
        run_id: this.#run.runId,
        feed: this.name,
        request: answer.request,
        observed_at: this.#run.now,
        body: answer.body,
      });
      for (const { position, native_id, path, reason } of page.rejections)
        insertReject(writer, { fetch_id, feed: this.name, position, native_id, path, reason });
      return write(writer);
    });
    report.rows_read += page.read;
    report.rows_changed += kept.rows_changed ?? 0;
    report.observations_added += kept.observations_added ?? 0;
    report.rows_out_of_scope += kept.out_of_scope ?? 0;
    report.rows_left_out += page.rejections.length;
    for (const each of page.rejections.slice(0, REASONS_SHOWN - report.first_reasons.length))
      report.first_reasons.push(named(each));
    if (kept.quarantined !== undefined) {
      report.rows_left_out += page.read - page.rejections.length;
      this.leaveIncomplete(kept.quarantined);
    }
    const unreadable = page.rejections.filter((each) => !each.expected);
    for (const { native_id } of unreadable) if (native_id !== null) this.noteUnreadable(native_id);
    const least = unreadable.length > page.read * 0.75 ? DRIFT_FROM_FEW : DRIFT_FROM_ROWS;
    if (page.read >= least && unreadable.length * 2 > page.read)
      this.leaveIncomplete(
        `${unreadable.length} of ${page.read} rows could not be read; has the format changed?`,
      );
    else if (unreadable[0] && this.#everyRowCounts)
      this.leaveIncomplete(
        `${unreadable.length} of ${page.read} rows could not be read: ${named(unreadable[0])}`,
      );
  }

  /** Notes that the venue lists a row but it could not be read, so that it does not count as missing. */
  noteUnreadable(nativeId: string): void {
    this.#unreadable.add(nativeId.toLowerCase());
  }

  /** Whether a row was listed but could not be read. Ids are compared without regard to case. */
  isUnreadable(nativeId: string): boolean {
    return this.#unreadable.has(nativeId.toLowerCase());
  }

  /**
   * From now on a single unreadable row makes the feed incomplete; for feeds whose rows all belong to markets that
   * definitions name.
   */
  countEveryRow(): void {
    this.#everyRowCounts = true;
  }

  /** Notes that part of the feed is missing; the first reason is the one reported. */
  leaveIncomplete(message: string): void {
    if (this.report.condition === 'good') this.report.condition = 'partial';
    this.report.message ??= message;
  }

  /** Notes what stopped the feed, or a part of it, early. */
  fail(message: string): void {
    this.#troubled = true;
    this.leaveIncomplete(message);
  }

  /** Notes that the venue failed at one of several independent requests. @throws what is not the venue's fault */
  failPart(thrown: unknown): void {
    if (!isVenueTrouble(thrown)) throw thrown;
    this.fail(thrown.message);
  }

  /** Does work that the rest of the feed does not depend on. If the venue fails, notes that and returns undefined. */
  async part<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (thrown) {
      this.failPart(thrown);
      return undefined;
    }
  }

  /** Walks a listing as {@link walkPages} does, and notes why if that stops early. @returns whether it came to its end */
  async walk<Page extends ListingPage>(
    fetchPage: (cursor: string | undefined) => Promise<Page>,
    keep: (page: Page, number: number) => void | Promise<void>,
    options?: WalkOptions,
  ): Promise<boolean> {
    const stopped = await walkPages(fetchPage, keep, options);
    if (stopped !== undefined) this.leaveIncomplete(stopped);
    return stopped === undefined;
  }

  /**
   * Does work on each item. The venue's failure at one item does not stop the others.
   *
   * @param width items under way at once, so that one is parsed while another is fetched
   */
  async each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>, width = 1): Promise<void> {
    let done = 0;
    await atOnce(width, items, async (item) => {
      await this.part(() => work(item));
      this.progress(++done, items.length);
    });
  }

  progress(done: number, total?: number): void {
    this.#run.progress(this.name, done, total);
  }

  /** Writes how the feed did. */
  close(): void {
    if (this.#troubled && this.report.rows_read === 0) this.report.condition = 'failed';
    this.report.seconds = Math.round(performance.now() - this.#started) / 1000;
    const { now, store } = this.#run;
    store.write((writer) => upsertFeed(writer, { ...this.report, tried_at: now, day: easternDay(now) }));
  }
}

function named({ native_id, position, reason }: Rejection): string {
  return `${native_id ?? `row ${position}`}: ${reason}`;
}
