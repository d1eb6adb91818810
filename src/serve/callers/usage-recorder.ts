import { messageOf } from '../../model/errors.ts';
import { getOrInsert } from '../../model/memoized.ts';
import { addRequestCounts, type RequestCount } from '../../store/request-counts.ts';
import type { Writer } from '../../store/store.ts';

/** A counted request: the account, the path template and the UTC day. */
type Request = Pick<RequestCount, 'organization' | 'day' | 'endpoint'>;

/**
 * Counts the requests of accounts in memory, to be written to the store now and then, so that no request waits for it.
 * While a run holds the store the counts wait for the next try.
 */
export class UsageRecorder {
  readonly #write: <T>(work: (writer: Writer) => T) => T;
  readonly #pending = new Map<string, RequestCount>();

  /** @param write runs one transaction, or throws when the store cannot be had at once */
  constructor(write: <T>(work: (writer: Writer) => T) => T) {
    this.#write = write;
  }

  /** Counts an answered request. Those refused by a budget are not counted. */
  record(request: Request, successful: boolean): void {
    const name = JSON.stringify([request.organization, request.day, request.endpoint]);
    const count = getOrInsert(this.#pending, name, () => ({ ...request, successful: 0, failed: 0 }));
    count[successful ? 'successful' : 'failed']++;
  }

  /** Writes the counts. @returns why the store could not be written; the counts are then kept */
  flush(): string | undefined {
    const counts = [...this.#pending.values()];
    if (counts.length === 0) return undefined;
    try {
      this.#write((writer) => addRequestCounts(writer, counts));
    } catch (thrown) {
      return messageOf(thrown);
    }
    this.#pending.clear();
    return undefined;
  }
}
