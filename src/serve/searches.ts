import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ForemarkError } from '../model/errors.ts';
import type { RouteRequest } from '../routes/route.ts';
import type { PagedAnswer } from './answer.ts';

/** A search as its thread is asked it. */
export interface SearchRequest extends Omit<RouteRequest, 'reader' | 'hasTime'> {
  number: number;
  /** Of the route. */
  path: string;
}

export interface SearchReply {
  number: number;
  answered?: PagedAnswer | undefined;
  /** Of an error of ours, whose class does not come through, what it says. */
  refused?: Pick<ForemarkError, 'code' | 'message' | 'detail' | 'retryAfterSeconds'>;
  fault?: string;
}

interface Waiting {
  resolve(answered: PagedAnswer | undefined): void;
  reject(thrown: Error): void;
}

/** Searches that wait for their turn; whoever comes then is asked to come again. */
const MOST_WAITING = 256;

/** Whoever has waited so long is asked to come again; a connection that stood still for longer would be cut. */
const PATIENCE_MS = 20_000;

/**
 * Answers searches, and lists that take as long, in a thread of their own, one after the other, so that they keep
 * nobody else waiting. The thread starts with the first; one that ends is started anew.
 */
export class Searches {
  readonly #path: string;
  readonly #patienceMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #last = 0;

  /**
   * @param path of the store's file
   * @param patienceMs how long a search may wait
   */
  constructor(path: string, patienceMs = PATIENCE_MS) {
    this.#path = path;
    this.#patienceMs = patienceMs;
  }

  /**
   * @returns undefined when the route knows nothing of what is asked
   * @throws ForemarkError service_unavailable when too many wait, it takes too long, or the thread ended meanwhile
   */
  answer(request: Omit<SearchRequest, 'number'>): Promise<PagedAnswer | undefined> {
    if (this.#waiting.size >= MOST_WAITING) throw unavailable('too many searches wait');
    this.#thread ??= this.#start();
    const number = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<PagedAnswer | undefined>();
    // It waits on in its place, where the thread will come to it: those behind it do not come sooner.
    const late = setTimeout(() => reject(unavailable('searches take too long at present')), this.#patienceMs);
    this.#waiting.set(number, { resolve, reject });
    this.#thread.postMessage({ ...request, number } satisfies SearchRequest);
    const settle = () => clearTimeout(late);
    promise.then(settle, settle);
    return promise;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL(`./search-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: { path: this.#path },
    });
    let why: Error | undefined;
    thread.on('message', ({ number, answered, refused, fault }: SearchReply) => {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (fault !== undefined) waiting?.reject(new Error(fault));
      else if (refused) waiting?.reject(new ForemarkError(refused.code, refused.message, refused));
      else waiting?.resolve(answered);
    });
    thread.on('error', (thrown) => {
      why = thrown instanceof Error ? thrown : new Error(String(thrown));
    });
    thread.on('exit', () => {
      this.#thread = undefined;
      const all = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of all) reject(why ?? unavailable('the search was cut off'));
    });
    return thread;
  }
}

function unavailable(why: string): ForemarkError {
  return new ForemarkError('service_unavailable', `${why}; retry in a few seconds`);
}
