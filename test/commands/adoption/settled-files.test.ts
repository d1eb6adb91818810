import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runStages } from '../../../src/commands/run.ts';
import { listIndexDefinitions } from '../../../src/store/definitions/definitions.ts';
import { ofEachTest } from '../../helpers/of-each-test.ts';
import { quietContext } from '../../helpers/quiet-context.ts';
import { NOW } from '../../helpers/small-store.ts';
import { openSmallWorkspace } from '../../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

/** Adopts the folder as a run does; `meanwhile` is what happens in it while the run waits. */
async function adopted(meanwhile: () => void) {
  let waited = 0;
  const { folder, small } = workspace;
  const context = quietContext({ store: small.path, definitions: join(folder, 'definitions') }, NOW);
  const effects = {
    ...context.effects,
    async sleep() {
      waited++;
      meanwhile();
    },
  };
  const { code } = await runStages({ ...context, effects }, 'compute', []);
  return { code, waited, indices: small.store.read(listIndexDefinitions).length };
}

it('a file that is rewritten while a run reads is waited for; one that stays away is withdrawn', async () => {
  const path = join(workspace.folder, 'definitions/indices/0.json');
  const text = readFileSync(path, 'utf8');
  const finish = () => writeFileSync(path, text);
  expect(await adopted(() => {})).toEqual({ code: 0, waited: 0, indices: 5 });
  rmSync(path);
  expect(await adopted(finish)).toEqual({ code: 0, waited: 1, indices: 5 });
  writeFileSync(path, text.slice(0, -20));
  expect(await adopted(finish)).toEqual({ code: 0, waited: 1, indices: 5 });
  rmSync(path);
  expect(await adopted(() => {})).toEqual({ code: 0, waited: 1, indices: 4 });
});
