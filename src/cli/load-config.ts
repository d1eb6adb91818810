import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type Config, config, publishedFolder } from '../model/config.ts';
import { ForemarkError, messageOf } from '../model/errors.ts';
import { parseWritten, readWritten, type WrittenProblem } from '../model/written-value.ts';

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
  // By name: without its settings, a run would begin a store of its own.
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
  if (value !== undefined) problems = [...exposedPaths(value), ...fontProblems(value)];
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

/** A store or definitions inside the publication folder would be readable by anybody. */
function exposedPaths({ publish, ...config }: Config): WrittenProblem[] {
  const folder = publishedFolder(publish);
  if (folder === undefined) return [];
  const lies = (path: string) => liesIn(folder, path) || liesIn(linkedPath(folder), linkedPath(path));
  return (['store', 'definitions'] as const)
    .filter((name) => lies(config[name]))
    .map((name) => ({
      path: [name],
      message: 'must not be in publish.folder, whose files anybody can read',
    }));
}

/** How files of TrueType and OpenType fonts begin, and collections of them. */
const FONT_BEGINS: readonly string[] = ['\0\u0001\0\0', 'OTTO', 'true', 'ttcf'];

/** The renderer takes no notice of a font that it cannot read. */
function fontProblems({ publish: { card_fonts: files } }: Config): WrittenProblem[] {
  return files.flatMap((file, i) => {
    const found = existsSync(file) && statSync(file).isFile();
    if (found && FONT_BEGINS.includes(readFileSync(file).toString('latin1', 0, 4))) return [];
    const message = found ? 'is no TrueType or OpenType font' : 'is not there';
    return [{ path: ['publish', 'card_fonts', i], message: `${file} ${message}` }];
  });
}

function liesIn(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && !/^\.\.([/\\]|$)/.test(way);
}

/** A path with its symbolic links resolved, as far as it exists. */
function linkedPath(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  return join(linkedPath(dirname(whole)), basename(whole));
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
