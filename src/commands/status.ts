import { formatInstant, MINUTE_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { countStore } from '../store/counts.ts';
import { listFeeds, listRejects } from '../store/feeds.ts';
import { findCatalogState, listRuns } from '../store/runs.ts';
import { openStore } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode } from './context.ts';

const RUNS_SHOWN = 5;
const REJECTS_SHOWN = 20;

/** Shows the state of the store: catalog, feeds with their lag, the last runs, and what the last one left out. */
export function statusCommand(context: CommandContext): ExitCode {
  const store = openStore(context.config.store);
  const now = context.effects.now();
  const status = store.read((reader) => {
    const runs = listRuns(reader, RUNS_SHOWN);
    return {
      catalog: findCatalogState(reader),
      counts: countStore(reader),
      feeds: listFeeds(reader).map((feed) => ({
        ...feed,
        lag_ms: feed.good_at === null ? null : now - feed.good_at,
      })),
      runs,
      left_out: runs[0] ? listRejects(reader, runs[0].run_id, REJECTS_SHOWN) : [],
    };
  });
  store.close();
  if (context.json) context.out(JSON.stringify(status));
  else {
    const { counts } = status;
    context.out(`catalog   ${status.catalog}: ${counts.events} events, ${counts.markets} markets`);
    context.out(`prints    ${counts.index_prints} of indices, ${counts.rate_prints} of rates`);
    for (const feed of status.feeds) {
      const good = feed.good_at === null ? 'never good' : `good ${ago(now - feed.good_at)}`;
      const why = feed.message === null ? '' : `: ${feed.message}`;
      context.out(
        `feed      ${feed.feed.padEnd(24)} ${feed.condition.padEnd(7)} ${good}, ${feed.rows_read} rows, ` +
          `${feed.rows_left_out} left out${why}`,
      );
    }
    for (const run of status.runs)
      context.out(
        `run       ${run.run_id} ${run.command} ${formatInstant(run.started_at)} ${run.outcome ?? 'not finished'}`,
      );
    for (const each of status.left_out)
      context.out(`left out  ${each.feed} ${each.native_id ?? `row ${each.position}`}: ${each.reason}`);
  }
  const failing = status.feeds.some((feed) => feed.condition === 'failed');
  return failing ? EXIT.partial : EXIT.complete;
}

function ago(ms: Instant): string {
  const minutes = Math.round(ms / MINUTE_MS);
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}
