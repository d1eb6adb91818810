// Builds the explorer to dist/explorer, where publish finds it, unless neither its sources nor the packages have changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist', 'explorer');
const stamp = join(root, 'node_modules', '.foremark-explorer');

const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
for (const folder of ['explorer', 'charts', 'model', 'routes'])
  for (const file of readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' }).sort())
    if (/\.\w+$/.test(file)) hash.update(file).update(readFileSync(join(root, 'src', folder, file)));
const digest = hash.digest('hex');

if (!existsSync(join(out, 'index.html')) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: join(root, 'src', 'explorer'),
    base: './',
    logLevel: 'warn',
    build: { outDir: out, emptyOutDir: true, assetsDir: 'explorer', target: 'es2022', modulePreload: false },
  });
  writeFileSync(stamp, digest);
}
