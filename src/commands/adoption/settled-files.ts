import { type DefinitionFiles, readDefinitionFiles } from '../../store/definitions/definition-files.ts';
import { listIndexDefinitions, listRateDefinitions } from '../../store/definitions/definitions.ts';
import type { Reader, Store } from '../../store/store.ts';
import type { CommandContext } from '../context.ts';

/** Text editors and checkouts replace a file in less time. */
const WRITTEN_WITHIN_MS = 250;

/**
 * Reads the definitions of the configured folder. If a file is missing or has a problem, reads again a moment later: it
 * may be half written or about to be replaced, and the notice of a withdrawal cannot be undone.
 */
export async function readSettledFiles(
  store: Store,
  { config, effects }: Pick<CommandContext, 'config' | 'effects'>,
): Promise<DefinitionFiles> {
  const files = readDefinitionFiles(config.definitions);
  if (files.problems.length === 0 && store.read((reader) => hasAll(files, reader))) return files;
  await effects.sleep(WRITTEN_WITHIN_MS);
  return readDefinitionFiles(config.definitions);
}

/** Whether every definition in force has its file. */
function hasAll({ indexFiles, rateFiles }: DefinitionFiles, reader: Reader): boolean {
  return (
    listIndexDefinitions(reader).every(({ definition }) => indexFiles.has(definition.ticker)) &&
    listRateDefinitions(reader).every(({ definition }) => rateFiles.has(definition.ticker))
  );
}
