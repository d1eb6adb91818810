// Builds the explorer to dist/explorer, where publish finds it, unless neither its sources nor the packages have changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
  // Built beside it and then put in its place, so that a publish or another build that comes meanwhile finds a whole one.
  const fresh = join(root, 'dist', `.explorer-new-${process.pid}`);
  const former = join(root, 'dist', `.explorer-old-${process.pid}`);
  await build({
    configFile: false,
    root: join(root, 'src', 'explorer'),
    base: './',
    logLevel: 'warn',
    build: {
      outDir: fresh,
      emptyOutDir: true,
      assetsDir: 'explorer',
      target: 'es2022',
      modulePreload: false,
    },
  });
  if (existsSync(out)) renameSync(out, former);
  renameSync(fresh, out);
  rmSync(former, { recursive: true, force: true });
  writeFileSync(stamp, digest);
}
