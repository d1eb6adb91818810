import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEffects } from '../effects.ts';
import { type Config, config as configSchema } from '../model/config.ts';
import { parseInstant } from '../model/time.ts';
import type { CommandContext } from './context.ts';
import type { World } from './demo-world.ts';
import { packageRoot } from './package-root.ts';

/** The settings of a demo, in its folder. */
export const SETTINGS_FILE = 'foremark.json';

/** By this label a demo is known. */
const LABEL = 'simulated';

/** The context of a command in the simulated world: its addresses and clock, and no rate limit. */
export function demoContext(context: CommandContext, folder: string, world: World): CommandContext {
  const fast = { requests_per_second: 10_000 };
  const config = configSchema.parse({
    store: join(folder, 'foremark.db'),
    definitions: join(packageRoot(), 'data', 'simulated'),
    data_label: LABEL,
    // The venues' own names do not belong beside invented prices.
    venue_names: { venue_a: 'Venue A', venue_b: 'Venue B', venue_c: 'Venue C' },
    publish: { folder: join(folder, 'public') },
    serve: context.config.serve,
    venues: {
      venue_a: { ...fast, base_url: world.venue_a },
      venue_b_global: {
        ...fast,
        gamma_url: world.gamma,
        clob_url: world.clob,
        data_url: world.data,
      },
      venue_b_us: { ...fast, base_url: world.us },
      venue_c: { weight_per_second: 10_000, base_url: world.outcomes },
      venue_c_forecastex: { ...fast, base_url: world.forecasts },
    },
    registries: {
      cftc: {
        ...fast,
        site: 'https://registry.example',
        base_url: world.cftc,
        pages_a_run: 1000,
        attachments_a_run: 1000,
      },
    },
    news: {
      ...fast,
      feeds: [
        { name: 'wire', url: `${world.news}/wire.rss` },
        { name: 'ledger', url: `${world.news}/ledger.atom` },
        { name: 'herald', url: `${world.news}/herald.json` },
      ],
    },
  });
  return { ...context, config, effects: createEffects(parseInstant(world.now)) };
}

/**
 * Writes settings for looking at what the demo made with the other commands. They ask no venue: real prices do not belong
 * beside simulated ones.
 */
export function writeSettings(
  { store, definitions, data_label, venue_names, publish, ...asked }: Config,
  folder: string,
): string {
  const off = (group: object) =>
    Object.fromEntries(Object.keys(group).map((name) => [name, { enabled: false }]));
  const settings = {
    store,
    definitions,
    data_label,
    venue_names,
    publish: { folder: publish.folder },
    venues: off(asked.venues),
    registries: off(asked.registries),
  };
  const file = join(folder, SETTINGS_FILE);
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
  return file;
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
