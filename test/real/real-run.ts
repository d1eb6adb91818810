import { join, resolve } from 'node:path';
import { askNobody } from '../../src/commands/demo-settings.ts';
import { runStages } from '../../src/commands/run.ts';
import type { RunSummary, Stage } from '../../src/commands/run-summary.ts';
import { formatInstant } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { quietContext } from '../helpers/quiet-context.ts';
import type { Replay } from '../replay/replay.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The real pipeline over a replay of recorded data: everything but the venues' addresses is as in production. */
export interface RealRun {
  store: string;
  /** Runs stages with the clock of the pipeline and of the replay at an instant. */
  at(now: Instant, stages?: readonly Stage[]): Promise<RunSummary>;
}

/** Prepares runs in a folder. @param definitions folder below data/, or an absolute one */
export function realRun(
  replay: Replay,
  folder: string,
  definitions: string,
  venues: { catalog?: 'gamma' | 'clob' } = {},
): RealRun {
  const store = join(folder, 'foremark.db');
  const fast = { requests_per_second: 10_000 };
  const nobody = askNobody();
  const { venue_a, gamma, clob, data } = replay.endpoints;
  const settings = {
    store,
    definitions: resolve(ROOT, 'data', definitions),
    publish: { folder: join(folder, 'public') },
    venues: {
      ...nobody.venues,
      venue_a: { ...fast, base_url: venue_a },
      venue_b_global: { ...fast, ...venues, gamma_url: gamma, clob_url: clob, data_url: data },
    },
    registries: nobody.registries,
  };
  return {
    store,
    async at(now, stages = ['ingest', 'compute', 'publish']) {
      replay.setNow(formatInstant(now));
      return (await runStages(quietContext(settings, now), 'run', stages)).summary;
    },
  };
}
