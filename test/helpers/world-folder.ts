/** A working folder as a user has it around a served world: settings, and some of the definitions of data/simulated. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFor } from '../../scripts/world/settings.ts';

const SIMULATED = join(import.meta.dirname, '../../data/simulated');

/** Names of files in data/simulated, without their ending. */
export type Chosen = Record<'indices' | 'rates', readonly string[]>;

export type WorldSettings = ReturnType<typeof settingsFor>;

/**
 * Makes the folder.
 *
 * @param settings changes the settings, by which every venue and registry of the world is asked
 * @param base_at where the series begin, if not where their definitions say
 */
export function makeWorldFolder(
  folder: string,
  {
    origin,
    chosen,
    settings,
    base_at,
  }: { origin: string; chosen: Chosen; settings: (all: WorldSettings) => object; base_at?: string },
): void {
  for (const [kind, names] of Object.entries(chosen)) {
    mkdirSync(join(folder, 'definitions', kind), { recursive: true });
    for (const name of names) {
      const definition = JSON.parse(readFileSync(join(SIMULATED, kind, `${name}.json`), 'utf8'));
      const since = kind === 'indices' ? 'base_at' : 'start_at';
      if (base_at !== undefined) definition[since] = base_at;
      writeFileSync(join(folder, 'definitions', kind, `${name}.json`), JSON.stringify(definition));
    }
  }
  writeFileSync(join(folder, 'foremark.json'), JSON.stringify(settings(settingsFor(origin))));
}
