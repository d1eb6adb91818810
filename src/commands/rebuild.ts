import { markCatalog } from '../compute/mark-catalog.ts';
import { unmarkAll } from '../store/catalog/market-marks.ts';
import { rebuildSearch } from '../store/catalog/search-index.ts';
import { findCatalogState, setCatalogState } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';
import type { ProgressDisplay } from './progress.ts';
import { publishStore } from './publish.ts';
import { recordedRun } from './recorded-run.ts';

/**
 * Rebuilds the tables of lists and searches from the rest of the store. Until it ends, lists answer 503 and the
 * published ones are withdrawn; if it is interrupted, until the next rebuild ends.
 */
export async function rebuildCommand(context: CommandContext): Promise<ExitCode> {
  const { effects } = context;
  const { code } = await recordedRun(context, 'write', 'rebuild', async ({ store, progress }) => {
    await withdrawLists(context, store, progress);
    rebuildSearch(store, (done) => progress.tell('search', done));
    const marked = store.write((writer) => {
      unmarkAll(writer);
      const changed = markCatalog(writer, effects.now(), undefined);
      setCatalogState(writer, 'serving', effects.now());
      return changed;
    });
    const published = await publishStore(context, store, progress);
    return { summary: { marked, published }, code: EXIT.complete };
  });
  tell(context, { rebuilt: true }, ['rebuilt; the catalog is served again']);
  return code;
}

/** Withdraws the published lists. If that fails, the catalog's state is restored, since nothing was rebuilt yet. */
async function withdrawLists(
  context: CommandContext,
  store: Store,
  progress: ProgressDisplay,
): Promise<void> {
  const { effects } = context;
  const before = store.read(findCatalogState);
  store.write((writer) => setCatalogState(writer, 'rebuilding', effects.now()));
  try {
    await publishStore(context, store, progress);
  } catch (thrown) {
    store.write((writer) => setCatalogState(writer, before, effects.now()));
    throw thrown;
  }
}
