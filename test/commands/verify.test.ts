import { describe, expect, it } from 'vitest';
import { smallWorkspaceOfEach } from '../helpers/small-workspace.ts';

const workspace = smallWorkspaceOfEach();

describe('verify', () => {
  it('recalculates the record, all of it or the given tickers, and knows no others', async () => {
    expect(await workspace().json('verify', 'SMALL')).toMatchObject({ tickers: 1, differences: [] });
    expect((await workspace().json('verify')).tickers).toBe(10);
    const day = ['--from', '2026-04-14T00:00:00Z', '--to', '2026-04-14T23:59:00Z'];
    expect(await workspace().json('verify', 'SMALL', ...day)).toMatchObject({
      chained: 163,
      recalculated: 4,
      differences: [],
    });
    expect(
      await workspace().run('verify', '--from', '2026-04-14T00:00:00Z', '--to', '2026-04-13T00:00:00Z'),
    ).toMatchObject({
      code: 2,
      err: 'foremark: to must not be before from, at 2026-04-14T00:00:00Z, got 2026-04-13T00:00:00Z\n',
    });
    expect(await workspace().run('verify', 'SMALL', 'TYPO')).toMatchObject({
      code: 2,
      err: 'foremark: no index or rate has the ticker TYPO\n',
    });
  });
});
