import { expect, it } from 'vitest';
import { smallWorkspaceOfEach } from '../helpers/small-workspace.ts';

const workspace = smallWorkspaceOfEach();

it('backfill says how many series it calculated, and that history is unchanged', async () => {
  expect((await workspace().run('backfill')).out).toBe('9 series: 0 prints restated, 0 added\n');
  expect(
    (await workspace().run('backfill', 'SMALL', '--every', '60', '--from', '2026-04-15T00:00:00Z')).out,
  ).toMatch(/^1 series: 0 prints restated, [1-9]\d* added\n$/);
  expect((await workspace().run('verify', 'SMALL')).code).toBe(0);
});

it('backfill is refused from an instant that has not come, instead of having nothing to do', async () => {
  expect(await workspace().run('backfill', '--from', '2126-04-15')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/from must not be after now, .*, got 2126-04-15T00:00:00Z/),
  });
});
