import type { Instant } from '../../../src/model/units.ts';
import { adoptDefinitions } from '../../../src/store/definitions/adopt-definitions.ts';
import type { Store, Writer } from '../../../src/store/store.ts';
import { type Editor, edited } from './editors.ts';
import { everyMethod, type Stage } from './every-method.ts';

/** Definitions that are put in force at an instant. */
interface Adoption {
  since: Instant;
  adopt: (writer: Writer) => void;
}

/**
 * The definitions of every method, and what becomes of them; and all once more under another prefix, as indices that
 * are edited. In the order in which they are adopted.
 */
export function adoptions(stage: Stage, editors: readonly Editor[]): Adoption[] {
  const { changed, ...definitions } = everyMethod(stage);
  const { indices, rates } = everyMethod({ ...stage, prefix: `E-${stage.prefix}` });
  const counting = (since: number) => ({ keepMissing: true, effectOf: () => since });
  const versions = indices.flatMap((each, i) => edited(each, editors[i % editors.length] as Editor, stage));
  const first: Adoption = {
    since: stage.base_at,
    adopt: (writer) => {
      adoptDefinitions(writer, definitions, stage.base_at, counting(changed.takes_effect_at));
      const later = { indices: changed.indices, rates: [] };
      adoptDefinitions(writer, later, stage.base_at + 1, counting(changed.takes_effect_at));
      adoptDefinitions(writer, { indices: [], rates }, stage.base_at, counting(stage.base_at));
    },
  };
  const edits = versions.map(
    ({ since, definition }): Adoption => ({
      since,
      adopt: (writer) =>
        void adoptDefinitions(writer, { indices: [definition], rates: [] }, since, counting(since)),
    }),
  );
  return [first, ...edits].toSorted((a, b) => a.since - b.since);
}

/** Adopts all of them beside the definitions of a store. */
export function adoptMethods(store: Store, stage: Stage, editors: readonly Editor[]): void {
  store.write((writer) => {
    for (const { adopt } of adoptions(stage, editors)) adopt(writer);
  });
}
