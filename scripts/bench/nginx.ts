import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePorts } from '../free-ports.ts';

interface Nginx {
  child: ChildProcess;
  origin: string;
  /** Processor time so far, in microseconds. */
  cost(): number;
}

/** The kernel counts processor time in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;

/** Starts nginx over a folder, with its files kept open and in memory; undefined if it is not installed. */
export async function startNginx(folder: string): Promise<Nginx | undefined> {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const program = places.map((place) => join(place, 'nginx')).find((each) => existsSync(each));
  if (!program) return undefined;
  const [port = 0] = await freePorts(1);
  const settings = join(folder, 'nginx.conf');
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(' ');
  writeFileSync(
    settings,
    `daemon off; master_process off; error_log /dev/null; pid ${join(folder, 'nginx.pid')}; events {}
     http { access_log off; sendfile on; open_file_cache max=1000; keepalive_requests 1000000000; ${temporary}
       types { application/json json; }
       server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  );
  const child = spawn(program, ['-p', folder, '-c', settings], { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 100; i++) {
    if (await fetch(origin).catch(() => undefined)) break;
    await setTimeout(50);
  }
  const cost = () => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
  };
  return { child, origin, cost };
}
