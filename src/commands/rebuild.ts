import { markCatalog } from '../compute/mark-catalog.ts';
import { publish } from '../publish/publish.ts';
import { rebuildSearch } from '../store/catalog/search-index.ts';
import { takeRunLock } from '../store/run-lock.ts';
import { finishRun, insertRun, setCatalogState } from '../store/runs.ts';
import { openStore, type Store } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode, sitesOf } from './context.ts';
import { showProgress } from './progress.ts';
import { openConfiguredSink } from './publish.ts';

/**
 * Rebuilds the tables behind lists and searches, words and marks, from what the store knows. Meanwhile the
 * lists answer 503 and published ones are withdrawn. A rebuild that is cut off stays in that state until the
 * next one ends.
 */
export async function rebuildCommand(context: CommandContext): Promise<ExitCode> {
  const { config, effects } = context;
  const unlock = takeRunLock(config.store);
  const progress = showProgress(context);
  let store: Store | undefined;
  try {
    const opened = openStore(config.store);
    store = opened;
    const now = effects.now();
    const runId = store.write((writer) => insertRun(writer, 'rebuild', now));
    const publishAll = async () =>
      publish({
        store: opened,
        sink: await openConfiguredSink(context),
        now: effects.now(),
        clock: effects.now,
        sites: sitesOf(config),
        label: config.data_label,
        variants: config.publish.variants,
        bulk: config.publish.bulk,
        progress: progress.tell,
      });
    store.write((writer) => setCatalogState(writer, 'rebuilding', now));
    await publishAll();
    rebuildSearch(store, (done) => progress.tell('search', done));
    const marked = store.write((writer) => {
      const changed = markCatalog(writer, effects.now());
      setCatalogState(writer, 'serving', effects.now());
      return changed;
    });
    const published = await publishAll();
    store.write((writer) => finishRun(writer, runId, effects.now(), 'complete', { marked, published }));
    context.out(context.json ? JSON.stringify({ rebuilt: true }) : 'rebuilt; the catalog is served again');
    return EXIT.complete;
  } finally {
    progress.end();
    store?.close();
    unlock();
  }
}
