/**
 * Command: runs the publish tests against a real S3 server and a real nginx from Debian's packages, which it installs if it
 * may. Otherwise it says so and succeeds: the same tests also run against the fake server in `npm test`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CEPH_COMMANDS, CEPH_PACKAGES, startCeph } from './ceph.ts';

const MISSING = ['nginx', ...CEPH_COMMANDS].filter((command) => !isInstalled(command));

function isInstalled(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status === 0;
}

/** @returns why not, when they cannot be installed */
function install(): string | undefined {
  if (process.getuid?.() !== 0) return 'not root';
  if (!isInstalled('apt-get')) return 'no apt-get';
  process.stderr.write(`installing ${MISSING.join(', ')} from the distribution …\n`);
  const packages = ['nginx-light', ...CEPH_PACKAGES];
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', ...args], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status;
  const add = () => apt('install', '-y', '--no-install-recommends', ...packages);
  if (add() === 0 || (apt('update') === 0 && add() === 0)) return undefined;
  return 'apt-get could not install them';
}

const reason = MISSING.length > 0 ? install() : undefined;
if (reason !== undefined) {
  process.stderr.write(`test:s3 SKIPPED: ${MISSING.join(', ')} missing and ${reason}\n`);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'foremark-ceph-'));
const started = performance.now();
const ceph = await startCeph(folder);
const seconds = Math.round((performance.now() - started) / 100) / 10;
process.stderr.write(`Ceph's gateway answers at ${ceph.endpoint} after ${seconds} s\n`);
let status: number | null = 1;
try {
  const vitest = join(import.meta.dirname, '..', '..', 'node_modules', 'vitest', 'vitest.mjs');
  const config = join(import.meta.dirname, '..', '..', 'test', 'vitest.config.ts');
  ({ status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config', config, 'test/publish', 'test/s3', 'test/cdn'],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_S3_ENDPOINT: ceph.endpoint,
        TEST_NGINX: 'nginx',
        AWS_ACCESS_KEY_ID: ceph.access_key,
        AWS_SECRET_ACCESS_KEY: ceph.secret_key,
      },
    },
  ));
} finally {
  ceph.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status ?? 1);
