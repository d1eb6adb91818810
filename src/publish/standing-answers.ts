import { hash } from 'node:crypto';
import { easternDay } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { marketsInIndices } from '../routes/catalog/markets.ts';
import {
  type Answered,
  beginEpoch,
  CUT_OFF,
  eachMarketRows,
  findAnswered,
  findTouchedRows,
  type MarketRows,
  noteAnswered,
  setMarketRows,
} from '../store/answers/answered.ts';
import { rowChecksum } from '../store/answers/tracked-reader.ts';
import { wasRunning } from '../store/runs.ts';
import type { Reader, Store } from '../store/store.ts';
import type { CurrentGeneration } from './archive/current-generation.ts';

/** Markets whose rows are written at once. */
const KEPT_AT_ONCE = 1_000;

export interface AnswersOptions {
  store: Store;
  now: Instant;
  /** Identifies the program and settings that answer; the answers of others may differ. */
  answered_by: string;
  /** Writes nothing to the store. */
  dryRun?: boolean;
}

/** Which documents of an id need not be answered again. */
export interface DocumentsOfId {
  id: string;
  /** Whether no row behind a watched document has been touched since it was published. */
  stands(document: number): boolean;
  /** Records the rows that its watched documents were answered from; undefined for one that was not answered again. */
  keep(rows: readonly (Uint32Array | undefined)[]): void;
}

/**
 * Which documents are unchanged since the last publish: those watched documents of markets whose rows were not touched,
 * and the long documents of series that are made from the same. This holds only if the sink's newest generation is the
 * one that this store published last, with the same program and settings, and the clock did not go back. The first
 * publish of a US Eastern day answers all of them anyway, to find any change that was overlooked.
 */
export class StandingAnswers {
  readonly #options: AnswersOptions;
  readonly #last: Answered | undefined;
  readonly #epoch: number;
  #counts = false;
  #checks = false;
  /** Digests of what long documents are made from now. */
  readonly #madeFrom = new Set<string>();

  /** Must be created before the snapshot that is answered from, so that no touch is missed in between. */
  constructor(options: AnswersOptions) {
    const { store, dryRun } = options;
    this.#options = options;
    if (dryRun) {
      this.#last = store.read(findAnswered);
      this.#epoch = 0;
      return;
    }
    const { last, epoch } = store.write((writer) => {
      const last = findAnswered(writer);
      return { last, epoch: beginEpoch(writer) };
    });
    this.#last = last;
    this.#epoch = epoch;
  }

  /**
   * Sets the generation that documents are compared with, if any.
   *
   * @returns the instant of what this store published last, if the generation is a later one by somebody else: the store
   *   was restored from a backup, or is not the only one that publishes there
   */
  compareWith(current: CurrentGeneration | undefined): Instant | undefined {
    const { now, answered_by } = this.#options;
    const last = this.#last;
    if (!last || !current) return undefined;
    const isLast = last.generation === current.pointer.sha256;
    this.#counts = isLast && last.answered_by === answered_by && last.as_of <= now;
    this.#checks = this.#counts && easternDay(last.as_of) !== easternDay(now);
    const { as_of } = current.record;
    // A publish of this store that was cut off may have moved the pointer before.
    const mayBeOwn = () =>
      this.wasCutOff && this.#options.store.read((reader) => wasRunning(reader, last.as_of, as_of));
    return !isLast && last.as_of < as_of && !mayBeOwn() ? last.as_of : undefined;
  }

  /** Whether this store has published nothing yet, or was interrupted or refused the last time. */
  get wasCutOff(): boolean {
    return this.#last === undefined || this.#last.answered_by === CUT_OFF;
  }

  /** Whether unchanged documents are answered anyway, as a check. */
  get checks(): boolean {
    return this.#checks;
  }

  /** The answers of each market, in the order of the ids. */
  *eachMarket(reader: Reader): Generator<DocumentsOfId> {
    const touched = this.#counts && this.#last ? this.#touchedSince(reader, this.#last) : undefined;
    let fresh: MarketRows[] = [];
    const write = () => {
      if (!this.#options.dryRun) this.#options.store.write((writer) => setMarketRows(writer, fresh));
      fresh = [];
    };
    for (const { market_id, rows } of eachMarketRows(reader)) {
      yield {
        id: market_id,
        stands: (document) => {
          const read = rows[document];
          return touched !== undefined && read !== undefined && !read.some((row) => touched.has(row));
        },
        keep: (now) => {
          if (now.every((each) => each === undefined)) return;
          const all = now.map((each, document) => each ?? (rows[document] as Uint32Array));
          if (!isSame(rows, all) && fresh.push({ market_id, rows: all }) === KEPT_AT_ONCE) write();
        },
      };
    }
    if (fresh.length > 0) write();
  }

  /** Whether a document was made from the same at the last publish; called for each that tells what it is made from. */
  isMadeFrom(key: string, facts: object): boolean {
    const digest = hash('sha256', JSON.stringify([key, facts]));
    this.#madeFrom.add(digest);
    return this.#counts && this.#last?.made_from.has(digest) === true;
  }

  /** Checksums of the rows that may have changed since the last publish, including those that depend on time. */
  #touchedSince(reader: Reader, { epoch, as_of }: Answered): Set<number> {
    const { now } = this.#options;
    const touched = findTouchedRows(reader, epoch);
    touched.add(rowChecksum('clock', ''));
    if (easternDay(as_of) !== easternDay(now)) touched.add(rowChecksum('day', ''));
    // Documents of those that were in an index then depend on the clock, touched above.
    for (const market of marketsInIndices(reader, now)) touched.add(rowChecksum('membership', market));
    return touched;
  }

  /** Notes what was published: the digest of the generation's record. */
  published(generation: string): void {
    const { store, now: as_of, answered_by } = this.#options;
    const answered = { generation, epoch: this.#epoch, as_of, answered_by, made_from: this.#madeFrom };
    store.write((writer) => noteAnswered(writer, answered));
  }
}

function isSame(before: readonly Uint32Array[], now: readonly Uint32Array[]): boolean {
  return (
    before.length === now.length &&
    before.every((rows, i) => {
      const other = now[i] as Uint32Array;
      return rows.length === other.length && rows.every((row, n) => row === other[n]);
    })
  );
}
