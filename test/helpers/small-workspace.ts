/** A folder as a user has it, around a small store: settings, definitions, no venue to ask. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, runCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { INDICES, NOW, openSmallStore, RATES, type SmallStore } from './small-store.ts';

export interface SmallWorkspace {
  small: SmallStore;
  folder: string;
  /** Runs a command in the folder at {@link NOW}. */
  run(...args: string[]): Promise<Ended>;
  /** The same in a process of its own. */
  runAlone(...args: string[]): Promise<Ended>;
  close(): void;
}

/** Makes the folder. */
export function openSmallWorkspace(): SmallWorkspace {
  const small = openSmallStore();
  const { folder } = small;
  const off = { enabled: false };
  write(folder, 'foremark.json', {
    definitions: 'definitions',
    venues: {
      venue_a: off,
      venue_b_global: off,
      venue_b_us: off,
      venue_c: off,
      venue_c_forecastex: off,
    },
    registries: { cftc: off },
    serve: { port: 0 },
  });
  INDICES.forEach((each, i) => {
    write(folder, `definitions/indices/${i}.json`, each);
  });
  RATES.forEach((each, i) => {
    write(folder, `definitions/rates/${i}.json`, each);
  });
  const now = new Date(NOW).toISOString();
  return {
    small,
    folder,
    run: (...args) => runHere(['--now', now, ...args], { cwd: folder }),
    runAlone: (...args) => runCli(['--now', now, ...args], { cwd: folder }),
    close: () => small.close(),
  };
}

/** Writes a JSON file below a folder. */
export function write(folder: string, name: string, content: unknown): void {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}
