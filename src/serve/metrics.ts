import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What the server tells its operator about itself, in the text form of Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<'path' | 'status'>;
  readonly #seconds: Histogram<'path'>;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({
      name: 'foremark_requests_total',
      help: 'Requests answered, by path template and status',
      labelNames: ['path', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'foremark_request_seconds',
      help: 'Time until an answer is ready, by path template',
      labelNames: ['path'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    });
  }

  /** Notes a request. Paths are templates: ids would be without number. */
  record(path: string, status: number, seconds: number): void {
    this.#requests.inc({ path, status });
    this.#seconds.observe({ path }, seconds);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
