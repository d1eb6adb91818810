import { expect, it } from 'vitest';
import { timed } from '../../scripts/bench/processor-time.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { openStore } from '../../src/store/store.ts';
import { hour } from '../methodology/contracts.ts';
import { adopt, defineRate, keep, price, run, status } from './recorded-world.ts';

/** What it takes to calculate and to verify a rate that is due each minute since some days before its first price. */
function measureMinutes(days: number): { calculate: number; verify: number } {
  const store = openStore(':memory:');
  const rate = {
    ...defineRate('MINUTES', 'event_contract', ['A']),
    interval_minutes: 1,
    start_at: formatInstant(hour(0) - days * DAY_MS),
  };
  keep(store, [status('A', hour(0), 'active'), price('A', hour(0), { bid: 0.4, ask: 0.5 })], hour(0));
  adopt(store, { indices: [], rates: [rate] });
  const calculated = timed(() => run(store, hour(0) + HOUR_MS));
  const verified = timed(() => store.read((reader) => verify(reader, [])));
  expect(calculated.result.rate_prints).toBe(1);
  expect(verified.result).toMatchObject({ recalculated: 1, differences: [] });
  store.close();
  return { calculate: calculated.took, verify: verified.took };
}

it('a grid of minutes takes in proportion to its length, to calculate and to verify', () => {
  measureMinutes(1);
  const [short, long] = [measureMinutes(50), measureMinutes(400)];
  expect(long.calculate / short.calculate).toBeLessThan(16);
  expect(long.verify / short.verify).toBeLessThan(16);
});
