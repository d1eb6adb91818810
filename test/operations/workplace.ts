/** The folder that everything is done to: a served world around it, its clock, and the commands that are run in it. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatInstant } from '../../src/model/time.ts';
import { openStore, type Reader } from '../../src/store/store.ts';
import { type Ended, endedWithin, startCli } from '../helpers/run-cli.ts';
import { makeWorldFolder } from '../helpers/world-folder.ts';
import { type OpenWorld, openWorld } from '../world/open-world.ts';
import { bucketOutlet, folderOutlet, type Outlet } from './outlet.ts';
import { RunningServer } from './running-server.ts';

const FIRST = Date.parse('2026-10-29T12:00:00Z');
/** A few days before the first run, so that the first fill takes a second. */
const BASE_AT = '2026-10-27T00:00:00Z';
/** No command takes a tenth of this. */
const HANGS_MS = 180_000;

/** A composite and a total return with what they are made of; rates of a venue, of two, of a chain. */
const CHOSEN = {
  indices: ['simfedease', 'simfedease.tr', 'simboeease', 'simecbease', 'simmacro', 'simease.g', 'simhold.g'],
  rates: [
    'sim.fed.2026-12.hold',
    'sim.fed.2026-12.hold.m',
    'sim.fed.2026-12.hold.v',
    'sim.fed.next.hold',
    'sim.ecb.2026-12.cut25',
    'sim.boe.2026-12.hold',
  ],
};

/** Lines that no command writes unless there is a fault of the program. */
const FAULTS = /^ +at .*:\d+:\d+\)?$|please report this|^request \S+: |Assertion|SQLITE_/m;

export interface RunOptions {
  /** Kills it after so many milliseconds, if it has not ended by then. */
  killAfter?: number | undefined;
  /** Runs it as on a full disk: no file can be written beyond this size. */
  largest_file_kib?: number | undefined;
}

export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'foremark-operations-'));
  readonly open: OpenWorld;
  readonly outlet: Outlet;
  now = FIRST;
  server: RunningServer | undefined;
  /** Each print that was ever seen, with its hash. */
  prints: ReadonlyMap<string, string> = new Map();
  /** The files of definitions as they were at first. */
  readonly first: { path: string; text: string }[];

  private constructor(open: OpenWorld, bucket: Outlet | undefined) {
    this.open = open;
    this.outlet = bucket ?? folderOutlet(this.path('public'));
    makeWorldFolder(this.folder, {
      origin: open.served.origin,
      chosen: CHOSEN,
      base_at: BASE_AT,
      settings: (all) => ({
        ...all,
        ingest: { full_crawl_minutes: 90, attempts: 2, request_timeout_seconds: 2, deadline_seconds: 30 },
        // Drawing them takes longer than all else of a publish; a change of the settings asks for them.
        publish: { cards: false, ...this.outlet.settings },
        serve: { port: 0, budget_requests: 1_000_000, drain_seconds: 0.1 },
      }),
    });
    // In place of price baskets, which this world does not have.
    const macro = this.path('definitions/indices/simmacro.json');
    const composite = JSON.parse(readFileSync(macro, 'utf8'));
    composite.weighting.categories = { policy: 1 };
    composite.constituents = ['SIMFEDEASE', 'SIMECBEASE', 'SIMEASE.G', 'SIMHOLD.G'].map((index) => ({
      index,
      category: 'policy',
    }));
    writeFileSync(macro, JSON.stringify(composite));
    this.first = this.definitionFiles().map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  }

  /** Makes one that publishes to a folder, or to a bucket where the seed is odd. */
  static async make(seed: number): Promise<Workplace> {
    const open = await openWorld({ seed, now: FIRST, days: 8, topics: ['central-banks'] });
    return new Workplace(open, seed % 2 === 1 ? await bucketOutlet() : undefined);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** The settings, which a change of them replaces. */
  get settings(): Settings {
    return JSON.parse(readFileSync(this.path('foremark.json'), 'utf8'));
  }

  set settings(settings: Settings) {
    writeFileSync(this.path('foremark.json'), JSON.stringify(settings));
  }

  goOn(milliseconds: number): void {
    this.now += milliseconds;
    this.open.world.setNow(this.now);
  }

  /** Runs a command, and demands of how it ends what holds for all. @returns a code of null where it was killed */
  async run(args: readonly string[], { killAfter, largest_file_kib }: RunOptions = {}): Promise<Ended> {
    const limit = largest_file_kib === undefined ? {} : { largest_file_kib };
    const child = startCli(['--now', formatInstant(this.now), ...args], { cwd: this.folder, ...limit });
    const end = await endedWithin(child, killAfter ?? HANGS_MS);
    const how = end.code === null ? `killed after ${killAfter ?? HANGS_MS} ms` : `ended with ${end.code}`;
    console.log(`     ${args.join(' ')} ${how}`);
    const said = `${args.join(' ')} ${how}:\n${end.out}${end.err}`;
    assert(end.code !== null || killAfter !== undefined, `does not end: ${said}`);
    assert.doesNotMatch(end.out + end.err, FAULTS, said);
    assert([null, 0, 1, 2, 3, 4].includes(end.code), said);
    assert(!end.code || `${end.out}${end.err}`.trim() !== '', `says nothing: ${said}`);
    return end;
  }

  /** Runs a command that must end with one of some codes, 0 where none are named. */
  async must(
    args: readonly string[],
    codes: readonly number[] = [0],
    options: RunOptions = {},
  ): Promise<Ended> {
    const end = await this.run(args, options);
    assert(
      end.code === null || codes.includes(end.code),
      `${args.join(' ')} must end with ${codes.join(' or ')}, got ${end.code}:\n${end.out}${end.err}`,
    );
    return end;
  }

  /** Reads the store as it is between two commands. */
  read<T>(work: (reader: Reader) => T): T {
    const store = openStore(this.path('foremark.db'), { readonly: true });
    try {
      return store.read(work);
    } finally {
      store.close();
    }
  }

  /** The files of definitions, by path. */
  definitionFiles(): string[] {
    return ['indices', 'rates'].flatMap((kind) => {
      const folder = this.path(`definitions/${kind}`);
      return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
    });
  }

  forgetPrints(): void {
    this.prints = new Map();
  }

  async startServer(): Promise<void> {
    const args = ['--now', formatInstant(this.now), 'serve'];
    this.server = await RunningServer.start(startCli(args, { cwd: this.folder }));
  }

  async stopServer(): Promise<void> {
    await this.server?.stop();
    this.server = undefined;
  }

  async close({ keep }: { keep: boolean }): Promise<void> {
    this.server?.kill();
    await this.open.served.close();
    await this.outlet.close();
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }
}

/** As in foremark.json. */
export type Settings = Record<string, Record<string, unknown>>;
