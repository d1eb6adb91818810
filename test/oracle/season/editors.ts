import fc from 'fast-check';
import type { IndexDefinition } from '../../../src/model/definitions/index-definition.ts';
import { nextRebalance } from '../../../src/model/definitions/rebalance-calendar.ts';
import { formatInstant, HOUR_MS, MINUTE_MS } from '../../../src/model/time.ts';
import type { Instant } from '../../../src/model/units.ts';
import type { Stage } from './every-method.ts';

/** Times are in thirtieths of a stage; at some of these a rebalance or a reconstitution is due. */
const PARTS = 30;
const EVENTFUL = [9, 12, 20, 21, 26];
const EDITS = 3;

const deletion = fc.record({
  /** Its place among the names. */
  name: fc.nat({ max: 5 }),
  at: fc.oneof(fc.constantFrom(...EVENTFUL), fc.integer({ min: 1, max: PARTS - 1 })),
  /** On the hour, within one, when the name itself settles, or when the index is rebalanced next, if they do. */
  moment: fc.constantFrom('hour', 'hour', 'hour', 'later', 'settlement', 'rebalance'),
  price_cents: fc.constantFrom(0, 0.3, 5, 60, 100),
  /** The edit with which it is asked for, and the one with which no more, if there are so many. */
  asked: fc.nat({ max: 1 }),
  dropped: fc.constantFrom(2, 3, ...Array.from({ length: 4 }, () => EDITS + 1)),
});

const edit = fc.record({
  at: fc.integer({ min: 2, max: PARTS - 2 }),
  text: fc.string(),
  max_spread_cents: fc.constantFrom(2, 20, 20, 60),
  /** The place of a name that is left out until the next edit. */
  leaves: fc.option(fc.nat({ max: 5 }), { freq: 2 }),
  reversed: fc.constantFrom(false, false, false, true),
});

/** What an editor does to an index in the course of its life. */
const editor = fc.record({
  deletions: fc.uniqueArray(deletion, { selector: ({ name }) => name, minLength: 1, maxLength: 4 }),
  edits: fc
    .uniqueArray(edit, { selector: ({ at }) => at, minLength: EDITS, maxLength: EDITS })
    .map((edits) => edits.toSorted((a, b) => a.at - b.at)),
});

export type Editor = typeof editor extends fc.Arbitrary<infer One> ? One : never;

/** Editors who take turns with the indices of a world. */
export const editors: fc.Arbitrary<Editor[]> = fc.array(editor, { minLength: 13, maxLength: 13 });

/**
 * The versions of an index whose editor goes on editing it, each with the instant from which on it counts. An index of
 * indices has no names to take out and no books: only its text changes.
 */
export function edited(
  definition: IndexDefinition,
  { deletions, edits }: Editor,
  stage: Stage,
): { since: Instant; definition: IndexDefinition }[] {
  const instantOf = (part: number) =>
    Math.round((stage.base_at + (part / PARTS) * (stage.until - stage.base_at)) / HOUR_MS) * HOUR_MS;
  const asked = (version: number) =>
    deletions.filter((each) => each.asked <= version && version < each.dropped);
  const momentOf = ({ at, moment }: Editor['deletions'][number], id: string) => {
    const settlement = moment === 'settlement' ? stage.settlements?.get(id) : undefined;
    const calendar = definition.methodology === 'basket' ? definition.weighting.rebalances : undefined;
    const rebalance = moment === 'rebalance' && calendar ? nextRebalance(calendar, instantOf(at)) : undefined;
    return settlement ?? rebalance ?? instantOf(at) + (moment === 'later' ? 20 * MINUTE_MS : 0);
  };
  const first = { at: 0, leaves: null, reversed: false, text: '', max_spread_cents: 20 };
  return [first, ...edits].map(({ at, text, leaves, reversed, max_spread_cents }, version) => {
    const since = instantOf(at);
    const description = `What it is. ${text}`;
    if (definition.methodology === 'composite' || definition.methodology === 'total_return')
      return { since, definition: { ...definition, description } };
    const staying = definition.constituents.filter((_each, i) => i !== leaves);
    const constituents = reversed ? staying.toReversed() : staying;
    const out = asked(version).flatMap((each) => {
      const named = definition.constituents[each.name];
      if (!named || each.name === leaves) return [];
      const { market_id, rate } = named;
      const at = momentOf(each, market_id);
      if (at <= Date.parse(definition.base_at)) return [];
      const { price_cents } = each;
      return [{ market_id, ...(rate ? { rate } : {}), at: formatInstant(at), price_cents }];
    });
    const book_check = { ...definition.book_check, max_spread_cents };
    const changed = { ...definition, description, constituents, book_check, deletions: out };
    return { since, definition: changed as IndexDefinition };
  });
}
