import { describe, expect, it } from 'vitest';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { openSmallWorkspace } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

const STATE = "UPDATE standings SET body = '{}' WHERE ticker = 'SMALL'";
const LEDGER = "UPDATE divisor_steps SET market_ids = '{}'";
const NOTICE = "UPDATE announcements SET added = '{}'";
const RECEIPT = 'UPDATE index_receipts SET receipt = zeroblob(3)';

function damage(sql: string): void {
  workspace.small.store.write((writer) => {
    const sqls = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%raise(ABORT%'";
    for (const name of writer.column<string>(sqls)) writer.run(`DROP TRIGGER ${name}`);
    writer.run(sql);
  });
}

describe('a record that is damaged ends a command with 4 and its name', () => {
  it.each([
    ['run', STATE, 'the state of SMALL at 2026-04-15T12:00:00Z cannot be read'],
    ['compute', STATE, 'the state of SMALL at 2026-04-15T12:00:00Z cannot be read'],
    [
      'compute',
      STATE.replace('{}', '{"level":1,"divisor":1,"cash":0,"lines":[{}]}'),
      'the state of SMALL at',
    ],
    ['backfill R.MEAN', STATE.replace("SMALL'", "R.MEAN'"), 'the state of R.MEAN at'],
    ['publish', STATE, 'the state of SMALL at'],
    ['publish', LEDGER, 'the ledger of '],
    ['explain SMALL', RECEIPT, 'the print of SMALL at 2026-04-15T12:00:00Z cannot be read'],
    ['publish', RECEIPT, 'the print of '],
    ['publish', NOTICE, 'notice 1 cannot be read'],
  ])('%s', async (command, sql, named) => {
    damage(sql);
    const { code, err } = await workspace.run(...command.split(' '));
    expect(err).toContain(named);
    expect(err).not.toMatch(/^ +at /m);
    expect(code).toBe(4);
  });

  it('run, for a definition that no process has read yet', async () => {
    damage("UPDATE definitions SET body = '{}' WHERE ticker = 'SMALL'");
    const { code, err } = await workspace.runAlone('run');
    expect(err).toMatch(/^foremark: the definition of SMALL cannot be read: .*; restore it from a backup/m);
    expect(code).toBe(4);
  });
});
