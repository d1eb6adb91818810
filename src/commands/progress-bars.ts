import cliProgress from 'cli-progress';
import { getOrInsert } from '../model/memoized.ts';
import type { ProgressDisplay } from './progress.ts';

/** Shows progress as bars at the foot of a terminal. */
export function progressBars(): ProgressDisplay {
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
      const bar = getOrInsert(byWork, work, () => multi.create(total ?? done, done, { work }));
      bar.setTotal(Math.max(total ?? done, done));
      bar.update(done);
    },
    end: () => multi.stop(),
  };
}
