import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { schemaFiles } from '../scripts/write-schemas.ts';

it('the JSON Schemas under data/ are those of the shapes that read definitions and settings', () => {
  const files = schemaFiles();
  expect(files.size).toBe(4);
  for (const [name, text] of files)
    expect(readFileSync(join(import.meta.dirname, '../data/schemas', name), 'utf8'), name).toBe(text);
});
