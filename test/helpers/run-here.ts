import { vi } from 'vitest';
import { runCli } from '../../src/cli.ts';
import { type Ended, isSetting, type RunOptions } from './run-cli.ts';

/**
 * Runs the command line within the process of the test, which takes a tenth of the time of a separate process. How a process
 * starts, ends and reports faults is tested with run-cli.ts.
 */
export async function runHere(
  args: readonly string[],
  { cwd, env = {} }: Omit<RunOptions, 'stdout'>,
): Promise<Ended> {
  const ended: Ended = { code: null, out: '', err: '' };
  const collect = (stream: NodeJS.WriteStream, said: 'out' | 'err') =>
    vi.spyOn(stream, 'write').mockImplementation((text, ...more: unknown[]) => {
      ended[said] += String(text);
      const written = more.at(-1);
      if (typeof written === 'function') written();
      return true;
    });
  const streams = [collect(process.stdout, 'out'), collect(process.stderr, 'err')];
  for (const name of Object.keys(process.env).filter(isSetting)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const folder = process.cwd();
  process.chdir(cwd);
  try {
    ended.code = await runCli(args);
    return ended;
  } finally {
    process.chdir(folder);
    vi.unstubAllEnvs();
    for (const each of streams) each.mockRestore();
  }
}
