// A basket and a rate whose prices become known late, and what verifying says of them.
import { verify } from '../../src/compute/recalculation/verify.ts';
import type { Observation } from '../../src/model/observation.ts';
import type { Instant } from '../../src/model/units.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import type { Store } from '../../src/store/store.ts';
import { ALL, at, basket, rate } from '../helpers/hand-definitions.ts';

/** A basket of markets, of which prices come late. */
export const pair = (names: readonly string[], more: object = {}) => basket('PAIR', names, more);
/** The mean of two of them. */
export const mean = rate('MEAN', ['A', 'B']);

/** The result of verifying everything that was printed, and parts of it. */
export const differences = (store: Store) =>
  store.read((reader) =>
    [undefined, { from: at(2), to: at(2) }, { from: at(1.5), to: at(3) }, { from: at(4), to: ALL }].flatMap(
      (range) => verify(reader, [], range).differences,
    ),
  );

/** Records a price as it became known at a later instant. */
export function observe(
  store: Store,
  name: string,
  observed_at: Instant,
  price: number,
  recordedAt: Instant,
): void {
  observeAll(store, name, [{ observed_at, bid: price, ask: price }], recordedAt);
}

/** Records quotes as they became known together at a later instant. */
export function observeAll(
  store: Store,
  name: string,
  observations: Observation[],
  recordedAt: Instant,
): void {
  store.write((writer) =>
    insertObservations(
      writer,
      marketKey(writer, `venue_a:${name}`),
      { series: 'quote', observations },
      recordedAt,
    ),
  );
}
