import { draftRebalance } from '../methodology/rebalance-notice.ts';
import { insertAnnouncement } from '../store/announcements.ts';
import { type DefinitionProblem, readDefinitionFiles } from '../store/definition-files.ts';
import { adoptDefinitions } from '../store/definitions.ts';
import type { Store } from '../store/store.ts';
import type { CommandContext } from './context.ts';

/** A problem of a definition as one line: file, place, what it must be. */
export function problemLine({ file, path, message }: DefinitionProblem): string {
  return `${file}: ${path ? `${path}: ` : ''}${message}`;
}

/**
 * Puts the definitions of the configured folder in force before a run. Files with a problem are told and left
 * as they were in force before. A changed index announces itself.
 *
 * @returns the problems found
 */
export function adoptFolder(store: Store, context: CommandContext): DefinitionProblem[] {
  const { problems, ...definitions } = readDefinitionFiles(context.config.definitions);
  const now = context.effects.now();
  const options = { keepMissing: problems.length > 0 };
  const adopted = store.write((writer) => {
    const report = adoptDefinitions(writer, definitions, now, options);
    for (const { before, after } of report.replaced) {
      const notice = draftRebalance(before, after, now);
      if (notice) insertAnnouncement(writer, notice);
    }
    return report;
  });
  for (const problem of problems) context.err(`definition left out: ${problemLine(problem)}`);
  if (adopted.withdrawn.length > 0) context.err(`withdrawn: ${adopted.withdrawn.join(', ')}`);
  return problems;
}
