import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../model/counted.ts';
import { readDefinitionFiles } from '../store/definitions/definition-files.ts';
import { problemLine } from './adoption/adopt.ts';
import { foreseeRun, nextRunLines } from './adoption/next-run.ts';
import { withoutRefused } from './adoption/refused-definitions.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';
import { withStore } from './with-store.ts';

/**
 * Validates the definitions of a folder and shows every problem with its file and place. Those of the configured folder
 * are also checked against the store, if there is one: the output shows which definitions the next run would refuse,
 * which tickers it would withdraw, when changed indices take effect, and which markets are not in the catalog yet. Only
 * what is refused affects the exit code, since the rest may be intended.
 */
export function checkCommand(context: CommandContext, folder: string): ExitCode {
  const { config, effects } = context;
  const files = readDefinitionFiles(folder);
  const { problems } = files;
  const isNextRuns = resolve(folder) === resolve(config.definitions) && existsSync(config.store);
  const { indices, rates, ...ahead } = isNextRuns
    ? withStore(context, 'read', (store) =>
        store.read((reader) => {
          const kept = withoutRefused(reader, files, effects.now());
          return { ...kept, ...foreseeRun(reader, { ...files, ...kept }, effects.now()) };
        }),
      )
    : { ...files, withdraws: [], changes: [], unlisted: [] };
  const { withdraws, changes, unlisted } = ahead;
  const found = problems.length === 0 ? 'no problems' : counted(problems.length, 'problem');
  tell(context, { indices: indices.length, rates: rates.length, problems, withdraws, changes, unlisted }, [
    ...problems.map(problemLine),
    ...nextRunLines(ahead),
    `${folder}: ${counted(indices.length, 'index', 'indices')}, ${counted(rates.length, 'rate')}, ${found}`,
  ]);
  return problems.length === 0 ? EXIT.complete : EXIT.usage;
}
