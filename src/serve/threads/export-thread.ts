/** The thread that makes one export and writes it to its standard output. */
import { pipeline } from 'node:stream/promises';
import { workerData } from 'node:worker_threads';
import { exportRoutes } from '../../routes/routes.ts';
import { openStore } from '../../store/store.ts';
import { refuseWhileUnavailable } from '../answers/unavailable.ts';
import { exportStream } from './export-stream.ts';
import type { ExportWork } from './exports.ts';
import { lowerPriority } from './lower-priority.ts';

/** Characters that are passed to the main thread at a time; otherwise each row would be sent as a piece of its own. */
const BLOCK = 64 * 1024;

async function* inBlocks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let block = '';
  for await (const piece of pieces) {
    block += piece;
    if (block.length < BLOCK) continue;
    yield block;
    block = '';
  }
  yield block;
}

lowerPriority();
const { store, path, ext, ...request } = workerData as ExportWork;
const route = exportRoutes.find((each) => each.path === path);
if (!route) throw new Error(`no export ${path}`);
await openStore(store, { readonly: true }).snapshot(async (reader) => {
  // A rebuild may have begun since the request was admitted.
  refuseWhileUnavailable(reader, route, request.query);
  const rows = route.rows({ ...request, reader });
  await pipeline(exportStream(route, rows, ext).setEncoding('utf8'), inBlocks, process.stdout);
});
