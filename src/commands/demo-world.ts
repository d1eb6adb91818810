import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ForemarkError } from '../model/errors.ts';

/** What the simulated world prints once it listens. */
export interface World {
  now: string;
  /** Settings that replace the address of every venue, registry and feed by its own. */
  settings: object;
  close(): void;
}

/** Starts the simulated world as a separate process, which ends when its standard input is closed. */
export async function startWorld(): Promise<World> {
  const extension = extname(import.meta.filename);
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'world', `serve${extension}`);
  const child = spawn(process.execPath, [script, '--port', '0'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [undefined])]);
  if (typeof line !== 'string')
    throw new ForemarkError('venue_unavailable', 'the simulated world did not start');
  return { ...(JSON.parse(line) as Omit<World, 'close'>), close: () => child.stdin.end() };
}
