import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { adoptFolder } from '../../../src/commands/adoption/adopt.ts';
import { backfill } from '../../../src/compute/recalculation/backfill.ts';
import { verify } from '../../../src/compute/recalculation/verify.ts';
import { marketKey } from '../../../src/store/catalog/market-names.ts';
import { insertObservations } from '../../../src/store/prices/prices.ts';
import { findIndexPrint } from '../../../src/store/prints/index-prints.ts';
import { at, basket, index } from '../../helpers/hand-definitions.ts';
import { HandStore } from '../../helpers/hand-store.ts';
import { quietContext } from '../../helpers/quiet-context.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const composite = (ticker: string, ...names: string[]) =>
  index(ticker, 'composite', {
    weighting: { categories: { all: 1 } },
    constituents: names.map((name) => ({ index: name, category: 'all' })),
  });
const parts = [basket('P', ['A']), basket('Q', ['B'])];

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'indices'));
});

/** Adopts definitions and calculates. @returns the problems */
function runAt(hand: HandStore, hours: number, indices: readonly { ticker: string }[]): string[] {
  for (const each of indices)
    writeFileSync(join(folder, 'indices', `${each.ticker}.json`), JSON.stringify(each));
  const problems = adoptFolder(hand.store, quietContext({ definitions: folder }, at(hours)));
  hand.at(at(hours), { A: 0.4 + hours / 1000, B: 0.5 });
  return problems.map((each) => each.message);
}

it('two indices swap places one after the other: neither takes in one that still holds it', () => {
  const hand = new HandStore();
  expect(runAt(hand, 0, [...parts, composite('ONE', 'P', 'TWO'), composite('TWO', 'Q')])).toEqual([]);
  const changed = [composite('ONE', 'P'), composite('TWO', 'Q', 'ONE')];
  const refused = ['TWO must not be made of ONE while that is made of TWO'];
  expect(runAt(hand, 1, changed)).toEqual(refused);
  // What is refused is not what the change of the other waits for.
  expect(runAt(hand, 26, changed)).toEqual(refused);
  expect(runAt(hand, 27, changed)).toEqual([]);
  expect(runAt(hand, 52, changed)).toEqual([]);
  const held = hand.store.read((reader) => findIndexPrint(reader, 'TWO', at(52))?.lines);
  expect(held?.map((line) => [line.market_id, line.observed_at])).toEqual([
    ['index:Q', at(52)],
    ['index:ONE', at(52)],
  ]);
  expect(hand.store.read((reader) => verify(reader, []).differences)).toEqual([]);
});

it('a backfill on a finer grid over the swap equals a service that ran on that grid', () => {
  const hand = new HandStore();
  const changed = [composite('ONE', 'P'), composite('TWO', 'Q', 'ONE')];
  runAt(hand, 0, [...parts, composite('ONE', 'P', 'TWO'), composite('TWO', 'Q')]);
  for (const hours of [1, 2, 3]) runAt(hand, hours, []);
  for (const hours of [4, 29, 30, 55, 56]) runAt(hand, hours, changed);
  hand.store.write((writer) =>
    insertObservations(
      writer,
      marketKey(writer, 'venue_a:B'),
      { series: 'quote', observations: [{ observed_at: at(2.25), bid: 0.3, ask: 0.3 }] },
      at(56),
    ),
  );
  const onHalfHours = (now: number) =>
    backfill(hand.store, { tickers: [], from: 0, to: at(56), every_minutes: 30 }, at(now), () => {});
  expect(onHalfHours(56.1)).toMatchObject({ series: 4, added: 3, failures: [] });
  // As Q, TWO and then ONE, which was made of it.
  for (const ticker of ['Q', 'TWO', 'ONE'])
    expect(hand.store.read((reader) => findIndexPrint(reader, ticker, at(2.5))?.at)).toBe(at(2.5));
  expect(hand.store.read((reader) => verify(reader, []).differences)).toEqual([]);
  expect(onHalfHours(56.2)).toMatchObject({ restated: 0, added: 0 });
});

it('where a change is refused, the inputs of its earlier definition count', () => {
  const hand = new HandStore();
  const returns = (base_index_id: string) => index('RETURN', 'total_return', { base_index_id });
  expect(runAt(hand, 0, [...parts, composite('ONE', 'P'), returns('ONE')])).toEqual([]);
  expect(runAt(hand, 1, [composite('ONE', 'P', 'RETURN'), returns('Q')])).toEqual([
    'RETURN has printed, so this must stay "ONE"',
    'ONE must not be made of RETURN while that is made of ONE',
  ]);
});
