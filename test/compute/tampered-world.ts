import { announceScheduled } from '../../src/commands/adoption/scheduled-notices.ts';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { formatInstant } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { insertAnnouncement } from '../../src/store/definitions/announcements.ts';
import type { Store } from '../../src/store/store.ts';
import { ALL, at, basket, rate } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';
import { observe } from './late-prices.ts';

const DAILY = { interval_minutes: 1440 };

/** An instant, in days from the first print. */
const day = (days: number): Instant => at(24 * days + 12);

/**
 * A store that holds something of every kind: definitions that are changed, called off and withdrawn, with their notices,
 * a settlement that comes late, a corrected price, recalculations, and a run that fails for an index.
 */
export function recordWorld(): Store {
  const hand = new HandStore();
  const { store } = hand;
  const main = (names: string[], more: object = {}) => basket('MAIN', names, { ...DAILY, ...more });
  const other = basket('OTHER', ['X'], DAILY);
  const mean = rate('MEAN', ['A', 'C'], DAILY);
  const adoptOn = (days: number, indices: object[], rates: object[]) => {
    const { withdrawn } = hand.adopt(indices, rates, { withNotice: true });
    store.write((writer) => announceScheduled(writer, withdrawn, day(days)));
  };
  const deletion = (price_cents: number) => ({
    deletions: [{ market_id: 'venue_a:D', at: formatInstant(day(8)), price_cents }],
  });
  hand.at(day(-1), { A: 0.5, B: 0.25, C: 0.4, D: 0.3, X: 0.2 });
  adoptOn(-1, [main(['A', 'B', 'C']), other], [mean]);
  hand.at(day(0), { A: 0.5, B: 0.25, C: 0.4, D: 0.3 });
  // A change of an index is announced and called off; an index and a rate are withdrawn and come back.
  adoptOn(0, [main(['A', 'B', 'C', 'D'])], []);
  hand.at(day(1), { A: 0.6 });
  adoptOn(1, [main(['A', 'B', 'C']), other], [mean]);
  hand.at(day(2), { A: 0.55, C: 0.45 });
  adoptOn(2, [main(['A', 'B', 'C', 'D'])], [mean]);
  hand.at(day(3), { A: 0.5, B: { pays: 0, since: day(1.5) } });
  observe(store, 'C', day(2.5), 0.48, day(4));
  hand.at(day(4), { A: 0.52 });
  backfill(store, { tickers: [], from: day(2), to: ALL, every_minutes: 720 }, day(4), () => {});
  store.write((writer) =>
    writer.run(`CREATE TRIGGER fails BEFORE INSERT ON index_prints BEGIN SELECT raise(ABORT, 'fails'); END`),
  );
  compute(store, day(5), () => {});
  store.write((writer) => writer.run('DROP TRIGGER fails'));
  hand.at(day(6), { A: 0.7 });
  // What is to be deleted is announced, and then at another price.
  adoptOn(6, [main(['A', 'B', 'C', 'D'], deletion(20))], [mean]);
  adoptOn(6.5, [main(['A', 'B', 'C', 'D'], deletion(30))], [mean]);
  const said = { type: 'methodology_update' as const, title: 'All', body: 'Of all' };
  store.write((writer) =>
    insertAnnouncement(writer, { ...said, announced_at: day(7), effective_at: day(60) }),
  );
  hand.at(day(9), { A: 0.71 });
  backfill(store, { tickers: [], from: day(1), to: ALL }, day(9), () => {});
  adoptOn(9, [main(['A', 'B', 'C', 'D'], deletion(30))], []);
  hand.at(day(10), { A: 0.71 });
  return store;
}
