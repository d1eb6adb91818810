import { adoptDefinitions } from '../../../src/store/definitions/definitions.ts';
import type { Store } from '../../../src/store/store.ts';
import { everyMethod, type Stage } from './every-method.ts';

/** Adopts the definitions of every method beside those of a store, and what becomes of them. */
export function adoptMethods(store: Store, stage: Stage): void {
  const { changed, ...definitions } = everyMethod(stage);
  const beside = { keepMissing: true, effectOf: () => changed.takes_effect_at };
  store.write((writer) => {
    adoptDefinitions(writer, definitions, stage.base_at, beside);
    adoptDefinitions(writer, { indices: changed.indices, rates: [] }, stage.base_at + 1, beside);
  });
}
