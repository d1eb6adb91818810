import { verify } from '../../src/compute/recalculation/verify.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { openStore } from '../../src/store/store.ts';
import { adopt, defineRate, keep, price, run, status } from '../../test/compute/recorded-world.ts';
import { hour } from '../../test/methodology/contracts.ts';
import { print } from './print.ts';
import { timed } from './processor-time.ts';

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
  store.close();
  return { calculate: calculated.took, verify: verified.took };
}

/** Compares a long grid with one of an eighth of its length. */
export function measureLongGrid(): void {
  measureMinutes(1);
  const [short, long] = [measureMinutes(50), measureMinutes(400)];
  const times = ({ calculate, verify }: typeof short) => `${calculate.toFixed(2)} s, ${verify.toFixed(2)} s`;
  print('a rate each minute since 400 days before its first price: run, verify', times(long));
  print(
    '  over those of 50 days',
    `${(long.calculate / short.calculate).toFixed(1)} x, ${(long.verify / short.verify).toFixed(1)} x`,
  );
}
