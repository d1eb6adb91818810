import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAY_MS, formatInstant, HOUR_MS } from '../../../src/model/time.ts';
import { publicIndexTickers, publicRateTickers } from '../../../src/routes/visibility.ts';
import { findCalculatedTo } from '../../../src/store/prints/standings.ts';
import { basket } from '../../helpers/hand-definitions.ts';
import { ofEachTest } from '../../helpers/of-each-test.ts';
import { IDS, NOW } from '../../helpers/small-store.ts';
import { openSmallWorkspace, write } from '../../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

const basketOf = (ticker: string, constituents: object[]) =>
  basket(ticker, [], { base_at: formatInstant(NOW), constituents });
const steady = { market_id: IDS.steady };

async function runAt(now: number) {
  const { code, err } = await workspace.run('--now', new Date(now).toISOString(), 'run');
  expect(code, err).toBe(0);
  return {
    said: err.split('\n').find((line) => line.startsWith('going on')),
    public: workspace.small.store.read((reader) => [
      ...publicIndexTickers(reader).filter((each) => ['OUTER', 'INNER'].includes(each)),
      ...publicRateTickers(reader).filter((each) => each === 'R.STEADY'),
    ]),
  };
}

test('a rate or index whose file is gone continues until the change of the index that holds it was calculated', async () => {
  const { folder, small } = workspace;
  const composite = (constituents: object[]) => ({
    ...basketOf('OUTER', constituents),
    methodology: 'composite',
    weighting: { categories: { a: 1 } },
  });
  const inner = { index: 'INNER', category: 'a' };
  const rest = { index: 'REST', category: 'a' };
  write(folder, 'definitions/indices/outer.json', composite([inner, rest]));
  write(folder, 'definitions/indices/inner.json', basketOf('INNER', [steady, { rate: 'R.STEADY' }]));
  write(folder, 'definitions/indices/rest.json', basketOf('REST', [steady]));
  await runAt(NOW + HOUR_MS);
  write(folder, 'definitions/indices/outer.json', composite([rest]));
  rmSync(join(folder, 'definitions/indices/inner.json'));
  rmSync(join(folder, 'definitions/rates/0.json'));
  const going = {
    said: 'going on without a file, until the change of what is made of it: R.STEADY, INNER',
    public: ['OUTER', 'INNER', 'R.STEADY'],
  };
  expect(await runAt(NOW + 2 * HOUR_MS)).toEqual(going);
  // The change counts a day after its notice; the run that comes to it marks what leaves once more.
  const counts = NOW + 2 * HOUR_MS + DAY_MS;
  expect(await runAt(counts - HOUR_MS)).toEqual(going);
  expect(await runAt(counts + HOUR_MS)).toEqual(going);
  const calculated = small.store.read((reader) => ({
    rate: findCalculatedTo(reader, { kind: 'rate', ticker: 'R.STEADY' }),
    inner: findCalculatedTo(reader, { kind: 'index', ticker: 'INNER' }),
  }));
  expect(calculated).toEqual({ rate: counts + HOUR_MS, inner: counts + HOUR_MS });
  expect(await runAt(counts + 2 * HOUR_MS)).toEqual({ said: undefined, public: ['OUTER'] });
  expect((await workspace.run('--now', new Date(counts + 2 * HOUR_MS).toISOString(), 'verify')).code).toBe(0);
});

test('and continues too while that index cannot change, since none of its new constituents has a price', async () => {
  const { folder } = workspace;
  const outer = (constituents: object[]) =>
    write(folder, 'definitions/indices/outer.json', basketOf('OUTER', constituents));
  outer([{ rate: 'R.STEADY' }]);
  await runAt(NOW + HOUR_MS);
  outer([{ market_id: 'venue_a:UNSEEN' }]);
  rmSync(join(folder, 'definitions/rates/0.json'));
  await runAt(NOW + 2 * HOUR_MS);
  await runAt(NOW + 2 * DAY_MS);
  expect(await runAt(NOW + 3 * DAY_MS)).toEqual({
    said: 'going on without a file, until the change of what is made of it: R.STEADY',
    public: ['OUTER', 'R.STEADY'],
  });
});
