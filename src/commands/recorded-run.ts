import { operatorMessageOf } from '../model/errors.ts';
import type { Instant } from '../model/units.ts';
import { refuseEarlier } from '../store/prints/calculations.ts';
import { finishRun, insertRun } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode } from './context.ts';
import type { ProgressDisplay } from './progress.ts';
import { withRunLock } from './with-store.ts';

export interface RecordedRun {
  store: Store;
  progress: ProgressDisplay;
  runId: number;
  now: Instant;
}

/** How a run ended; the summary is stored as JSON. */
export interface EndedRun<Summary> {
  summary: Summary;
  code: ExitCode;
}

/**
 * Does work under the run lock, and records it as a run with its outcome.
 *
 * @throws ForemarkError run_in_progress, invalid_configuration when now is before the last run's, and what `work` throws
 */
export function recordedRun<Summary extends object>(
  context: CommandContext,
  access: 'write' | 'create',
  command: string,
  work: (run: RecordedRun) => Promise<EndedRun<Summary>>,
): Promise<EndedRun<Summary>> {
  const { effects } = context;
  return withRunLock(context, access, async (store, progress) => {
    const now = effects.now();
    store.read((reader) => refuseEarlier(reader, now));
    const runId = store.write((writer) => insertRun(writer, command, now));
    try {
      const ended = await work({ store, progress, runId, now });
      const outcome = ended.code === EXIT.complete ? 'complete' : 'partial';
      store.write((writer) => finishRun(writer, runId, effects.now(), outcome, ended.summary));
      return ended;
    } catch (thrown) {
      noteFailure(store, runId, effects.now(), thrown);
      throw thrown;
    }
  });
}

/** Records that a run failed. On a full disk even that may fail; the first error is the one that counts. */
function noteFailure(store: Store, runId: number, at: Instant, thrown: unknown): void {
  try {
    store.write((writer) => finishRun(writer, runId, at, 'failed', { error: operatorMessageOf(thrown) }));
  } catch {}
}
