import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The command's own file. */
export const MAIN = join(import.meta.dirname, '../../src/main.mjs');

/** How a command ended and what it said. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface RunOptions {
  /** The working folder. Settings in the environment of the test are not passed on. */
  cwd: string;
  env?: Record<string, string>;
  /** Where standard output goes instead of into a pipe. */
  stdout?: number;
  /** The size in KiB beyond which no file can be written, as on a full disk. */
  largest_file_kib?: number;
}

/** Whether a variable of the environment is a setting of the product. */
export const isSetting = (name: string): boolean => name.startsWith('FOREMARK_');

/** Starts the command as a user would, its output in pipes. */
export function startCli(
  args: readonly string[],
  { cwd, env = {}, stdout, largest_file_kib }: RunOptions,
): ChildProcess {
  const own = Object.entries(process.env).filter(([name]) => !isSetting(name));
  const limit =
    largest_file_kib === undefined
      ? []
      : ['sh', '-c', 'ulimit -f "$0" && exec "$@"', String(2 * largest_file_kib)];
  const [command = '', ...rest] = [...limit, process.execPath, MAIN, ...args];
  return spawn(command, rest, {
    cwd,
    env: { ...Object.fromEntries(own), ...env },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
  });
}

/** Runs the command to its end, in a process of its own. */
export async function runCli(args: readonly string[], options: RunOptions): Promise<Ended> {
  return ended(startCli(args, options));
}

/** Waits for a started command to end. */
export function ended(child: ChildProcess): Promise<Ended> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** The same, but kills it after some milliseconds if it has not ended by then; its code is then null. */
export async function endedWithin(child: ChildProcess, milliseconds: number): Promise<Ended> {
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  try {
    return await ended(child);
  } finally {
    clearTimeout(timer);
  }
}
