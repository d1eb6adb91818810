import { describe, expect, it } from 'vitest';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { openSmallWorkspace } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

describe('verify', () => {
  it('recalculates the record, all of it or the given tickers, and knows no others', async () => {
    expect(await workspace.json('verify', 'SMALL')).toMatchObject({ tickers: 1, differences: [] });
    expect((await workspace.json('verify')).tickers).toBe(10);
    const day = ['--from', '2026-04-14T00:00:00Z', '--to', '2026-04-14T23:59:00Z'];
    expect(await workspace.json('verify', 'SMALL', ...day)).toMatchObject({
      chained: 163,
      recalculated: 4,
      differences: [],
    });
    expect(
      await workspace.run('verify', '--from', '2026-04-14T00:00:00Z', '--to', '2026-04-13T00:00:00Z'),
    ).toMatchObject({
      code: 2,
      err: 'foremark: to must not be before from, at 2026-04-14T00:00:00Z, got 2026-04-13T00:00:00Z\n',
    });
    expect(await workspace.run('verify', 'SMALL', 'TYPO')).toMatchObject({
      code: 2,
      err: 'foremark: no index or rate has the ticker TYPO\n',
    });
  });

  it('[C/1] names what was altered, by ticker or for all, and exits 1', async () => {
    workspace.small.store.write((writer) => {
      writer.run('DROP TRIGGER announcements_stand');
      writer.run(`UPDATE announcements SET body = 'Another'`);
      writer.run(`UPDATE daily_closes SET at = at - 1 WHERE ticker = 'GAUGE.K'`);
    });
    const { code, out } = await workspace.run('verify');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^announcement of all at 2026-03-06T00:00:00Z: it was altered.*\nindex GAUGE\.K at 2026-03-06T00:00:00Z: .*\n10 tickers: .*; 2 differences\n$/,
    );
  });
});
