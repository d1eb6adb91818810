/** The worker thread of a reader's process. */
import { parentPort } from 'node:worker_threads';
import { documentToMarkdown } from './document-markdown.ts';

parentPort?.on('message', async (bytes: Uint8Array) => {
  parentPort?.postMessage(await documentToMarkdown(bytes));
});
