import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { settingsFor } from '../../scripts/world/settings.ts';

const COMMAND = fileURLToPath(new URL('../../scripts/world/serve.ts', import.meta.url));

test('the command prints one line when it listens and exits when its input closes', async () => {
  const child = spawn(process.execPath, [COMMAND, '--port', '0', '--markets', '1500'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await once(reader, 'line');
  const doors = JSON.parse(lines[0] ?? '') as { settings: ReturnType<typeof settingsFor> };
  expect(doors).toMatchObject({ now: '2026-10-29T12:00:00Z', epoch: '2026-07-01T00:00:00Z' });
  const { venue_a, venue_b_global } = doors.settings.venues;
  const cutoff = await fetch(`${venue_a.base_url}/historical/cutoff`);
  expect(Object.keys((await cutoff.json()) as object)).toContain('market_settled_ts');
  expect((await fetch(`${venue_b_global.data_url}/v2/live-volume?id=0`)).status).toBe(200);
  child.stdin.end();
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  expect(lines).toHaveLength(1);
});

test('invalid options exit 2 and name the invalid value', async () => {
  const child = spawn(process.execPath, [COMMAND, '--now', 'soon'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let message = '';
  child.stderr.on('data', (chunk: Buffer) => {
    message += chunk.toString();
  });
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(2);
  expect(message).toContain('soon');
});
