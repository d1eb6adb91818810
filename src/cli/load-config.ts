import { lstatSync, readFileSync, statSync } from 'node:fs';
import { type Config, config } from '../model/config.ts';
import { ForemarkError, messageOf } from '../model/errors.ts';
import { parseWritten, readWritten, type WrittenProblem } from '../model/written-value.ts';
import { fileProblems } from './file-problems.ts';

const DEFAULT_FILE = 'foremark.json';
const PREFIX = 'FOREMARK_';

/**
 * The settings: defaults, overridden by the file, overridden by environment variables. An empty variable counts as unset.
 *
 * @param file named by the user; otherwise foremark.json, if it exists
 * @throws ForemarkError invalid_configuration naming the file or variable, the setting and what is allowed
 */
export function loadConfig(
  file: string | undefined,
  environment: Record<string, string | undefined>,
): Config {
  // A link to nothing counts as a file, and is refused: without its settings, a run would begin a store of its own.
  const path = file ?? (lstatSync(DEFAULT_FILE, { throwIfNoEntry: false }) ? DEFAULT_FILE : undefined);
  const settings = path === undefined ? {} : readSettings(path);
  const variables = Object.entries(environment).flatMap(([name, text]) =>
    name.startsWith(PREFIX) && text ? [variableOf(name, text)] : [],
  );
  for (const { keys, text } of variables) set(settings, keys, text);
  let { value, problems } = readWritten(config, settings, { once: true });
  // A variable is tried as text first, even if it is all digits; where the setting takes no text, as JSON.
  const texts = problems.map(settingOf);
  const others = variables.filter(({ setting }) => texts.includes(setting));
  if (others.length > 0) {
    for (const { keys, text } of others) set(settings, keys, jsonOf(text));
    ({ value, problems } = readWritten(config, settings, { once: true }));
  }
  if (value !== undefined) problems = fileProblems(value);
  if (value !== undefined && problems.length === 0) return value;
  const originOf = (setting: string) =>
    variables.find((each) => isWithin(each.setting, setting) || isWithin(setting, each.setting))?.name ??
    path ??
    'configuration';
  const lines = problems.map((problem) => {
    const setting = settingOf(problem);
    return `${originOf(setting)}: ${setting}: ${problem.message}`;
  });
  throw new ForemarkError('invalid_configuration', lines.join('\n'));
}

interface Variable {
  name: string;
  text: string;
  keys: string[];
  setting: string;
}

function variableOf(name: string, text: string): Variable {
  const keys = name.slice(PREFIX.length).toLowerCase().split('__');
  return { name, text, keys, setting: keys.join('.') };
}

function settingOf({ path }: WrittenProblem): string {
  return path.map(String).join('.');
}

function isWithin(setting: string, other: string): boolean {
  return `${setting}.`.startsWith(`${other}.`);
}

/** @throws also what the system throws where it does not let the file be read: that is no fault of its content */
function readSettings(path: string): Record<string, unknown> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new ForemarkError('invalid_configuration', `${path}: the file does not exist`);
  if (found.isDirectory()) throw new ForemarkError('invalid_configuration', `${path}: must be a file`);
  const file = readFileSync(path);
  let settings: unknown;
  try {
    settings = parseWritten(file);
  } catch (cause) {
    throw new ForemarkError('invalid_configuration', `${path}: ${messageOf(cause)}`, { cause });
  }
  if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return { ...settings };
  throw new ForemarkError('invalid_configuration', `${path}: must be a JSON object`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
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
