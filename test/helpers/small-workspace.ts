/** A folder as a user has it, around a small store: settings, definitions, no venue to ask. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { askNobody } from '../../src/commands/demo-settings.ts';
import { type Ended, runCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import type { Row } from './small-app.ts';
import { INDICES, NOW, openSmallStore, RATES, type SmallStore } from './small-store.ts';

export interface SmallWorkspace {
  small: SmallStore;
  folder: string;
  /** Publishes with the chart cards too, as by default. */
  publishCards(): void;
  /** Runs a command in the folder at {@link NOW}. */
  run(...args: string[]): Promise<Ended>;
  /** The same in a process of its own. */
  runAlone(...args: string[]): Promise<Ended>;
  /** Runs a command that must succeed, and returns its result. */
  json(...args: string[]): Promise<Row>;
  close(): void;
}

/** Makes the folder. */
export function openSmallWorkspace(): SmallWorkspace {
  const small = openSmallStore();
  const { folder } = small;
  const configure = (publish: object) =>
    write(folder, 'foremark.json', {
      definitions: 'definitions',
      ...askNobody(),
      publish,
      serve: { port: 0 },
    });
  // Drawing takes longer than all else of a publish.
  configure({ cards: false });
  INDICES.forEach((each, i) => {
    write(folder, `definitions/indices/${i}.json`, each);
  });
  RATES.forEach((each, i) => {
    write(folder, `definitions/rates/${i}.json`, each);
  });
  const now = new Date(NOW).toISOString();
  const run: SmallWorkspace['run'] = (...args) => runHere(['--now', now, ...args], { cwd: folder });
  return {
    small,
    folder,
    publishCards: () => configure({}),
    run,
    runAlone: (...args) => runCli(['--now', now, ...args], { cwd: folder }),
    async json(...args) {
      const { code, out, err } = await run('--json', ...args);
      expect(code, err).toBe(0);
      return JSON.parse(out) as Row;
    },
    close: () => small.close(),
  };
}

/** Writes a JSON file below a folder. */
export function write(folder: string, name: string, content: unknown): void {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}
