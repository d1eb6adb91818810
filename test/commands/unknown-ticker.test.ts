import { describe, expect, it } from 'vitest';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { openSmallWorkspace } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

describe('an unknown ticker', () => {
  it.each([
    ['index or rate', ['explain']],
    ['rate', ['explain', '--kind', 'rate']],
    ['index or rate', ['verify']],
    ['index or rate', ['backfill']],
    ['index', ['announce', '--type', 'corporate_action', '--title', 't', '--body', 'b', '--index']],
  ])(
    'is refused alike by every command, and the %s that differs only in case is suggested: %j',
    async (kind, command) => {
      const [right, wrong] = kind === 'rate' ? ['R.MEAN', 'r.Mean'] : ['SMALL', 'small'];
      expect(await workspace.run(...command, wrong)).toMatchObject({
        code: 2,
        err: `foremark: no ${kind} has the ticker ${wrong}; there is ${right}\n`,
      });
      expect(await workspace.run(...command, 'TYPO')).toMatchObject({
        code: 2,
        err: `foremark: no ${kind} has the ticker TYPO\n`,
      });
    },
  );
});
