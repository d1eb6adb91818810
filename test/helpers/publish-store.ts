import { type PublishOptions, publish } from '../../src/publish/publish.ts';
import type { PublishReport } from '../../src/publish/publish-report.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import type { Store } from '../../src/store/store.ts';
import { SITES } from './small-store.ts';

/** Publishes the documents of a store as of an instant. */
export function publishStore(
  store: Store,
  sink: Sink,
  now: number,
  more: Partial<PublishOptions> = {},
): Promise<PublishReport> {
  return publish({ store, sink, now, sites: SITES, label: '', progress: () => {}, ...more });
}
