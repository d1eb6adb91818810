import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { mediaTypeOf } from '../../src/routes/media-types.ts';

/** A plain host of files below a path, as a bucket or nginx would be. */
export async function hostFiles(folder: string): Promise<{ address: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://host').pathname.replace(/^\/below\/this/, '');
    const file = normalize(path.endsWith('/') ? `${path}index.html` : path);
    try {
      const body = readFileSync(join(folder, file));
      const headers = { 'Content-Type': mediaTypeOf(file), 'Content-Length': body.byteLength };
      response.writeHead(200, headers).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/below/this/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
