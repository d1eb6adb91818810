/**
 * Command of the replay server: `node test/replay/serve.ts <scenario> [--now ISO] [--stay]`.
 * Prints one JSON line with the venues' base addresses, and ends when stdin closes (not with --stay) or on
 * SIGTERM. Exit 2 on wrong usage.
 */
import { parseArgs } from 'node:util';
import { scenarioNames, startReplay } from './replay.ts';

const usage = `usage: node test/replay/serve.ts <scenario> [--now ISO] [--stay]
scenarios: ${scenarioNames.join(', ')}
`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { now: { type: 'string' }, stay: { type: 'boolean', default: false } },
  });
  const [scenario, ...rest] = positionals;
  if (scenario === undefined || rest.length > 0) throw new Error('one scenario is needed');
  const replay = await startReplay(scenario, values.now === undefined ? {} : { now: values.now });
  const end = (): void => {
    void replay.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  if (!values.stay) process.stdin.on('end', end).resume();
  process.stdout.write(`${JSON.stringify({ origin: replay.origin, ...replay.endpoints })}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 2;
}
