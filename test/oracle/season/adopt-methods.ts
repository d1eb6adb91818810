import { adoptDefinitions } from '../../../src/store/definitions/definitions.ts';
import type { Store } from '../../../src/store/store.ts';
import { type Editor, edited } from './editors.ts';
import { everyMethod, type Stage } from './every-method.ts';

/**
 * Adopts the definitions of every method beside those of a store, and what becomes of them; and all once more under
 * another prefix, as indices that are edited.
 */
export function adoptMethods(store: Store, stage: Stage, editors: readonly Editor[]): void {
  const { changed, ...definitions } = everyMethod(stage);
  const counting = (since: number) => ({ keepMissing: true, effectOf: () => since });
  const { indices, rates } = everyMethod({ ...stage, prefix: `E-${stage.prefix}` });
  const versions = indices.flatMap((each, i) => edited(each, editors[i % editors.length] as Editor, stage));
  store.write((writer) => {
    adoptDefinitions(writer, definitions, stage.base_at, counting(changed.takes_effect_at));
    const later = { indices: changed.indices, rates: [] };
    adoptDefinitions(writer, later, stage.base_at + 1, counting(changed.takes_effect_at));
    adoptDefinitions(writer, { indices: [], rates }, stage.base_at, counting(stage.base_at));
    for (const { since, definition } of versions)
      adoptDefinitions(writer, { indices: [definition], rates: [] }, since, counting(since));
  });
}
