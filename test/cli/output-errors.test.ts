import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { ended, startCli } from '../helpers/run-cli.ts';
import { openSmallWorkspace } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

describe('a command whose output', () => {
  it('[C/1] nobody reads any more runs to its end, and exits as it would have', async () => {
    const run = startCli(['--now', '2026-10-29T12:00:00Z', 'run'], { cwd: workspace.folder });
    run.stdout?.destroy();
    run.stderr?.destroy();
    expect(await ended(run)).toMatchObject({ code: 0 });
    expect((await workspace.run('status')).out).toMatch(/ run 2026-10-29T12:00:00Z complete$/m);
  });

  it('[C/1] nobody reads any more makes no key that nobody has: it is revoked', async () => {
    const create = startCli(['keys', 'create', '--organization', 'unread'], { cwd: workspace.folder });
    create.stdout?.destroy();
    const { code, err } = await ended(create);
    const [, id] = /^the key could not be shown, so it was revoked: (\w+)\n$/.exec(err) ?? [];
    expect(code).toBe(4);
    const listed = (await workspace.run('keys', 'list')).out;
    expect(listed).toMatch(new RegExp(`^${id} +unread .* revoked `, 'm'));
    expect(listed.match(/unread/g)).toHaveLength(1);
  });

  it('shows control characters escaped, and is the same JSON', async () => {
    const folder = join(workspace.folder, 'hostile\u001b[2J\u009b\u202e');
    const file = join(folder, 'indices', 'a.yaml');
    mkdirSync(join(folder, 'indices'), { recursive: true });
    writeFileSync(file, '');
    const shown = String.raw`hostile\u001b[2J\u009b\u202e/indices/a.yaml`;
    expect((await workspace.run('check', folder)).out).toContain(shown);
    const { out } = await workspace.run('--json', 'check', folder);
    expect(out).toContain(shown);
    expect(JSON.parse(out).problems).toMatchObject([{ file }]);
  });

  it('exits 1 where a feed failed, even if nobody reads that', async () => {
    const asked = { FOREMARK_VENUES__VENUE_C__ENABLED: 'true', FOREMARK_INGEST__ATTEMPTS: '1' };
    const env = { ...asked, FOREMARK_VENUES__VENUE_C__BASE_URL: 'http://127.0.0.1:9' };
    const ingest = startCli(['ingest'], { cwd: workspace.folder, env });
    ingest.stdout?.destroy();
    ingest.stderr?.destroy();
    expect(await ended(ingest)).toMatchObject({ code: 1 });
  });

  it.skipIf(!existsSync('/dev/full'))(
    '[C/1] cannot be written exits 4 and says so (needs /dev/full)',
    async () => {
      const full = openSync('/dev/full', 'w');
      const status = startCli(['status'], { cwd: workspace.folder, stdout: full });
      closeSync(full);
      expect(await ended(status)).toMatchObject({
        code: 4,
        err: expect.stringMatching(/^foremark: standard output: ENOSPC: .+\n$/),
      });
    },
  );
});
