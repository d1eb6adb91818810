import type { Announcement, EDITORIAL_TYPES } from '../model/announcement.ts';
import type { Instant } from '../model/units.ts';
import { insertAnnouncement } from '../store/definitions/announcements.ts';
import { listDefinitionHistory } from '../store/definitions/definitions.ts';
import { refuseEarlier } from '../store/prints/calculations.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { withStore } from './with-store.ts';

/** What an editor announces. */
export type Notice = Pick<Announcement, 'title' | 'body'> & {
  type: (typeof EDITORIAL_TYPES)[number];
  index?: string;
  effective?: Instant;
};

/**
 * Records a notice of a methodology update or a corporate action, dated now.
 *
 * @throws ForemarkError not_found when the index was never defined, or invalid_configuration when now is before the last run's
 */
export function announceCommand(context: CommandContext, notice: Notice): ExitCode {
  const announced_at = context.effects.now();
  const { index, effective: effective_at = announced_at, ...rest } = notice;
  return withStore(context, 'write', (store) => {
    const id = store.write((writer) => {
      refuseEarlier(writer, announced_at);
      if (index !== undefined) {
        const indices = listDefinitionHistory(writer).filter((each) => each.kind === 'index');
        refuseUnknown([index], indices, 'index');
      }
      return insertAnnouncement(writer, {
        ...rest,
        ...(index === undefined ? {} : { ticker: index }),
        announced_at,
        effective_at,
      });
    });
    tell(context, { announcement_id: String(id) }, [`announced as ${id}: ${notice.title}`]);
    return EXIT.complete;
  });
}
