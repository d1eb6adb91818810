/**
 * A server as a process of its own: ours, or bare node http with the same answers. Arguments: `ours` or `bare`; the
 * store; and for ours the folder that was published to, for bare the headers to send.
 */
import { hash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [way = '', path = '', published] = process.argv.slice(2);
// Answers each message with the processor time used so far.
process.on('message', () => process.send?.(process.cpuUsage()));
const SITES = { venue_a: 'https://kalshi.com', venue_b_global: 'https://polymarket.com' };

const { openStore } = await import('../../src/store/store.ts');
const store = openStore(path, { readonly: true });
if (way === 'bare') {
  const { routes } = await import('../../src/routes/routes.ts');
  const { encode } = await import('../../src/routes/encode.ts');
  const { formatInstant } = await import('../../src/model/time.ts');
  const { headers } = JSON.parse(published ?? '{}') as { headers: Record<string, string> };
  const route = routes.find((each) => each.path === '/markets/{id}');
  const server = createServer((request, response) => {
    const id = decodeURIComponent((request.url ?? '').split('/').at(-1) ?? '');
    const now = Date.now();
    const body = store.read((reader) =>
      route?.answer({ reader, now, tier: 'public', id, query: {}, sites: SITES }),
    );
    const text = encode(body ?? {});
    response.writeHead(body ? 200 : 404, {
      ...headers,
      'x-request-id': randomUUID(),
      'x-as-of': formatInstant(now),
      etag: `"${hash('sha256', text).slice(0, 32)}"`,
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  }).listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  });
} else {
  const { createApp } = await import('../../src/serve/serve.ts');
  const { Searches } = await import('../../src/serve/threads/searches.ts');
  const { listen } = await import('../../src/serve/listen.ts');
  const searches = new Searches(path);
  const { folderSink } = await import('../../src/publish/sinks/folder.ts');
  const archive = published === undefined ? {} : { archive: folderSink(published) };
  const app = createApp({
    store,
    ...archive,
    searches,
    now: Date.now,
    sites: SITES,
    label: '',
    report: () => {},
  });
  const { origin } = await listen(app, { host: '127.0.0.1', port: 0 });
  process.stdout.write(`${new URL(origin).port}\n`);
}
