import { planChange, refusedChanges } from '../methodology/index-changes.ts';
import type { IndexDefinition } from '../model/definitions/index-definition.ts';
import { insertAnnouncement } from '../store/definitions/announcements.ts';
import {
  type DefinitionFiles,
  type DefinitionProblem,
  readDefinitionFiles,
} from '../store/definitions/definition-files.ts';
import { adoptDefinitions, findNewestDefinition } from '../store/definitions/definitions.ts';
import { findStanding } from '../store/prints/standings.ts';
import type { Reader, Store } from '../store/store.ts';
import { circleProblems } from './circle-problems.ts';
import type { CommandContext } from './context.ts';
import { heldDefinitions } from './held-definitions.ts';
import { without, withoutLeaks } from './reader-changes.ts';
import { announceScheduled } from './scheduled-notices.ts';

const NONE = { indices: [], rates: [] };

/** A problem of a definition on one line: file, place, and what must stand there. */
export function problemLine({ file, path, message }: DefinitionProblem): string {
  return `${file}${path ? ` at ${path}` : ''}: ${message}`;
}

/**
 * Adopts the definitions of the configured folder before a run. A file with a problem is reported and its
 * earlier definition stays in force; so is one that would change what an index keeps once it has printed, close a circle,
 * or show readers of an index what they may not read. One whose file is gone goes on while an index is still made of it.
 * Changes of what an index prices, its deletions, and the steps of its calendar, are announced first.
 *
 * @returns the problems found
 */
export function adoptFolder(store: Store, context: CommandContext): DefinitionProblem[] {
  const files = readDefinitionFiles(context.config.definitions);
  const { problems } = files;
  const now = context.effects.now();
  const adopted = store.write((writer) => {
    const refused = files.indices.flatMap((index) => problemsOfChange(writer, index, files.indexFiles));
    const kept = without(refused, files.indices);
    const circles = circleProblems(writer, kept, files.indexFiles);
    problems.push(...refused, ...circles);
    const changed = withoutLeaks(writer, { ...files, indices: without(circles, kept) }, now);
    const keepMissing = problems.length > 0;
    const held = keepMissing ? NONE : heldDefinitions(writer, changed);
    const goingOn = [...held.rates, ...held.indices].map((each) => each.ticker);
    if (goingOn.length > 0)
      context.err(`going on without a file, until the change of what is made of it: ${goingOn.join(', ')}`);
    const all = {
      indices: [...changed.indices, ...held.indices],
      rates: [...changed.rates, ...held.rates],
    };
    const report = adoptDefinitions(writer, all, now, {
      keepMissing,
      effectOf(earlier, after) {
        const { notices, takes_effect_at } = planChange(earlier, after, now);
        for (const notice of notices) insertAnnouncement(writer, notice);
        return takes_effect_at;
      },
    });
    announceScheduled(writer, report.withdrawn, now);
    return report;
  });
  for (const problem of problems) context.err(`definition left out: ${problemLine(problem)}`);
  if (adopted.withdrawn.length > 0) context.err(`withdrawn: ${adopted.withdrawn.join(', ')}`);
  return problems;
}

/** The problems of an index that has printed, where its definition would change what it then keeps. */
function problemsOfChange(
  reader: Reader,
  after: IndexDefinition,
  files: DefinitionFiles['indexFiles'],
): (DefinitionProblem & { ticker: string })[] {
  const { ticker } = after;
  const before = findNewestDefinition(reader, 'index', ticker);
  if (!before || 'sources' in before || !findStanding(reader, 'index', ticker)?.body) return [];
  return refusedChanges(before, after).map(({ field, kept }) => ({
    ticker,
    file: files.get(ticker) ?? '',
    path: field,
    message: `${ticker} has printed, so that this must stay ${JSON.stringify(kept)}`,
  }));
}
