import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { ExportFormat, RouteRequest } from '../../routes/route.ts';
import { threadFailure } from './thread-failure.ts';

export interface ExportRequest extends Omit<RouteRequest, 'reader' | 'hasTime'> {
  /** The path of the route. */
  path: string;
  ext: ExportFormat;
}

/** The input of the export thread. */
export interface ExportWork extends ExportRequest {
  /** Path of the store's file. */
  store: string;
}

/**
 * Makes an export in a thread of its own, so that sorting and writing a whole list blocks nobody else. The thread runs as
 * fast as its output is read and ends with it; if it fails, so does the stream.
 *
 * @param end is called once, however the stream ends
 */
export function startExport(work: ExportWork, end: () => void): Readable {
  const thread = new Worker(new URL(`./export-thread${extname(import.meta.url)}`, import.meta.url), {
    workerData: work,
    stdout: true,
  });
  const { stdout } = thread;
  thread.once('error', (thrown) => stdout.destroy(threadFailure(thrown)));
  thread.once('exit', (code) => {
    if (code !== 0) stdout.destroy(new Error('an export was cut off'));
  });
  return stdout.once('close', () => {
    void thread.terminate();
    end();
  });
}
