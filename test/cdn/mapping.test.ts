import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentKey } from '../../src/routes/document-key.ts';

const CDN = join(import.meta.dirname, '..', '..', 'data', 'cdn');

/** The mapping of a file that a CDN runs, taken out of it as it stands. */
function mappingOf(file: string): (path: string) => string | undefined {
  const text = readFileSync(join(CDN, file), 'utf8')
    .replace(/^import .*$/m, '')
    .replace(/^export default[\s\S]*/m, '');
  return new Function(`${text.replaceAll('export function', 'function')}\nreturn objectOf;`)() as never;
}

const id = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom('.', '/', '~', '%', ':', 'json', "'", '(', '!', '*', 'A', 'a'),
    minLength: 1,
    maxLength: 10,
  }),
);

describe.each(['cloudfront-function.js', 'cloudflare-worker.js'])('%s', (file) => {
  const objectOf = mappingOf(file);

  test('finds the object of every document, or leaves it to the server', () => {
    let found = 0;
    fc.assert(
      fc.property(id, fc.constantFrom('/markets/{id}', '/markets/{id}/indices'), (raw, path) => {
        const url = `/api/v1/public${path.replace('{id}', () => encodeURIComponent(raw))}`;
        const object = objectOf(url);
        if (object === undefined) return;
        found++;
        expect(object).toBe(`/${documentKey(path, raw)}`);
      }),
      { numRuns: 5_000 },
    );
    expect(found).toBeGreaterThan(3_000);
  });

  test.each([
    ['/api/v1/public/indices', '/api/v1/public/indices.json'],
    ['/api/v1/public/markets/venue_a:KXFED-26', '/api/v1/public/markets/venue_a~3aKXFED-26.json'],
    ['/archive/pointer.json', '/archive/pointer.json'],
    ['/', '/index.html'],
    ['/explorer/index-abc.js', '/explorer/index-abc.js'],
    ['/explorer/outlet.json', undefined],
    ['/cards/rates/R.png', '/cards/rates/R.png'],
    ['/publication.json', '/publication.json'],
    ['/api/v1/indices', undefined],
    ['/api/v1/public/markets/%E0%A4%A', undefined],
    ['/livez', undefined],
  ])('%s is the object %s', (path, object) => {
    expect(objectOf(path)).toBe(object);
  });
});

test('the CloudFront function sends documents to the bucket, then the server, and all else to the server', () => {
  const text = readFileSync(join(CDN, 'cloudfront-function.js'), 'utf8').replace(/^import .*$/m, '');
  const asked: unknown[] = [];
  const cf = {
    createRequestOriginGroup: (group: object) => asked.push(group),
    selectRequestOriginById: (id: string) => asked.push(id),
  };
  const handler = new Function('cf', `${text}\nreturn handler;`)(cf) as (event: object) => { uri: string };
  const uriOf = (uri: string, more: object = {}) =>
    handler({ request: { method: 'GET', uri, querystring: {}, ...more } }).uri;
  expect(uriOf('/api/v1/public/rates')).toBe('/api/v1/public/rates.json');
  expect(uriOf('/api/v1/public/rates', { querystring: { page: { value: '2' } } })).toBe(
    '/api/v1/public/rates',
  );
  expect(uriOf('/api/v1/public/rates', { method: 'POST' })).toBe('/api/v1/public/rates');
  expect(asked).toEqual([
    {
      originIds: [{ originId: 'documents' }, { originId: 'foremark' }],
      failoverCriteria: { statusCodes: [403, 404] },
    },
    'foremark',
    'foremark',
  ]);
});
