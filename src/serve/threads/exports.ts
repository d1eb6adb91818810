import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { ExportFormat, RouteRequest } from '../../routes/route.ts';

/** An export as its thread is asked for it. */
export interface ExportRequest extends Omit<RouteRequest, 'reader' | 'hasTime'> {
  /** Of the route. */
  path: string;
  ext: ExportFormat;
}

/** What the thread is given. */
export interface ExportWork extends ExportRequest {
  /** Path of the store's file. */
  store: string;
}

/**
 * An export made in a thread of its own: to sort, read and write a whole list keeps nobody else waiting. The thread goes
 * as fast as its text is read and ends with it; where it fails, so does the text.
 *
 * @param end is called once, however the stream ends
 */
export function startExport(work: ExportWork, end: () => void): Readable {
  const thread = new Worker(new URL(`./export-thread${extname(import.meta.url)}`, import.meta.url), {
    workerData: work,
    stdout: true,
  });
  const { stdout } = thread;
  thread.once('error', (thrown) => stdout.destroy(thrown as Error));
  thread.once('exit', (code) => {
    if (code !== 0) stdout.destroy(new Error('an export was cut off'));
  });
  return stdout.once('close', () => {
    void thread.terminate();
    end();
  });
}
