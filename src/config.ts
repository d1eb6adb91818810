import { existsSync, readFileSync } from 'node:fs';
import { type Config, config } from './model/config.ts';
import { ForemarkError, messageOf } from './model/errors.ts';

const DEFAULT_FILE = 'foremark.json';
const PREFIX = 'FOREMARK_';

/**
 * The settings: those of a file, each overridden by its environment variable, the rest at their defaults.
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
    if (!name.startsWith(PREFIX) || value === undefined) continue;
    const keys = name.slice(PREFIX.length).toLowerCase().split('__');
    set(settings, keys, value);
    origins.set(keys.join('.'), name);
  }
  const result = config.safeParse(settings);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const setting = issue.path.map(String).join('.');
    return `${origins.get(setting) ?? path ?? 'configuration'}: ${setting || 'settings'}: ${issue.message}`;
  });
  throw new ForemarkError('invalid_configuration', lines.join('\n'));
}

function readSettings(path: string): Record<string, unknown> {
  try {
    const settings: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof settings === 'object' && settings !== null) return { ...settings };
  } catch (cause) {
    throw new ForemarkError('invalid_configuration', `${path}: ${messageOf(cause)}`, { cause });
  }
  throw new ForemarkError('invalid_configuration', `${path}: must be a JSON object`);
}

/** Sets a nested setting from text: a number, true, false or a JSON list is read as such. */
function set(settings: Record<string, unknown>, keys: readonly string[], value: string): void {
  const [key = '', ...rest] = keys;
  if (rest.length === 0) {
    settings[key] = /^(true|false|-?\d+(\.\d+)?|\[.*\])$/.test(value) ? JSON.parse(value) : value;
    return;
  }
  const inner = settings[key];
  const next = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  settings[key] = next;
  set(next as Record<string, unknown>, rest, value);
}
