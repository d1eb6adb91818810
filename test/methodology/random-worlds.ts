import fc from 'fast-check';
import type { ContractView } from '../../src/methodology/contract-views.ts';
import type { IndexDefinition } from '../../src/model/definitions/index-definition.ts';
import { type Board, book, define, hour, idOf, paid } from './contracts.ts';

/** A random life of a few contracts, and an index over them. */
export interface World {
  definition: IndexDefinition;
  boards: Board[];
  /** A definition that comes into force at a later board, if one does. */
  change?: { at: number; definition: IndexDefinition };
}

export const NAMES = ['A', 'B', 'C', 'D'] as const;

/** Ticks of a hundredth of a cent near the ends, of a cent between. */
const tick = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 99 }).map((units) => units / 10_000) },
);

/** A book that may miss a side, be crossed or wide, with or without a trade. */
const sides = fc.record({ bid: tick, ask: tick, last: tick }, { requiredKeys: [] });

/** What is newly seen of a contract in an hour; undefined when nobody looked. */
const sight = fc.oneof(
  { weight: 4, arbitrary: tick.map((price) => ({ kind: 'good' as const, price })) },
  { weight: 2, arbitrary: sides.map((each) => ({ kind: 'book' as const, sides: each })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('paused', 'disputed').map((status) => ({ kind: 'halt' as const, status })),
  },
  { weight: 2, arbitrary: fc.constant(undefined) },
);

/** A contract's hours, and whether and at what it settles. */
const life = (hours: number) =>
  fc.record({
    sights: fc.array(sight, { minLength: hours, maxLength: hours }),
    settles: fc.option(
      fc.record({ at: fc.integer({ min: 1, max: hours }), payout: fc.constantFrom(0, 1, 0.5, 0.37) }),
      { nil: undefined },
    ),
  });

function viewsOf({
  sights,
  settles,
}: {
  sights: readonly unknown[];
  settles: { at: number; payout: number } | undefined;
}) {
  let view: ContractView | undefined;
  return (
    sights as readonly (
      | { kind: 'good'; price: number }
      | { kind: 'book'; sides: { bid?: number; ask?: number; last?: number } }
      | { kind: 'halt'; status: 'paused' | 'disputed' }
      | undefined
    )[]
  ).map((each, i) => {
    if (settles && i >= settles.at) return paid(settles.payout, hour(settles.at));
    if (each?.kind === 'good') view = book({ bid: each.price, ask: each.price }, hour(i));
    else if (each?.kind === 'book') view = book(each.sides, hour(i));
    else if (each?.kind === 'halt' && view) view = { ...view, status: each.status };
    return view;
  });
}

const weights = fc.array(fc.integer({ min: 1, max: 9 }), {
  minLength: NAMES.length,
  maxLength: NAMES.length,
});
const HOURS = 12;

/** A name that is taken out at a price. */
const deletion = fc.record({
  name: fc.constantFrom(...NAMES),
  at: fc.integer({ min: 1, max: HOURS - 1 }),
  price_cents: fc.constantFrom(0, 0.3, 2, 60),
});

/**
 * Worlds of twelve hours and four contracts: missing sides, halts, settlements, late arrivals, new weights, names
 * taken out.
 */
export const world: fc.Arbitrary<World> = fc
  .record({
    lives: fc.array(life(HOURS), { minLength: NAMES.length, maxLength: NAMES.length }),
    weights,
    by: fc.constantFrom('value' as const, 'quantity' as const),
    deleted: fc.option(deletion, { nil: undefined }),
    change: fc.option(
      fc.record({
        at: fc.integer({ min: 1, max: HOURS - 1 }),
        weights,
        members: fc.integer({ min: 1, max: NAMES.length }),
      }),
      { nil: undefined },
    ),
  })
  .map(({ lives, weights, by, deleted, change }): World => {
    const views = lives.map(viewsOf);
    const boards = Array.from({ length: HOURS }, (_none, i) => {
      const board: Board = {};
      for (const [n, name] of NAMES.entries()) {
        const view = views[n]?.[i];
        if (view) board[name] = view;
      }
      return board;
    });
    const weighed = (each: readonly number[], members: number) => {
      const shares = NAMES.slice(0, members).map((name, n) => [name, each[n] as number]);
      return deleting(define(Object.fromEntries(shares), { by }), deleted);
    };
    const made: World = { definition: weighed(weights, NAMES.length), boards };
    return change
      ? { ...made, change: { at: change.at, definition: weighed(change.weights, change.members) } }
      : made;
  });

interface Deleted {
  name: string;
  at: number;
  price_cents: number;
}

function deleting(definition: IndexDefinition, deleted: Deleted | undefined): IndexDefinition {
  if (definition.methodology !== 'basket' || !deleted) return definition;
  const { name, at, price_cents } = deleted;
  const deletions = [{ market_id: idOf(name), at: new Date(hour(at)).toISOString(), price_cents }];
  return { ...definition, deletions };
}

/** The changes of definition of a world, as `work` takes them. */
export function changesOf({ change }: World): Record<number, IndexDefinition> {
  return change ? { [change.at]: change.definition } : {};
}
