/** The thread that makes one export and writes it to its standard output. */
import { pipeline } from 'node:stream/promises';
import { workerData } from 'node:worker_threads';
import { exportRoutes } from '../../routes/routes.ts';
import { openStore } from '../../store/store.ts';
import { refuseWhileUnavailable } from '../answers/unavailable.ts';
import { exportStream } from './export-stream.ts';
import type { ExportWork } from './exports.ts';
import { lowerPriority } from './lower-priority.ts';

lowerPriority();
const { store, path, ext, ...request } = workerData as ExportWork;
const route = exportRoutes.find((each) => each.path === path);
if (!route) throw new Error(`no export ${path}`);
await openStore(store, { readonly: true }).snapshot(async (reader) => {
  // A rebuild may have begun since the request was admitted.
  refuseWhileUnavailable(reader, route, request.query);
  await pipeline(exportStream(route, route.rows({ ...request, reader }), ext), process.stdout);
});
