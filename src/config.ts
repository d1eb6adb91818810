import { existsSync, readFileSync } from 'node:fs';
import { type Config, config } from './model/config.ts';
import { ForemarkError, messageOf } from './model/errors.ts';

const DEFAULT_FILE = 'foremark.json';
const PREFIX = 'FOREMARK_';

/**
 * The settings: those of a file, each overridden by its environment variable, the rest at their defaults. An
 * empty variable is as good as none.
 *
 * @param file named by the user; without one foremark.json is read where it exists
 * @throws ForemarkError invalid_configuration naming the file or variable, the setting and what is allowed
 */
export function loadConfig(
  file: string | undefined,
  environment: Record<string, string | undefined>,
): Config {
  const path = file ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined);
  const settings = path === undefined ? {} : readSettings(path);
  const origins = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || value === undefined || value === '') continue;
    const keys = name.slice(PREFIX.length).toLowerCase().split('__');
    set(settings, keys, readVariable(name, value));
    origins.set(keys.join('.'), name);
  }
  // Read once: to compile what reads it would take longer.
  const result = config.safeParse(settings, { jitless: true });
  if (result.success) return result.data;
  const originOf = (setting: string) =>
    [...origins].find(([key]) => isWithin(key, setting) || isWithin(setting, key))?.[1] ??
    path ??
    'configuration';
  const lines = result.error.issues.flatMap((issue) => {
    const place = issue.path.map(String);
    const places = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...place, key]) : [place];
    return places.map((keys) => {
      const setting = keys.join('.');
      const problem = issue.code === 'unrecognized_keys' ? 'there is no such setting' : issue.message;
      return `${originOf(setting)}: ${setting}: ${problem}`;
    });
  });
  throw new ForemarkError('invalid_configuration', lines.join('\n'));
}

function isWithin(setting: string, other: string): boolean {
  return `${setting}.`.startsWith(`${other}.`);
}

function readSettings(path: string): Record<string, unknown> {
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new ForemarkError('invalid_configuration', `${path}: ${messageOf(cause)}`, { cause });
  }
  if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return { ...settings };
  throw new ForemarkError('invalid_configuration', `${path}: must be a JSON object`);
}

/** The value that a variable's text stands for: a number, true, false or a JSON list is read as such. */
function readVariable(name: string, text: string): unknown {
  if (!/^(true|false|-?\d+(\.\d+)?|\[.*\])$/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ForemarkError('invalid_configuration', `${name}: ${messageOf(cause)}`, { cause });
  }
}

/** Sets a nested setting. */
function set(settings: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  const [key = '', ...rest] = keys;
  if (rest.length === 0) {
    settings[key] = value;
    return;
  }
  const inner = settings[key];
  const next: Record<string, unknown> = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  settings[key] = next;
  set(next, rest, value);
}
