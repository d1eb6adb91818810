/**
 * The process behind an attachment reader: it receives bytes as messages and sends back their text. A thread does the
 * work, so that the main thread is free to watch the memory of the process.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

const WATCH_EVERY_MS = 25;

const megabytes = Number(process.argv[2]);
const thread = new Worker(new URL(`./reader-thread${extname(import.meta.url)}`, import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: Math.ceil(megabytes / 2) },
});
process.on('message', (bytes) => thread.postMessage(bytes));
thread.on('message', (text) => process.send?.(text));
thread.on('error', () => process.exit(1));
process.once('disconnect', () => process.exit(0));
setInterval(() => {
  if (process.memoryUsage.rss() > megabytes * 1024 * 1024) process.exit(1);
}, WATCH_EVERY_MS);
