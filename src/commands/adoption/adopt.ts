import { planChange } from '../../methodology/index-changes.ts';
import { formatInstant } from '../../model/time.ts';
import { adoptDefinitions } from '../../store/definitions/adopt-definitions.ts';
import {
  insertAnnouncement,
  lastAnnouncementId,
  listAnnouncementsAfter,
} from '../../store/definitions/announcements.ts';
import { type DefinitionProblem, readDefinitionFiles } from '../../store/definitions/definition-files.ts';
import type { Store } from '../../store/store.ts';
import type { CommandContext } from '../context.ts';
import { heldDefinitions } from './held-definitions.ts';
import { withoutRefused } from './refused-definitions.ts';
import { announceScheduled } from './scheduled-notices.ts';

const NONE = { indices: [], rates: [] };

/** A problem of a definition on one line: file, path, and what is expected there. */
export function problemLine({ file, path, message }: DefinitionProblem): string {
  return `${file}${path ? ` at ${path}` : ''}: ${message}`;
}

/**
 * Adopts the definitions of the configured folder before a run, and announces what they change. A definition with a
 * problem, or that the store refuses, is reported and its earlier version stays in force. A definition whose file was
 * removed stays in force while an index still contains it.
 *
 * @returns the problems found
 */
export function adoptFolder(
  store: Store,
  context: CommandContext,
  files = readDefinitionFiles(context.config.definitions),
): DefinitionProblem[] {
  const { problems } = files;
  const now = context.effects.now();
  const adopted = store.write((writer) => {
    const changed = withoutRefused(writer, files, now);
    const lastKnown = lastAnnouncementId(writer);
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
    return { ...report, announced: listAnnouncementsAfter(writer, lastKnown) };
  });
  for (const problem of problems) context.err(`definition left out: ${problemLine(problem)}`);
  for (const { title, body, effective_at } of adopted.announced)
    context.err(`announced for ${formatInstant(effective_at)}: ${title}: ${body}`);
  if (adopted.withdrawn.length > 0) context.err(`withdrawn: ${adopted.withdrawn.join(', ')}`);
  return problems;
}
