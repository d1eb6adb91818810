import { afterEach, expect, it, vi } from 'vitest';
import { writeUsage } from '../../src/commands/write-usage.ts';
import { UsageRecorder } from '../../src/serve/callers/usage-recorder.ts';

afterEach(() => vi.useRealTimers());

it('[2.10/1] the operator is told once that counts of requests wait for a minute, and again when it happens again', async () => {
  vi.useFakeTimers();
  let full = true;
  const usage = new UsageRecorder((_work) => {
    if (full) throw new Error('the disk is full');
    return undefined as never;
  });
  const count = () =>
    usage.record({ organization: 'acme', day: '2026-04-15', endpoint: '/api/v1/indices' }, true);
  const said: string[] = [];
  const end = writeUsage(usage, { err: (text) => said.push(text) });
  count();
  vi.advanceTimersByTime(59_000);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(120_000);
  expect(said).toEqual(['counts of requests wait to be written: the disk is full']);
  full = false;
  vi.advanceTimersByTime(2_000);
  full = true;
  count();
  vi.advanceTimersByTime(58_000);
  expect(said).toHaveLength(1);
  vi.advanceTimersByTime(2_000);
  expect(said).toHaveLength(2);
  full = false;
  await end();
  expect(vi.getTimerCount()).toBe(0);
});
