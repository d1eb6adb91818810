import type { Progress } from '../model/effects.ts';
import type { CommandContext } from './context.ts';

/** Plain lines are written at most this often for each piece of work. */
const LINE_EVERY_MS = 5_000;

/** How progress is shown. */
export interface ProgressDisplay {
  tell: Progress;
  end(): void;
}

/** Shows progress as plain lines, for a pipe. */
export function progressLines(context: CommandContext): ProgressDisplay {
  const writtenAt = new Map<string, number>();
  return {
    tell(work, done, total) {
      const now = performance.now();
      if (now - (writtenAt.get(work) ?? 0) < LINE_EVERY_MS && done !== total) return;
      writtenAt.set(work, now);
      context.err(`${work} ${done}${total === undefined ? '' : ` of ${total}`}`);
    },
    end() {},
  };
}
