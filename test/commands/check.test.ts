import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { INDICES, RATES } from '../helpers/small-store.ts';
import { openSmallWorkspace, write } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

describe('check', () => {
  it('counts good definitions and exits 0; a missing folder exits 2', async () => {
    const nothing = { problems: [], withdraws: [], changes: [], unlisted: [] };
    expect(await workspace.json('check')).toEqual({ indices: 5, rates: 5, ...nothing });
    expect((await workspace.run('check', 'nowhere')).out).toContain('nowhere: folder does not exist');
    expect((await workspace.run('check', 'nowhere')).code).toBe(2);
  });

  it('shows what the store refuses, as the next run would, of the folder that the run reads', async () => {
    const [first] = INDICES;
    write(workspace.folder, 'definitions/indices/0.json', { ...first, base_at: '2026-01-02T00:00:00Z' });
    write(workspace.folder, 'other/indices/0.json', { ...first, base_at: '2026-01-02T00:00:00Z' });
    const checked = await workspace.run('check');
    const refused = checked.out.split('\n')[0] ?? '';
    expect(refused).toMatch(/0\.json at base_at: .* has printed, so this must stay/);
    expect(checked.code).toBe(2);
    expect((await workspace.run('compute')).err).toContain(`definition left out: ${refused}`);
    expect((await workspace.run('check', 'other')).out).toContain('no problems');
  });

  it('names definitions about to be withdrawn, and markets missing from the catalog, before any announcement', async () => {
    const { folder, run } = workspace;
    const [first] = RATES;
    write(folder, 'definitions/rates/0.json', { ...first, sources: [{ market_id: 'venue_a:MISTYPED' }] });
    rmSync(join(folder, 'definitions/rates/4.json'));
    const gone = RATES[4]?.ticker;
    const checked = await run('check');
    expect(checked.code, checked.out).toBe(0);
    const [withdraws, unlisted] = checked.out.split('\n');
    expect(withdraws).toBe(`the next run withdraws ${gone}, whose file is gone`);
    expect(unlisted).toBe(
      'definitions/rates/0.json names venue_a:MISTYPED, which is not in the catalog so far',
    );
    expect((await run('compute')).err).toContain(`withdrawn: ${gone}`);
    expect((await run('check')).out).not.toContain('withdraws');
    write(folder, 'definitions/rates/1.json', '{');
    rmSync(join(folder, 'definitions/rates/3.json'));
    expect((await run('check')).out, 'a file with a problem keeps all').not.toContain('withdraws');
  });

  it('says when a changed index takes effect, before the run that announces it and until then', async () => {
    const { folder, run, json } = workspace;
    const [small, gauge] = INDICES;
    const fewer = { ...small, constituents: small?.constituents.slice(1) };
    write(folder, 'definitions/indices/0.json', fewer);
    write(folder, 'definitions/indices/1.json', { ...gauge, name: 'Another text takes effect at once' });
    const change = (from: string) =>
      `definitions/indices/0.json changes what SMALL prices, from ${from} on at the earliest`;
    const later = ['--now', '2026-04-15T13:00:00Z'];
    expect((await run(...later, 'check')).out.split('\n')[0]).toBe(change('2026-04-16T13:00:00Z'));
    expect((await run('compute')).err).toContain(
      'announced for 2026-04-16T12:00:00Z: Reconstitution of SMALL: Small basket adds 0 constituents and removes 1',
    );
    expect((await run('compute')).err, 'announced once').not.toContain('announced');
    expect((await json(...later, 'check')).changes).toEqual([
      { file: 'definitions/indices/0.json', ticker: 'SMALL', takes_effect_at: '2026-04-16T12:00:00Z' },
    ]);
    expect((await json('--now', '2026-04-16T12:00:00Z', 'check')).changes).toEqual([]);
  });
});
