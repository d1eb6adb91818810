import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ForemarkError } from '../../model/errors.ts';
import type { RouteRequest } from '../../routes/route.ts';
import type { PagedAnswer } from '../answers/answer.ts';
import { FairQueue } from './fair-queue.ts';
import { threadFailure } from './thread-failure.ts';

/** A request to the search thread. */
export interface SearchRequest extends Omit<RouteRequest, 'reader' | 'hasTime'> {
  /** The path of the route. */
  path: string;
}

export interface SearchReply {
  answered?: PagedAnswer | undefined;
  /** The fields of a ForemarkError, whose class is lost between threads. */
  refused?: Pick<ForemarkError, 'code' | 'message' | 'detail' | 'retryAfterSeconds'>;
  fault?: string;
}

interface Search {
  request: SearchRequest;
  resolve(answered: PagedAnswer | undefined): void;
  reject(thrown: Error): void;
}

/** The longest queue; when it is full, the asker with the most searches in it loses one. */
const MOST_WAITING = 256;

/** The longest wait; a connection idle for much longer would be closed. */
const PATIENCE_MS = 20_000;

/**
 * Answers searches and other slow lists one by one in a thread of their own, so that they block nobody else. Askers take
 * turns. The thread starts with the first search, and is restarted if it ends.
 */
export class Searches {
  readonly #path: string;
  readonly #patienceMs: number;
  readonly #waiting = new FairQueue<Search>();
  #underWay: Search | undefined;
  #thread: Worker | undefined;

  /**
   * @param path of the store's file
   * @param patienceMs how long a search may wait
   */
  constructor(path: string, patienceMs = PATIENCE_MS) {
    this.#path = path;
    this.#patienceMs = patienceMs;
  }

  /**
   * @param asker who asked: an account, or an address
   * @returns undefined when the route has no answer
   * @throws ForemarkError service_unavailable when too many wait, it takes too long, or the thread ended meanwhile
   */
  answer(request: SearchRequest, asker: string): Promise<PagedAnswer | undefined> {
    if (this.#waiting.size >= MOST_WAITING) {
      const tooMany = unavailable('too many searches wait');
      const gone = this.#waiting.makeRoom(asker);
      if (!gone) throw tooMany;
      gone.reject(tooMany);
    }
    const { promise, resolve, reject } = Promise.withResolvers<PagedAnswer | undefined>();
    const search = { request, resolve, reject };
    const late = setTimeout(() => {
      this.#waiting.remove(asker, search);
      reject(unavailable('searches take too long at present'));
    }, this.#patienceMs);
    this.#waiting.add(asker, search);
    this.#startNext();
    const settle = () => clearTimeout(late);
    promise.then(settle, settle);
    return promise;
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  /** Starts the next waiting search, unless one is under way. */
  #startNext(): void {
    if (this.#underWay) return;
    this.#underWay = this.#waiting.next();
    if (!this.#underWay) return;
    this.#thread ??= this.#start();
    this.#thread.postMessage(this.#underWay.request);
  }

  #start(): Worker {
    const thread = new Worker(new URL(`./search-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: { path: this.#path },
    });
    let why: Error | undefined;
    thread.on('message', ({ answered, refused, fault }: SearchReply) => {
      const search = this.#underWay;
      this.#underWay = undefined;
      this.#startNext();
      if (fault !== undefined) search?.reject(new Error(fault));
      else if (refused) search?.reject(new ForemarkError(refused.code, refused.message, refused));
      else search?.resolve(answered);
    });
    thread.on('error', (thrown) => {
      why = threadFailure(thrown);
    });
    thread.on('exit', () => {
      this.#thread = undefined;
      const all = [this.#underWay, ...this.#waiting.clear()];
      this.#underWay = undefined;
      for (const search of all) search?.reject(why ?? unavailable('the search was cut off'));
    });
    return thread;
  }
}

function unavailable(why: string): ForemarkError {
  return new ForemarkError('service_unavailable', `${why}; retry in a few seconds`);
}
