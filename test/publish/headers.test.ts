import { describe, expect, test } from 'vitest';
import { metadataOf } from '../../src/publish/headers.ts';
import { LIVE, RELATED } from '../../src/routes/cache-control.ts';
import { documentKey } from '../../src/routes/document-key.ts';
import { routes } from '../../src/routes/routes.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const BULK = 'public, max-age=300, s-maxage=3600';
const DOCUMENTS = 'api/v1/public';

describe('an object', () => {
  test.each([
    ['archive/objects/ab/cdef', FOREVER],
    ['archive/shards/0123', FOREVER],
    ['archive/generations/0000000001-0123.json', FOREVER],
    ['archive/pointer.json', 'no-store'],
    ['publication.json', 'no-store'],
    ...['js', 'css', 'js.gz', 'css.br'].map((end) => [`explorer/index-BqX_3-9a.${end}`, FOREVER]),
    ['explorer/outlet.json', LIVE],
    ['explorer/long-outlet.js', LIVE],
    ['index.html', LIVE],
    ['cards/indices/SMALL.png', LIVE],
    ['bulk/marks.parquet', BULK],
    // What is published of a route is cached as its answers are.
    ...routes
      .filter((each) => each.documents)
      .flatMap(({ path, caching }) =>
        ['', '.gz', '.br'].map((variant) => [
          `${documentKey(path, 'a')}${variant}`,
          caching === 'related' ? RELATED : LIVE,
        ]),
      ),
  ])('of the bucket under %s is cached as %s', (key, expected) => {
    expect(metadataOf(key).cache_control).toBe(expected);
  });

  test.each([
    ['archive/objects/ab/cdef', 'application/octet-stream', undefined],
    ['archive/shards/0123.json', 'application/json', undefined],
    ['index.html', 'text/html; charset=utf-8', undefined],
    [`${DOCUMENTS}/markets.json.gz`, 'application/json', 'gzip'],
    [`${DOCUMENTS}/markets.json.br`, 'application/json', 'br'],
  ])('of the bucket under %s has the type %s and the encoding %s', (key, type, encoding) => {
    const { content_type, content_encoding } = metadataOf(key);
    expect([content_type, content_encoding]).toEqual([type, encoding]);
  });
});
