import { describe, expect, it } from 'vitest';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { findRatePrint, RateRecord } from '../../src/store/prints/rate-prints.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { rows, rowWith } from '../helpers/small-app.ts';
import { adopt, book, IDS, NOW, observe } from '../helpers/small-store.ts';
import { openSmallWorkspace } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

describe('explain', () => {
  it('shows level, divisor, and for each constituent its state with the reason, weight, mark with basis, and age', async () => {
    const { code, out } = await workspace.run('explain', 'SMALL');
    expect(code).toBe(0);
    expect(out).toMatch(/^SMALL \(index, basket-[\d.]+\) at 2026-04-15T12:00:00Z$/m);
    expect(out).toMatch(
      /^level 1037\.\d+ = \(sum of quantity x mark \+ cash 0\) \/ divisor [\d.]+, coverage 75\.9%$/m,
    );
    expect(out).toMatch(/^venue_a:KXSTEADY-26 +included +36\.888% +58\.1c mid +0 min .*KXSTEADY-26\?$/m);
    expect(out).toMatch(/^venue_a:KXONESIDE-26 +excluded \(one_sided_book\) +0\.000% +40c held +6 h/m);
    expect(out).toMatch(/^venue_a:KXNEVER-26 +unpriced +0\.000% +no price +- /m);
  });

  it('as JSON has the whole receipt, and with --at the print of that instant with its steps', async () => {
    const explanation = await workspace.json('explain', 'SMALL');
    expect(explanation).toMatchObject({
      ticker: 'SMALL',
      kind: 'index',
      at: '2026-04-15T12:00:00Z',
      revision: 0,
      index: { divisor: expect.any(Number), cash: 0, coverage: expect.any(Number) },
      steps: [],
    });
    const lines = rows(explanation, 'constituents');
    const value = lines.reduce((sum, line) => sum + Number(line.quantity) * Number(line.price ?? 0), 0);
    const { level, divisor } = explanation.index as { level: number; divisor: number };
    expect(value / divisor).toBeCloseTo(level, 6);
    expect(rowWith(lines, 'market_id', IDS.oneSided)).toMatchObject({
      state: 'excluded',
      exclude_reason: 'one_sided_book',
      basis: 'held',
      weight: 0,
      observed_at: '2026-04-15T06:00:00Z',
      age_ms: 21_600_000,
    });
    expect(await workspace.json('explain', 'SMALL', '--at', '2026-03-06T05:00:00Z')).toMatchObject({
      at: '2026-03-06T00:00:00Z',
      index: { level: 1000 },
      steps: [{ reason: 'base', at: '2026-03-06T00:00:00Z', level_before: 1000, level_after: 1000 }],
    });
  });

  it.each(['SMALL', 'GAUGE.K'])(
    'shows numbers that give the level of %s to its last digit',
    async (ticker) => {
      const { out } = await workspace.run('explain', ticker);
      const [, level, divisor = 1] = /^level (\S+) =.*?(?:divisor ([\d.]+))?, /m.exec(out) ?? [];
      const names = [...out.matchAll(/ ([\d.]+)c [a-z]+ +\d+ \w+ +([\d.]+) /g)].map((row) => row.map(Number));
      const value = names.reduce((sum, [, cents = 0, quantity = 0]) => sum + (quantity * cents) / 100, 0);
      const whole = names.reduce((sum, [, , quantity = 0]) => sum + quantity, 0);
      const given = ticker === 'SMALL' ? value / Number(divisor) : (100 * value) / whole;
      expect(Math.round(given * 1e6) / 1e6).toBe(Number(level));
    },
  );

  it('says that a gauge is a mean', async () => {
    const { out } = await workspace.run('explain', 'GAUGE.K');
    expect(out).toMatch(/^level [\d.]+ = 100 x sum of quantity x mark \/ sum of quantity, over /m);
  });

  it('explains a rate by its price, spread and sources', async () => {
    const { out } = await workspace.run('explain', 'R.MEAN');
    expect(out).toMatch(/^price 50\.7208 cents = mean of the included marks, spread 14\.7585 cents$/m);
    expect(out).toMatch(/^venue_a:KXSWING-26-UP +included +50\.000% +43\.3415\d*c mid/m);
    expect(await workspace.json('explain', 'R.MEAN')).toMatchObject({
      kind: 'rate',
      rate: { price: expect.any(Number) },
    });
  });

  it('has for an index the quantities, for a rate the volumes that its print recorded and what it flagged', async () => {
    const columns = (last: string) =>
      new RegExp(`^market +state +weight +mark +age +${last} +question$`, 'm');
    expect((await workspace.run('explain', 'SMALL')).out).toMatch(columns('quantity'));
    expect((await workspace.run('explain', 'R.MEAN')).out).toMatch(columns('volume'));
    workspace.small.store.write((writer) => {
      const print = findRatePrint(writer, 'R.MEAN', NOW);
      const [first, ...others] = print?.lines ?? [];
      if (print && first)
        new RateRecord(writer, 'TRADED').add(
          { ...print, lines: [{ ...first, volume: 250.5, outlier: true }, ...others] },
          print,
        );
    });
    const { out } = await workspace.run('explain', 'TRADED');
    expect(out).toMatch(
      /^venue_a:KXSTEADY-26 +included \(outlier\) +50\.000% .* 0 min +250\.5 +KXSTEADY-26\?$/m,
    );
    expect(out).toMatch(/^venue_a:KXSWING-26-UP +included +50\.000% .* 0 min +- +\S/m);
  });

  it('[2.5.2/3] says of a price that replaced a half-cent print that it came later', async () => {
    workspace.small.store.write((writer) => {
      const print = findRatePrint(writer, 'R.MEAN', NOW);
      const lines = print?.lines.map((line) => ({ ...line, observed_at: print.at + 3 * HOUR_MS })) ?? [];
      if (print) new RateRecord(writer, 'REPLACED').add({ ...print, lines }, print);
    });
    const { out } = await workspace.run('explain', 'REPLACED');
    expect(out).toMatch(/^venue_a:KXSWING-26-UP +included +50\.000% +43\.3415\d*c mid +3 h later /m);
  });

  it('[C/1] shows each line for what it is: a deleted name, a level, a market the catalog does not know', async () => {
    workspace.small.store.write((writer) => {
      const print = findRatePrint(writer, 'R.STEADY', NOW);
      const [line] = print?.lines ?? [];
      if (!print || !line) return;
      const { observed_at: _, exclude_reason: _none, ...stated } = line;
      new RateRecord(writer, 'MIXED').add(
        {
          ...print,
          lines: [
            { ...stated, state: 'settled', basis: 'stated', price: 0.5 },
            { ...line, market_id: IDS.settled, state: 'settled', basis: 'settlement', price: 1 },
            { ...line, market_id: 'index:SMALL', basis: 'print', price: 1037.5 },
            { ...line, market_id: 'venue_a:KXGONE' },
          ],
        },
        print,
      );
    });
    const { out } = await workspace.run('explain', 'MIXED');
    expect(out.split('\n').slice(2, -1)).toEqual([
      'market               state     weight    mark             age    volume  question',
      'venue_a:KXSTEADY-26  deleted   100.000%  50c stated       -      -       KXSTEADY-26?',
      'venue_a:KXDONE-26    settled   100.000%  100c settlement  0 min  -       KXDONE-26?',
      'index:SMALL          included  100.000%  1037.5 print     0 min  -       Small basket',
      'venue_a:KXGONE       included  100.000%  58.1c mid        0 min  -       (not in the catalog)',
    ]);
  });

  it('tells a print that was added where there was none from one that was restated', async () => {
    const { store } = workspace.small;
    observe(store, IDS.steady, [book(NOW - DAY_MS, 0.2), book(NOW - DAY_MS + 1, 0.3)]);
    const wish = {
      tickers: ['R.STEADY', 'SMALL'],
      from: NOW - DAY_MS,
      to: NOW - 20 * HOUR_MS,
      every_minutes: 60,
    };
    backfill(store, wish, NOW, () => {});
    for (const [hour, said] of [
      ['12', /^restated at 2026-04-15T12:00:00\.001Z \(backfill\): revision 1, price [\d.]+ -> 20 cents$/m],
      ['13', /^added at 2026-04-15T12:00:00\.001Z \(backfill\): revision 1, price [\d.]+ -> 30 cents$/m],
    ] as const) {
      const { out } = await workspace.run('explain', 'R.STEADY', '--at', `2026-04-14T${hour}:00:00Z`);
      expect(out).toMatch(said);
    }
    const { out } = await workspace.run('explain', 'SMALL', '--at', '2026-04-14T12:00:00Z');
    expect(out).toMatch(/^SMALL \(index, .*\) at 2026-04-14T12:00:00Z, revision 1$/m);
    expect(out).toMatch(/^restated at .* \(backfill\): revision 1, level 10[\d.]+ -> 8[\d.]+$/m);
  });

  it('asks which one is meant where an index and a rate share the ticker', async () => {
    workspace.small.store.write((writer) => {
      const print = findRatePrint(writer, 'R.MEAN', NOW);
      if (print) new RateRecord(writer, 'GAUGE.K').add(print, print);
    });
    expect(await workspace.run('explain', 'GAUGE.K')).toMatchObject({
      code: 2,
      err: 'foremark: an index and a rate have the ticker GAUGE.K; choose one with --kind\n',
    });
    for (const kind of ['index', 'rate'])
      expect(await workspace.json('explain', 'GAUGE.K', '--kind', kind)).toMatchObject({
        ticker: 'GAUGE.K',
        kind,
      });
    expect(await workspace.run('explain', 'SMALL', '--kind', 'rate')).toMatchObject({
      code: 2,
      err: 'foremark: no rate has the ticker SMALL\n',
    });
  });

  it('[C/1] exits 2 for a ticker that is unknown or has no print yet, and tells them apart', async () => {
    expect(await workspace.run('explain', 'NOPE')).toMatchObject({
      code: 2,
      err: expect.stringContaining('NOPE'),
    });
    expect(await workspace.run('explain', 'LATER')).toMatchObject({
      code: 2,
      err: 'foremark: LATER has no print at or before 2026-04-15T12:00:00Z\n',
    });
    adopt(workspace.small.store, [], []);
    expect(await workspace.run('explain', 'SMALL', '--at', '2020-01-01')).toMatchObject({
      code: 2,
      err: 'foremark: SMALL has no print at or before 2020-01-01T00:00:00Z\n',
    });
  });
});
