import { setTimeout as wait } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { getOrInsert } from '../model/memoized.ts';

/** Upper bounds of the histogram's buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Until then the delay of the event loop has not been sampled, and would be given as NaN and as 292 years. */
const FIRST_SAMPLES_MS = 100;

interface Tally {
  byStatus: Map<number, number>;
  /** The number of requests by bucket; the last one counts those above all bounds. */
  byTime: number[];
  seconds: number;
}

/**
 * The metrics of the server, in the text format of Prometheus. Requests are counted here, at the cost of a few additions;
 * the metrics of the process come from a library that is loaded on the first request.
 */
export class Metrics {
  readonly #tallies = new Map<string, Tally>();
  #process: Promise<Registry> | undefined;

  /** Counts a request. Paths are templates, since the number of ids is unbounded. */
  record(path: string, status: number, seconds: number): void {
    const tally = getOrInsert(this.#tallies, path, () => ({
      byStatus: new Map(),
      byTime: Array(BUCKETS.length + 1).fill(0),
      seconds: 0,
    }));
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
    const bucket = BUCKETS.findIndex((end) => seconds <= end);
    const place = bucket < 0 ? BUCKETS.length : bucket;
    tally.byTime[place] = (tally.byTime[place] ?? 0) + 1;
    tally.seconds += seconds;
  }

  /** All metrics as text. @param more further lines in the same format */
  async text(more: readonly string[]): Promise<{ body: string; contentType: string }> {
    this.#process ??= describeProcess();
    const registry = await this.#process;
    const body = `${await registry.metrics()}\n${[...this.#requestLines(), ...this.#timeLines(), ...more].join('\n')}\n`;
    return { body, contentType: registry.contentType };
  }

  *#requestLines(): Generator<string> {
    const name = 'foremark_requests_total';
    yield `# HELP ${name} Requests answered, by path template and status`;
    yield `# TYPE ${name} counter`;
    for (const [path, { byStatus }] of this.#tallies)
      for (const [status, count] of byStatus) yield `${name}{path="${path}",status="${status}"} ${count}`;
  }

  *#timeLines(): Generator<string> {
    const name = 'foremark_request_seconds';
    yield `# HELP ${name} Time until an answer is ready, by path template`;
    yield `# TYPE ${name} histogram`;
    for (const [path, { byTime, seconds }] of this.#tallies) {
      let count = 0;
      for (const [i, more] of byTime.entries()) {
        count += more;
        yield `${name}_bucket{le="${BUCKETS[i] ?? '+Inf'}",path="${path}"} ${count}`;
      }
      yield `${name}_sum{path="${path}"} ${seconds}`;
      yield `${name}_count{path="${path}"} ${count}`;
    }
  }
}

async function describeProcess(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const register = new Registry();
  collectDefaultMetrics({ register });
  await wait(FIRST_SAMPLES_MS);
  return register;
}
