import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runStages } from '../../../src/commands/run.ts';
import { createEffects } from '../../../src/effects.ts';
import { config } from '../../../src/model/config.ts';
import { listIndexDefinitions } from '../../../src/store/definitions/definitions.ts';
import { NOW } from '../../helpers/small-store.ts';
import { smallWorkspaceOfEach } from '../../helpers/small-workspace.ts';

const workspace = smallWorkspaceOfEach();

/** Adopts the folder as a run does; `meanwhile` is what happens in it while the run waits. */
async function adopted(meanwhile: () => void) {
  let waited = 0;
  const { folder, small } = workspace();
  const effects = {
    ...createEffects(NOW),
    async sleep() {
      waited++;
      meanwhile();
    },
  };
  const context = {
    config: config.parse({ store: small.path, definitions: join(folder, 'definitions') }),
    effects,
    json: true,
    out() {},
    err() {},
    isTerminal: false,
  };
  const { code } = await runStages(context, 'compute', []);
  return { code, waited, indices: small.store.read(listIndexDefinitions).length };
}

it('a file that is rewritten while a run reads is waited for; one that stays away is withdrawn', async () => {
  const path = join(workspace().folder, 'definitions/indices/0.json');
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
