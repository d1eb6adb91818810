import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { SCHEMES } from '../../src/model/definitions/weighting.ts';
import { everyMethod } from './season/every-method.ts';

const ROOT = join(import.meta.dirname, '../..');
const base_at = Date.parse('2026-07-06T00:00:00Z');
const tried = everyMethod({
  prefix: '',
  markets: ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => `venue_a:${name}`),
  base_at,
  until: base_at + 30 * 86_400_000,
  interval_minutes: 60,
});

/** The methodologies that definitions may name. */
function methodologiesOf(schema: z.ZodType): string[] {
  const { oneOf = [] } = z.toJSONSchema(schema, { io: 'input' });
  return oneOf.map(
    ({ properties = {} }) => z.object({ const: z.string() }).parse(properties.methodology).const,
  );
}

const methodologies = [...methodologiesOf(indexDefinition), ...methodologiesOf(rateDefinition)];
const schemes = Object.keys(SCHEMES);

describe('every methodology, and every scheme of weights,', () => {
  it('is recalculated by the independent program', () => {
    expect(methodologies.length).toBeGreaterThan(12);
    const used = [...tried.indices, ...tried.rates].map(({ methodology }) => methodology);
    expect(methodologies.filter((each) => !used.some((one) => one === each))).toEqual([]);
    const weighed = tried.indices.flatMap((each) =>
      'weighting' in each && 'scheme' in each.weighting ? each.weighting.scheme : [],
    );
    expect(schemes.filter((each) => !weighed.some((one) => one === each))).toEqual([]);
  });

  it.each([
    ['README.md', methodologies],
    ['data/methodology.md', [...methodologiesOf(rateDefinition), ...schemes]],
  ])('stands in %s', (document, tokens) => {
    const text = readFileSync(join(ROOT, document), 'utf8');
    expect(tokens.filter((each) => !text.includes(`\`${each}\``))).toEqual([]);
  });
});
