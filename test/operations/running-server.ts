/** A server beside everything that is done, which is asked meanwhile and never fails. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { type Ended, ended } from '../helpers/run-cli.ts';

/** Paths that are asked besides documents; the last ones must be refused. */
const PATHS = [
  '/',
  '/livez',
  '/readyz',
  '/metrics',
  '/publication.json',
  '/api/v1/openapi.json',
  '/api/v1/public/markets?search=fed&per_page=7',
  '/api/v1/public/events?sort=volume&sort_dir=desc',
  '/api/v1/public/filings?per_page=3&page=2',
  '/api/v1/public/announcements',
  '/api/v1/public/rates?search=hold',
  '/api/v1/public/indices/SIMFEDEASE/correlation',
  '/api/v1/public/indices/SIMFEDEASE?as_of=2026-10-29T12:00:00Z',
  '/api/v1/public/indices?as_of=2026-10-30',
  '/bulk/indices/SIMFEDEASE/history.csv',
  '/cards/indices/SIMFEDEASE.svg',
  '/api/v1/public/markets?per_page=0',
  '/api/v1/public/indices/NOBODY',
  '/api/v1/markets',
];

const PAUSE_MS = 100;

export class RunningServer {
  readonly #child: ChildProcess;
  readonly #end: Promise<Ended>;
  readonly #origin: string;
  /** Answers by status. */
  readonly answers = new Map<number, number>();
  #wrong: string | undefined;
  #asks = true;
  readonly #asking: Promise<void>;

  private constructor(child: ChildProcess, end: Promise<Ended>, origin: string) {
    this.#child = child;
    this.#end = end;
    this.#origin = origin;
    this.#asking = this.#keepAsking();
  }

  /** Waits until a server answers. */
  static async start(child: ChildProcess): Promise<RunningServer> {
    const end = ended(child);
    assert(child.stdout);
    const first = await Promise.race([once(child.stdout, 'data'), end]);
    const origin = String(Array.isArray(first) ? first[0] : '').match(/http:\S+/)?.[0];
    if (origin === undefined) {
      const { code, out, err } = await end;
      assert.fail(`serve ended with ${code}: ${out}${err}`);
    }
    return new RunningServer(child, end, origin);
  }

  /** The status and the text of an answer. A server may fail in no other way than to say that it is rebuilding. */
  async ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
    // On a connection of its own: one that is kept may be closed by the server just as it is used again.
    const response = await fetch(this.#origin + path, { headers: { ...headers, connection: 'close' } });
    const text = await response.text();
    const { status } = response;
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    const isNamed = path === '/readyz' || text.includes('"service_unavailable"');
    assert(status < 500 || (status === 503 && isNamed), `${path} was answered with ${status}: ${text}`);
    return { status, text };
  }

  async #keepAsking(): Promise<void> {
    for (let i = 0; this.#asks; i++) {
      await this.ask(PATHS[i % PATHS.length] as string).catch((thrown: Error) => {
        if (this.#asks) this.#wrong ??= `${PATHS[i % PATHS.length]}: ${thrown.cause ?? thrown.message}`;
      });
      await setTimeout(PAUSE_MS);
    }
  }

  /** Whether everything asked so far was answered. */
  check(): void {
    assert(this.#wrong === undefined, this.#wrong);
    assert(this.#child.exitCode === null, `serve ended with ${this.#child.exitCode}`);
  }

  async stop(): Promise<void> {
    this.check();
    this.#asks = false;
    await this.#asking;
    this.#child.kill('SIGTERM');
    const { code, err } = await this.#end;
    assert.equal(code, 0, `serve, told to stop, ended with ${code}: ${err}`);
    assert.equal(err, '', 'serve says nothing');
  }

  kill(): void {
    this.#asks = false;
    this.#child.kill('SIGKILL');
  }
}
