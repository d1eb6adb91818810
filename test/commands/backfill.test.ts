import { expect, it } from 'vitest';
import { HOUR_MS } from '../../src/model/time.ts';
import { findLateHistory, noteLateHistory } from '../../src/store/late-history.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { NOW } from '../helpers/small-store.ts';
import { openSmallWorkspace } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

it('backfill says how many series it calculated, and that history is unchanged', async () => {
  expect((await workspace.run('backfill')).out).toBe('9 series: 0 prints restated, 0 added\n');
  expect(
    (await workspace.run('backfill', 'SMALL', '--every', '60', '--from', '2026-04-15T00:00:00Z')).out,
  ).toMatch(/^1 series: 0 prints restated, [1-9]\d* added\n$/);
  expect((await workspace.run('verify', 'SMALL')).code).toBe(0);
});

it('backfill goes on after a series that fails, exits 1 and names it; late prices then still wait for a backfill', async () => {
  const { small, run } = workspace;
  const late = NOW - HOUR_MS;
  small.store.write((writer) => {
    noteLateHistory(writer, late, NOW);
    writer.run(`CREATE TRIGGER full BEFORE INSERT ON index_prints WHEN NEW.ticker = 'SMALL'
      BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  });
  const finer = ['backfill', '--every', '60', '--from', '2026-04-15T00:00:00Z'];
  const failed = await run(...finer);
  expect(failed.code).toBe(1);
  expect(failed.out).toMatch(/^SMALL failed: no room\n8 series: 0 prints restated, \d+ added\n$/);
  expect(small.store.read(findLateHistory)).toBe(late);
  small.store.write((writer) => writer.run('DROP TRIGGER full'));
  expect((await run(...finer)).code).toBe(0);
  expect(small.store.read(findLateHistory)).toBeUndefined();
});

it('backfill is refused from an instant that has not come, instead of having nothing to do', async () => {
  expect(await workspace.run('backfill', '--from', '2126-04-15')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/from must not be after now, .*, got 2126-04-15T00:00:00Z/),
  });
});
