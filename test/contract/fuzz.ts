/** Requests made of the OpenAPI document: parameters as it allows them, at their edges, and hostile ones. */
import fc from 'fast-check';
import type { ApiParameter } from '../../src/routes/shapes/openapi-description.ts';
import { bearer, type SmallApp } from '../helpers/small-app.ts';
import { IDS } from '../helpers/small-store.ts';
import { OPERATIONS, type Operation, problemsOf } from './contract.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    '9'.repeat(30),
    'NaN',
    'null',
    'true',
    '%00',
    '\0',
    "' OR 1=1 --",
    '"*" AND (',
    '../../etc/passwd',
    '{{7*7}}',
    '<script>',
    '__proto__',
    '💥',
    '\uD800',
    'x'.repeat(5_000),
    '2026-02-30',
    '+275760-09-13',
    '2026-11-03T21:00:00Z',
    '2026-11-03',
  ),
);

const ids = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...Object.values(IDS),
      'SMALL',
      'GAUGE.K',
      'R.MEAN',
      'SECRET',
      '1',
      '100',
      '103',
    ),
  },
  { weight: 1, arbitrary: hostile },
);

function arbitraryOf({ in: place, schema }: ApiParameter): fc.Arbitrary<string> {
  if (place === 'path') return schema.enum ? fc.constantFrom(...schema.enum) : ids;
  const allowed: fc.Arbitrary<string>[] = [];
  if (schema.enum) allowed.push(fc.constantFrom(...schema.enum));
  if (schema.type === 'integer') {
    const { minimum = 0, maximum = 1_000 } = schema;
    allowed.push(fc.constantFrom(minimum - 1, minimum, minimum + 1, 7, maximum, maximum + 1).map(String));
  }
  if (schema.type === 'string' && !schema.enum)
    allowed.push(fc.string({ maxLength: schema.maxLength ?? 20 }));
  return fc.oneof(...allowed.map((arbitrary) => ({ weight: 4, arbitrary })), {
    weight: 1,
    arbitrary: hostile,
  });
}

function requestOf(operation: Operation, keys: readonly string[]) {
  const query = operation.parameters.filter((each) => each.in === 'query');
  const path = operation.parameters.find((each) => each.in === 'path');
  return (
    fc
      .record({
        id: path ? arbitraryOf(path) : fc.constant(''),
        chosen: fc
          .subarray(query, { maxLength: Math.min(4, query.length) })
          .chain((some) =>
            fc.tuple(
              ...some.map((each) => arbitraryOf(each).map((value): [string, string] => [each.name, value])),
            ),
          ),
        twice: fc.constantFrom(false, false, false, true),
        key: fc.constantFrom('', 'fmk_live_nonsense', ...keys, ...keys),
        etag: fc.constantFrom('', '', '*', '"x"'),
      })
      .map(({ id, chosen, twice, key, etag }) => {
        const pairs = twice && chosen[0] ? [...chosen, chosen[0]] : chosen;
        const search = new URLSearchParams(pairs);
        const where = operation.path.replace(/\{\w+\}/, () => encodeURIComponent(id.toWellFormed()));
        return {
          operation,
          url: pairs.length > 0 ? `${where}?${search}` : where,
          headers: { ...(key ? bearer(key) : {}), ...(etag ? { 'If-None-Match': etag } : {}) },
        };
      })
      // An empty id or one of dots is another path.
      .filter(({ url }) => !/\/(\.|%2e){0,2}(\/|\?|$)/i.test(url.split('?')[0]?.slice(4) ?? ''))
  );
}

/**
 * Asks at random and holds every answer to the document.
 *
 * @throws with the smallest request that breaks it, and the seed to repeat it
 */
export async function fuzz({ app, small }: SmallApp, requests: number, seed: number): Promise<void> {
  const keys = [
    small.keys.acme,
    small.keys.other,
    small.keys.filingsOnly,
    small.keys.all,
    small.keys.revoked,
  ];
  const any = fc.oneof(...OPERATIONS.map((operation) => requestOf(operation, keys)));
  await fc.assert(
    fc.asyncProperty(any, async ({ operation, url, headers }) => {
      const problems = await problemsOf(app, operation, url, headers);
      if (problems.length > 0) throw new Error(problems.join('\n'));
    }),
    { numRuns: requests, seed },
  );
}
