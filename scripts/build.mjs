// Compiles src and the simulated world to dist/, copies the SQL migrations and tables beside their readers, and
// builds the explorer.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'scripts/tsconfig.build.json')],
  { stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);
cpSync(join(root, 'src/store/migrations'), join(root, 'dist/src/store/migrations'), { recursive: true });
cpSync(join(root, 'data/similarity'), join(root, 'dist/data/similarity'), { recursive: true });
await import('./build-explorer.mjs');
