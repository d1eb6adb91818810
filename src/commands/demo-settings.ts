import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEffects } from '../effects.ts';
import { type Config, config as configSchema } from '../model/config.ts';
import { parseInstant } from '../model/time.ts';
import type { CommandContext } from './context.ts';
import type { World } from './demo-world.ts';
import { packageRoot } from './package-root.ts';
import { writeWhole } from './write-whole.ts';

/** The settings of a demo, in its folder. */
export const SETTINGS_FILE = 'foremark.json';

/** The label of the data, which also marks the settings as a demo's. */
const LABEL = 'simulated';

/** A command's context with the settings and the clock of the simulated world. */
export function demoContext(context: CommandContext, folder: string, world: World): CommandContext {
  const config = configSchema.parse({
    store: join(folder, 'foremark.db'),
    definitions: join(packageRoot(), 'data', 'simulated'),
    data_label: LABEL,
    // The venues' own names do not belong beside invented prices.
    venue_names: { venue_a: 'Venue A', venue_b: 'Venue B', venue_c: 'Venue C' },
    publish: { folder: join(folder, 'public') },
    serve: context.config.serve,
    ...world.settings,
  });
  return { ...context, config, effects: createEffects(parseInstant(world.now)) };
}

/**
 * Writes settings with which the other commands show the demo's results. They disable all venues, so that no real
 * prices are stored beside simulated ones.
 */
export function writeSettings(
  { store, definitions, data_label, venue_names, publish }: Config,
  folder: string,
): string {
  const settings = {
    store,
    definitions,
    data_label,
    venue_names,
    publish: { folder: publish.folder },
    ...askNobody(),
  };
  // Written whole: the next demo would not recognise its own folder by half a file.
  writeWhole(folder, SETTINGS_FILE, `${JSON.stringify(settings, null, 2)}\n`);
  return join(folder, SETTINGS_FILE);
}

/** Settings that disable every venue and registry. */
export function askNobody() {
  const { venues, registries } = configSchema.parse({});
  const off = (group: object) =>
    Object.fromEntries(Object.keys(group).map((name) => [name, { enabled: false }]));
  return { venues: off(venues), registries: off(registries) };
}

/** Whether the settings in a folder are those of a demo. */
export function isDemoFolder(folder: string): boolean {
  try {
    const settings = JSON.parse(readFileSync(join(folder, SETTINGS_FILE), 'utf8')) as {
      data_label?: unknown;
    };
    return settings.data_label === LABEL;
  } catch {
    return false;
  }
}
