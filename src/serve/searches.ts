import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, ForemarkError } from '../model/errors.ts';
import type { RouteRequest } from '../routes/route.ts';
import type { Answered } from './answer.ts';

/** A search as its thread is asked it. */
export interface SearchRequest extends Omit<RouteRequest, 'reader' | 'hasTime'> {
  number: number;
  /** Of the route. */
  path: string;
}

export interface SearchReply {
  number: number;
  answered?: Answered | undefined;
  refused?: { code: ErrorCode; message: string };
  fault?: string;
}

interface Waiting {
  resolve(answered: Answered | undefined): void;
  reject(thrown: Error): void;
}

/** Searches that wait for their turn; whoever comes then is asked to come again. */
const MOST_WAITING = 256;

/**
 * Answers searches, and lists that take as long, in a thread of their own, one after the other, so that they keep
 * nobody else waiting. The thread starts with the first; one that ends is started anew.
 */
export class Searches {
  readonly #path: string;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #last = 0;

  /** @param path of the store's file */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * @returns undefined when the route knows nothing of what is asked
   * @throws ForemarkError service_unavailable when too many wait, or the thread ended meanwhile
   */
  answer(request: Omit<SearchRequest, 'number'>): Promise<Answered | undefined> {
    if (this.#waiting.size >= MOST_WAITING)
      throw new ForemarkError('service_unavailable', 'too many searches wait; retry in a few seconds');
    this.#thread ??= this.#start();
    const number = ++this.#last;
    const answered = new Promise<Answered | undefined>((resolve, reject) =>
      this.#waiting.set(number, { resolve, reject }),
    );
    this.#thread.postMessage({ ...request, number } satisfies SearchRequest);
    return answered;
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
      else if (refused) waiting?.reject(new ForemarkError(refused.code, refused.message));
      else waiting?.resolve(answered);
    });
    thread.on('error', (thrown) => {
      why = thrown instanceof Error ? thrown : new Error(String(thrown));
    });
    thread.on('exit', () => {
      this.#thread = undefined;
      const all = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of all)
        reject(
          why ?? new ForemarkError('service_unavailable', 'the search was cut off; retry in a few seconds'),
        );
    });
    return thread;
  }
}
