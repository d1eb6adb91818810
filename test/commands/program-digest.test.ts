import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { programDigest } from '../../src/commands/program-digest.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

it('[C/4] another file, file name or package version makes another program', () => {
  const root = temporaryFolder();
  const put = (name: string, text: string) => writeFileSync(join(root, name), text);
  mkdirSync(join(root, 'src/routes'), { recursive: true });
  put('package.json', '{"dependencies":{"a":"1.0.0"}}');
  put('src/routes/markets.ts', 'one');
  const seen = new Set<string>();
  const isNew = () => seen.size < seen.add(programDigest(join(root, 'src'), root)).size;
  expect(isNew()).toBe(true);
  expect(isNew(), 'nothing changed').toBe(false);
  put('src/notes.md', 'no code');
  expect(isNew(), 'a file that is no code').toBe(false);
  put('src/routes/markets.ts', 'two');
  expect(isNew(), 'another text').toBe(true);
  put('src/0021.sql', '');
  expect(isNew(), 'a new file').toBe(true);
  put('package.json', '{"dependencies":{"a":"1.0.1"}}');
  expect(isNew(), 'another version').toBe(true);
});
