/**
 * Command: sends random requests made from the OpenAPI document, and checks every answer against it.
 * `npm run fuzz -- --requests 100000 [--seed 1]`.
 */
import { parseArgs } from 'node:util';
import { fuzz } from '../test/contract/fuzz.ts';
import { openSmallApp } from '../test/helpers/small-app.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const requests = Number(values.requests);
const app = openSmallApp();
const started = performance.now();
await fuzz(app, requests, Number(values.seed));
const seconds = (performance.now() - started) / 1000;
app.small.close();
process.stdout.write(
  `${requests} requests in ${seconds.toFixed(0)} s (${(requests / seconds).toFixed(0)}/s), seed ${values.seed}: every answer keeps to the document\n`,
);
process.exitCode = app.reported.length > 0 ? 1 : 0;
