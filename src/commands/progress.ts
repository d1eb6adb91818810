import cliProgress from 'cli-progress';
import type { Progress } from '../model/effects.ts';
import type { CommandContext } from './context.ts';

/** Plain lines are written at most this often for each piece of work. */
const LINE_EVERY_MS = 5_000;

export interface ProgressDisplay {
  tell: Progress;
  end(): void;
}

/** Shows progress: bars on a terminal, plain lines in a pipe. */
export function showProgress(context: CommandContext): ProgressDisplay {
  return context.isTerminal ? bars() : lines(context);
}

function bars(): ProgressDisplay {
  const multi = new cliProgress.MultiBar(
    {
      format: ' {bar} {work} {value}/{total}',
      // An interrupted run could not restore the terminal, so wrapping is left on and lines are cut to its width.
      linewrap: true,
      clearOnComplete: true,
      stream: process.stderr,
    },
    cliProgress.Presets.shades_classic,
  );
  const byWork = new Map<string, cliProgress.SingleBar>();
  return {
    tell(work, done, total) {
      let bar = byWork.get(work);
      if (!bar) {
        bar = multi.create(total ?? done, done, { work });
        byWork.set(work, bar);
      }
      bar.setTotal(Math.max(total ?? done, done));
      bar.update(done);
    },
    end: () => multi.stop(),
  };
}

function lines(context: CommandContext): ProgressDisplay {
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
