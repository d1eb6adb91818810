/**
 * A real S3 server for tests: Ceph's gateway over one memory-backed store and one monitor, from Debian's packages. All
 * its files are in one folder. It listens on the loopback interface, and its data is gone once the processes end.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePorts } from '../free-ports.ts';

/** Debian's packages of the gateway and its parts. */
export const CEPH_PACKAGES = ['ceph-mon', 'ceph-osd', 'ceph-common', 'radosgw'];
/** The daemons and tools that the packages bring. */
export const CEPH_COMMANDS = ['ceph-mon', 'ceph-osd', 'ceph', 'radosgw', 'radosgw-admin'];

export interface Ceph {
  endpoint: string;
  access_key: string;
  secret_key: string;
  stop(): void;
}

const STARTED_WITHIN_MS = 90_000;

/**
 * Starts a cluster and waits until the gateway answers; about 12 seconds.
 *
 * @param folder an empty one, for data, logs and keys
 * @throws when a part does not come up in time; its log is in the folder
 */
export async function startCeph(folder: string): Promise<Ceph> {
  const [monitorPort, monitorPortV1, gatewayPort] = await freePorts(3);
  for (const name of ['mon', 'osd', 'run', 'log', 'rgw']) mkdirSync(join(folder, name));
  const cluster = randomUUID();
  const monitor = `[v2:127.0.0.1:${monitorPort},v1:127.0.0.1:${monitorPortV1}]`;
  const conf = join(folder, 'ceph.conf');
  writeFileSync(conf, configuration(folder, cluster, monitor, gatewayPort as number));
  const keyring = join(folder, 'keyring');
  for (const [i, [name, caps]] of Object.entries(CAPABILITIES).entries())
    run('ceph-authtool', [
      ...(i === 0 ? ['--create-keyring'] : []),
      keyring,
      '--gen-key',
      '-n',
      name,
      ...caps,
    ]);
  const map = join(folder, 'monmap');
  run('monmaptool', ['--create', '--fsid', cluster, '--addv', 'a', monitor, map]);
  const children: ChildProcess[] = [];
  const stop = () => {
    for (const child of children.toReversed()) child.kill('SIGKILL');
  };
  const daemon = (command: string, ...args: string[]) => {
    const log = openSync(join(folder, 'log', `${command}.out`), 'w');
    children.push(spawn(command, ['-c', conf, ...args, '-f'], { stdio: ['ignore', log, log] }));
  };
  try {
    run('ceph-mon', ['-c', conf, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring]);
    daemon('ceph-mon', '-i', 'a');
    // The monitor silently ignores a store whose UUID it was not told.
    const store = randomUUID();
    run('ceph', ['-c', conf, '--connect-timeout', '30', 'osd', 'new', store]);
    run('ceph-osd', ['-c', conf, '-i', '0', '--osd-uuid', store, '--mkfs']);
    daemon('ceph-osd', '-i', '0');
    await until(() => tryRun('ceph', ['-c', conf, '--connect-timeout', '5', 'osd', 'stat']).includes('1 up'));
    daemon('radosgw', '-n', 'client.rgw.a');
    const endpoint = `http://127.0.0.1:${gatewayPort}`;
    await until(() =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
    );
    const [access_key, secret_key] = ['AKTEST', 'SKTEST'];
    const keys = ['--access-key', access_key, '--secret-key', secret_key];
    run('radosgw-admin', ['-c', conf, 'user', 'create', '--uid=test', '--display-name=test', ...keys]);
    return { endpoint, access_key, secret_key, stop };
  } catch (thrown) {
    stop();
    throw thrown;
  }
}

/** Keys for each part: without authentication they would wait for each other forever. */
const CAPABILITIES: Record<string, string[]> = {
  'mon.': ['--cap', 'mon', 'allow *'],
  'client.admin': ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *'],
  'osd.0': ['--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'],
  'client.rgw.a': ['--cap', 'mon', 'allow rw', '--cap', 'osd', 'allow rwx'],
};

/** One copy of everything, few placement groups, no manager, and no refusal on a nearly full disk. */
function configuration(folder: string, cluster: string, monitor: string, gatewayPort: number): string {
  return `[global]
fsid = ${cluster}
mon host = ${monitor}
public addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 2000
mon data = ${folder}/mon
mon data avail warn = 1
mon data avail crit = 1
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd memory target = 939524096
osd class load list = *
run dir = ${folder}/run
admin socket = ${folder}/run/$name.$pid.asok
pid file = ${folder}/run/$name.pid
log file = ${folder}/log/$name.log
keyring = ${folder}/keyring
ms bind ipv6 = false
[client.rgw.a]
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw data = ${folder}/rgw
rgw dns name = localhost
rgw enable usage log = false
rgw thread pool size = 64
`;
}

function run(command: string, args: string[]): void {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (cause) {
    throw new Error(`${command} ${args.join(' ')} failed`, { cause });
  }
}

function tryRun(command: string, args: string[]): string {
  return spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '';
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + STARTED_WITHIN_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`not up within ${STARTED_WITHIN_MS / 1000} s`);
    await setTimeout(200);
  }
}
