import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schemaFiles } from '../../scripts/write-schemas.ts';

const FOLDER = join(import.meta.dirname, '../../data/schemas');

/** Every object schema of a JSON Schema, at any depth. */
function objectsOf(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectsOf);
  return 'properties' in schema ? [{ ...schema }, ...inner] : inner;
}

describe('JSON Schemas', () => {
  it('are generated from the shapes that read the files (npm run schemas)', () => {
    const files = schemaFiles();
    expect(readdirSync(FOLDER).sort()).toEqual([...files.keys()].sort());
    for (const [name, text] of files) expect(readFileSync(join(FOLDER, name), 'utf8'), name).toBe(text);
  });

  it('reject unknown keys everywhere', () => {
    for (const [name, text] of schemaFiles()) {
      const objects = objectsOf(JSON.parse(text));
      expect(objects.length, name).toBeGreaterThan(1);
      for (const each of objects) expect(each.additionalProperties, name).toBe(false);
    }
  });

  it('describe each setting and each field of a definition', () => {
    const dumb = [...schemaFiles()].flatMap(([file, text]) =>
      objectsOf(JSON.parse(text)).flatMap(({ properties }) =>
        Object.entries(properties as Record<string, object>)
          .filter(([name, each]) => name !== '$schema' && !('properties' in each) && !('const' in each))
          .flatMap(([name, each]) => ('description' in each ? [] : [`${file}: ${name}`])),
      ),
    );
    expect(dumb).toEqual([]);
  });

  it('require of a definition only what has no default', () => {
    const schema: { oneOf?: object[]; anyOf?: object[] } = JSON.parse(
      schemaFiles().get('index-definition.schema.json') ?? '{}',
    );
    const families = (schema.oneOf ?? schema.anyOf ?? []) as { required: string[] }[];
    expect(families).toHaveLength(5);
    for (const { required } of families) {
      expect(required.some((name) => name === 'constituents' || name === 'base_index_id')).toBe(true);
      expect(required).not.toContain('book_check');
      expect(required).not.toContain('base_level');
    }
  });
});
