/** Command: serves the simulated world until its standard input closes or it is told to stop. */
import { parseArgs } from 'node:util';
import { exitWithNpm } from '../../src/cli/exit-with-npm.ts';
import { messageOf } from '../../src/model/errors.ts';
import { iso } from './calendar.ts';
import { serveWorld } from './http/server.ts';
import { settingsFor } from './settings.ts';
import { createWorld, type WorldOptions } from './world.ts';

const OPTIONS = {
  port: { type: 'string', default: '0' },
  seed: { type: 'string', default: '7' },
  now: { type: 'string' },
  running: { type: 'boolean', default: false },
  markets: { type: 'string', default: '3000' },
  days: { type: 'string' },
  epoch: { type: 'string' },
  'historical-cutoff': { type: 'string' },
  stay: { type: 'boolean', default: false },
} as const;

const values = readOptions();

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (thrown) {
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    return stop(`${messageOf(thrown)}\noptions: ${names.join(', ')}`);
  }
}

function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) return stop(`--${name} must be a whole number, got ${text}`);
  return value;
}

function readInstant(name: string, text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return stop(`--${name} must be an instant, got ${text}`);
  return at;
}

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const options: WorldOptions = {
  seed: readNumber('seed', values.seed),
  markets: readNumber('markets', values.markets),
  // `--now real` is the machine's clock, running.
  running: values.running || values.now === 'real',
  ...(values.now === undefined
    ? {}
    : { now: values.now === 'real' ? Date.now() : readInstant('now', values.now) }),
  ...(values.days === undefined ? {} : { days: readNumber('days', values.days) }),
  ...(values.epoch === undefined ? {} : { epoch: readInstant('epoch', values.epoch) }),
  ...(values['historical-cutoff'] === undefined
    ? {}
    : { historical_cutoff: readInstant('historical-cutoff', values['historical-cutoff']) }),
};

const world = createWorld(options);
const served = await serveWorld(world, { port: readNumber('port', values.port) });
const { origin } = served;
process.stdout.write(
  `${JSON.stringify({
    origin,
    now: iso(world.now()),
    epoch: iso(world.epoch),
    seed: world.seed,
    markets: world.catalog.kalshi.market_list.length + world.catalog.polymarket.market_list.length,
    settings: settingsFor(origin),
  })}\n`,
);

const leave = async (): Promise<void> => {
  await served.close();
  process.exit(0);
};
process.once('SIGTERM', leave);
process.once('SIGINT', leave);
if (values.stay) exitWithNpm();
else {
  // A parent that dies closes the pipe, so no world is left behind.
  process.stdin.resume();
  process.stdin.once('end', leave);
  process.stdin.once('close', leave);
}
