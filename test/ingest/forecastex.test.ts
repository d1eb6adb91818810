import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { put } from '../helpers/small-store.ts';
import { Raw, raw } from './fixture-venue.ts';
import { dated, file, HEADER, rows } from './forecastex-files.ts';
import { configFor, feedOf, nameMarkets, pricesOf, runIngest } from './run-ingest.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';

describe('ingest of ForecastEx', () => {
  const NOW = Date.parse('2026-11-11T00:00:00Z');

  withVenueAndStore();

  const on = (day: string, text: string, of = day) => {
    const written = dated(text, of.replace(/(....)(..)/, '$1-$2-'));
    venue.on(`/forecastex/prices/daily_prices_${day}.csv`, () =>
      raw(written, 200, { 'content-type': 'text/csv' }),
    );
  };
  const takeAway = (day: string) =>
    venue.on(`/forecastex/prices/daily_prices_${day}.csv`, () => raw('', 404));
  const run = async (now = NOW) => {
    const settings = configFor(venue.origin);
    settings.venues.venue_c_forecastex.days = 5;
    return feedOf(
      await runIngest(store, settings, { now, only: 'venue_c_forecastex' }),
      'venue_c_forecastex/prices',
    );
  };
  const market = (id: string) => store.read((reader) => findMarket(reader, `venue_c:${id}`));
  const files = () =>
    venue.requests.filter(({ path }) => path.includes('/prices/')).map(({ path }) => path.slice(-12, -4));

  it('reads the published days, skipping holidays, and each only once', async () => {
    on('20261109', file(rows('A_111226_1')));
    on('20261110', file(rows('A_111226_1')));
    expect(await run()).toMatchObject({ condition: 'good', rows_read: 4 });
    expect(files()).toEqual(['20261106', '20261107', '20261108', '20261109', '20261110']);
    venue.requests.length = 0;
    expect(await run()).toMatchObject({ condition: 'good', rows_read: 0 });
    expect(files()).toEqual(['20261110']);
    expect(pricesOf(store, 'venue_c:A_111226_1', 'trades_1440')).toEqual([
      {
        observed_at: Date.parse('2026-11-09T22:15:00Z'),
        series: 'trades_1440',
        last: 0.42,
        open: 0.41,
        high: 0.45,
        low: 0.4,
        volume: 10,
        open_interest: 250,
      },
      {
        observed_at: Date.parse('2026-11-10T22:15:00Z'),
        series: 'trades_1440',
        last: 0.42,
        open: 0.41,
        high: 0.45,
        low: 0.4,
        volume: 10,
        open_interest: 250,
      },
    ]);
  });

  it('says which named contract the newest file no longer lists though it has not ended, until it is listed again', async () => {
    nameMarkets(
      store,
      ['A_111226_3.5', 'B_111226_1'].map((each) => `venue_c:${each}`),
      '2026-11-10T00:00:00Z',
    );
    const ended = rows('B_111226_1', { settlement: '1.00' });
    on('20261110', file(rows('A_111226_3.5'), ended, rows('C_111226_1')));
    expect(await run()).toMatchObject({ condition: 'good' });
    on('20261111', file(rows('A_111226_3.50'), rows('C_111226_1')));
    const message = 'not listed, though a definition names it: A_111226_3.5';
    for (const hours of [24, 25])
      expect(await run(NOW + hours * HOUR_MS)).toMatchObject({ condition: 'partial', message });
    expect(market('A_111226_3.5')?.status).toBe('active');
    on('20261112', file(rows('A_111226_3.5'), rows('C_111226_1')));
    expect(await run(NOW + 48 * HOUR_MS)).toMatchObject({ condition: 'good' });
  });

  it('says which named contract has a row that cannot be read', async () => {
    nameMarkets(store, ['venue_c:A_111226_1'], '2026-11-10T00:00:00Z');
    on('20261110', file(rows('A_111226_1'), rows('B_111226_1')));
    await run();
    on('20261111', file(rows('A_111226_1', { expires: 'soon' }), rows('B_111226_1')));
    const message = 'cannot be read, though a definition names it: A_111226_1';
    for (const hours of [24, 25])
      expect(await run(NOW + hours * HOUR_MS)).toMatchObject({ condition: 'partial', message });
  });

  it('asks for the file of an earlier day only if it was issued anew', async () => {
    const unless: (string | undefined)[] = [];
    const answer = new Raw((response, request) => {
      unless.push(request.headers['if-none-match']);
      response.writeHead(200, { 'content-type': 'text/csv', etag: '"first"' });
      response.end(file(rows('A_111226_1')));
    });
    venue.on('/forecastex/prices/daily_prices_20261109.csv', () => answer);
    on('20261110', file(rows('A_111226_1')));
    await run();
    on('20261111', file(rows('A_111226_1')));
    await run(NOW + 24 * HOUR_MS);
    expect(unless).toEqual([undefined, '"first"']);
  });

  it('gives a market the open interest of its last file, and no trade without a price', async () => {
    on('20261110', file(rows('A_111226_1'), rows('B_111226_1', { end: '0.00' })));
    await run();
    expect(market('A_111226_1')?.open_interest).toBe(250);
    expect(pricesOf(store, 'venue_c:B_111226_1', 'trades_1440')).toEqual([]);
  });

  it('does not take a first file without contracts for one', async () => {
    on('20261110', file());
    expect(await run()).toMatchObject({
      condition: 'partial',
      message: expect.stringContaining('has 0 contracts after 0 before'),
    });
  });

  it('says so when there is no file, or none any more', async () => {
    expect(await run()).toMatchObject({ condition: 'partial', message: 'the venue has published no file' });
    on('20261110', file(rows('A_111226_1')));
    for (const days of [0, 7])
      expect(await run(NOW + days * 24 * HOUR_MS)).toMatchObject({ condition: 'good', message: null });
    expect(await run(NOW + 8 * 24 * HOUR_MS)).toMatchObject({
      condition: 'partial',
      message: 'no file was published for 8 days, since that of 2026-11-10',
    });
    on('20261118', file(rows('A_111226_1')));
    expect(await run(NOW + 8 * 24 * HOUR_MS)).toMatchObject({ condition: 'good', rows_read: 2 });
  });

  it('does not request a day before half past four in Chicago', async () => {
    await run(Date.parse('2026-11-10T22:29:00Z'));
    expect(files().at(-1)).toBe('20261109');
    venue.requests.length = 0;
    await run(Date.parse('2026-11-10T22:31:00Z'));
    expect(files().at(-1)).toBe('20261110');
  });

  it('gives a contract that did not trade no price', async () => {
    on('20261110', file(rows('A_111226_1', { pairs: 0, end: '0.42' })));
    await run();
    expect(market('A_111226_1')?.status).toBe('active');
    expect(pricesOf(store, 'venue_c:A_111226_1', 'trades_1440')).toEqual([]);
  });

  it('states a volume only of contracts whose whole life was read', async () => {
    on('20261109', file(rows('OLD_111226_1')));
    on('20261110', file(rows('OLD_111226_1'), rows('NEW_111226_1', { pairs: 3 })));
    await run();
    on('20261111', file(rows('OLD_111226_1'), rows('NEW_111226_1', { pairs: 4 })));
    await run(NOW + 24 * HOUR_MS);
    expect([market('OLD_111226_1')?.volume, market('NEW_111226_1')?.volume]).toEqual([null, 7]);
    on('20261112', file(rows('OLD_111226_1'), rows('NEW_111226_1', { end: 'x' })));
    await run(NOW + 48 * HOUR_MS);
    expect(market('NEW_111226_1')?.volume).toBeNull();
  });

  it('states it again when the unreadable row is corrected in time', async () => {
    const volumes = () => ['A_111926_1', 'B_111926_1', 'C_111926_1'].map((id) => market(id)?.volume);
    on('20261109', file(rows('OTHER_111926_1')));
    on('20261110', file(rows('OTHER_111926_1'), rows('A_111926_1', { pairs: 3 }), rows('B_111926_1')));
    await run();
    const whole = file(
      rows('OTHER_111926_1'),
      rows('A_111926_1', { pairs: 4 }),
      rows('B_111926_1', { pairs: 5 }),
      rows('C_111926_1', { pairs: 6 }),
    );
    // Of A the No row alone, which counts nothing.
    on('20261111', whole.replaceAll(/^((?:A_\d+_1,NO|B_|C_).*)0\.45/gm, '$1x'));
    await run(NOW + 24 * HOUR_MS);
    expect(volumes()).toEqual([7, null, undefined]);
    on('20261111', whole);
    await run(NOW + 25 * HOUR_MS);
    expect(volumes()).toEqual([7, 15, 6]);
    await run(NOW + 26 * HOUR_MS);
    expect(volumes()).toEqual([7, 15, 6]);
  });

  it('settles what the next file drops at its last settlement price, if that is an outcome', async () => {
    // An outcome of Hyperliquid, which is in no file.
    put(store, { market_id: 'venue_c:7', closes_at: Date.parse('2026-11-09T00:00:00Z') }, NOW - 1);
    const ended = { expires: '2026-11-09' };
    on(
      '20261109',
      file(
        rows('Y_1', { ...ended, settlement: '1.00' }),
        rows('N_1', { ...ended, settlement: '0.00' }),
        rows('M_1', { ...ended, settlement: '0.37' }),
        rows('E_1', ended),
        rows('S_1', { expires: '2026-12-01', settlement: '1.00' }),
        rows('L_1', { expires: '2026-12-01', settlement: '0.37' }),
        rows('A_1'),
      ),
    );
    on('20261110', file(rows('A_1'), rows('B_1'), rows('C_1'), rows('D_1')));
    await run();
    const settled_at = Date.parse('2026-11-09T22:15:00Z');
    expect(market('Y_1')).toMatchObject({ status: 'settled', payout: 1, settled_at });
    expect(market('N_1')).toMatchObject({ status: 'settled', payout: 0, settled_at });
    expect(market('M_1')).toMatchObject({ status: 'closed', payout: null });
    expect(market('E_1')).toMatchObject({ status: 'closed', payout: null });
    // Missing before its time, it has ended only if its outcome is known.
    expect(market('S_1')).toMatchObject({
      status: 'settled',
      payout: 1,
      settled_at: settled_at + 24 * HOUR_MS,
    });
    expect([market('L_1')?.status, market('7')?.status]).toEqual(['active', 'active']);
  });

  it('settles across runs by reading the last day’s file again', async () => {
    on('20261110', file(rows('Y_1', { expires: '2026-11-10', settlement: '1.00' }), rows('A_1')));
    await run();
    on('20261111', file(rows('A_1')));
    await run(NOW + 24 * HOUR_MS);
    expect(market('Y_1')).toMatchObject({ status: 'settled', payout: 1 });
  });

  it('compares no day with an incomplete one that will be read again, for up to a week', async () => {
    const ended = { expires: '2026-11-10', settlement: '1.00' };
    const whole = file(rows('B_1'), rows('A_1', { pairs: 3 }), rows('Y_1', ended));
    on('20261109', file(rows('B_1')));
    on('20261110', whole);
    await run();
    const next = NOW + 24 * HOUR_MS;
    on('20261111', file(rows('B_1'), rows('A_1', { pairs: 4 }), rows('N_1')));
    for (const [text, doubt] of [
      [whole.slice(0, whole.length / 2), 'ends within a row'],
      [`${HEADER}\n`, 'has 0 contracts after 3 before'],
      [undefined, 'no longer exists'],
    ] as const) {
      if (text === undefined) takeAway('20261110');
      else on('20261110', text);
      expect(await run(next)).toMatchObject({
        condition: 'failed',
        message: `the file of 2026-11-10, with which the next one is compared, ${doubt}`,
      });
    }
    expect([market('A_1')?.volume, market('Y_1')?.status]).toEqual([3, 'active']);
    on('20261110', whole);
    expect(await run(next)).toMatchObject({ condition: 'good', message: null });
    expect(['A_1', 'N_1'].map((id) => market(id)?.volume)).toEqual([7, 10]);
    expect(market('Y_1')).toMatchObject({ status: 'settled', payout: 1 });
    takeAway('20261111');
    on('20261119', file(rows('B_1'), rows('A_1', { pairs: 5 })));
    expect((await run(next + 7 * 24 * HOUR_MS)).condition).toBe('failed');
    expect((await run(next + 8 * 24 * HOUR_MS)).rows_read).toBe(4);
    expect(market('A_1')?.volume).toBe(12);
  });

  it('moves on from a doubtful file that had to be used as it is', async () => {
    const whole = file(rows('A_1', { pairs: 3 }));
    on('20261110', whole);
    await run();
    const days = [11, 12, 13, 14, 15].map((day) => `202611${day}`);
    for (const day of days) on(day, HEADER);
    const later = NOW + 5 * 24 * HOUR_MS;
    expect((await run(later)).message).toMatch(/the file of 2026-11-11 .* it was used as it is/);
    for (const day of days.slice(2)) on(day, whole);
    expect(await run(later)).toMatchObject({ condition: 'good', rows_read: 6 });
  });

  it('reads a day whose file comes after that of a later one, when the next one is out', async () => {
    const settled = (id: string, expires: string) => rows(id, { expires, settlement: '1.00' });
    on('20261108', file(rows('B_1')));
    on(
      '20261109',
      file(
        rows('B_1'),
        rows('A_1', { pairs: 3 }),
        rows('Y_1', { expires: '2026-11-10' }),
        rows('Z_1', { expires: '2026-11-10' }),
        rows('S_1'),
      ),
    );
    await run(NOW - 24 * HOUR_MS);
    on('20261111', file(rows('B_1'), rows('A_1', { pairs: 4 }), rows('K_1')));
    await run(NOW + 24 * HOUR_MS);
    expect(market('Y_1')).toMatchObject({ status: 'closed', payout: null });
    const late = file(
      rows('B_1', { settlement: '1.00' }),
      rows('A_1', { pairs: 5 }),
      settled('Y_1', '2026-11-10'),
      rows('Z_1', { expires: '2026-11-10', settlement: '0.00', pairs: 0 }),
      settled('S_1', '2026-11-12'),
    );
    on('20261110', late.slice(0, -12));
    on('20261112', file(rows('B_1'), rows('A_1', { pairs: 6 })));
    await run(NOW + 48 * HOUR_MS);
    expect([market('A_1')?.volume, market('Y_1')?.payout]).toEqual([13, null]);
    on('20261110', late);
    on('20261113', file(rows('B_1'), rows('A_1', { pairs: 7 })));
    expect(await run(NOW + 72 * HOUR_MS)).toMatchObject({ condition: 'good', rows_read: 14 });
    const settled_at = Date.parse('2026-11-10T22:15:00Z');
    for (const id of ['Y_1', 'S_1'])
      expect(market(id)).toMatchObject({ status: 'settled', payout: 1, settled_at });
    // Also one that did not trade that day.
    expect(market('Z_1')).toMatchObject({ status: 'settled', payout: 0, settled_at });
    expect(market('B_1')?.status).toBe('active');
    expect(market('A_1')?.volume).toBe(25);
    const traded = pricesOf(store, 'venue_c:A_1', 'trades_1440').map(({ volume }) => volume);
    expect(traded).toEqual([3, 5, 4, 6, 7]);
    // What may be a holiday is asked for during a week, and what may be corrected.
    venue.requests.length = 0;
    on('20261115', file(rows('B_1'), rows('A_1')));
    await run(NOW + 120 * HOUR_MS);
    expect(files()).toEqual([
      ...['20261113', '20261114', '20261115', '20261106', '20261107'],
      ...['20261108', '20261109', '20261110', '20261111', '20261112'],
    ]);
    venue.requests.length = 0;
    on('20261124', file(rows('B_1'), rows('A_1')));
    await run(NOW + 14 * 24 * HOUR_MS);
    on('20261125', file(rows('B_1'), rows('A_1')));
    venue.requests.length = 0;
    await run(NOW + 15 * 24 * HOUR_MS);
    expect(files()).toEqual([
      '20261124',
      '20261125',
      ...[17, 18, 19, 20, 21, 22, 23].map((day) => `202611${day}`),
    ]);
  });

  it.each([
    { what: 'trades of a named contract', late_from: '2026-11-11T22:15:00Z' },
    { what: 'another contract', late: rows('B_1'), late_from: null },
    { what: 'a named contract without trades', late: rows('A_1', { pairs: 0 }), late_from: null },
    { what: 'a contract that is named since', base: '2026-11-12T00:00:00Z', late_from: null },
    { what: 'what nothing was calculated without', calculates: false, late_from: null },
  ])('[F6] a late file is reported if hours were calculated without it: $what', async (each) => {
    const { late = rows('A_1'), base = '2026-11-09T00:00:00Z', calculates = true, late_from } = each;
    nameMarkets(store, ['venue_c:A_1'], base);
    const lateFrom = async (now: number) => {
      const report = await runIngest(store, configFor(venue.origin), { now, only: 'venue_c_forecastex' });
      if (calculates) compute(store, now, () => {});
      return report.late_from;
    };
    for (const day of ['20261109', '20261112', '20261113']) on(day, file(rows('A_1'), rows('B_1')));
    expect(await lateFrom(NOW)).toBeNull();
    expect(await lateFrom(NOW + 48 * HOUR_MS)).toBeNull();
    on('20261111', file(late));
    expect(await lateFrom(NOW + 72 * HOUR_MS)).toBe(late_from);
  });

  it('settles a contract by the second of two such days, although it traded on the first', async () => {
    on('20261109', file(rows('B_1'), rows('S_1', { expires: '2026-11-20' })));
    await run(NOW - 24 * HOUR_MS);
    on('20261112', file(rows('B_1')));
    await run(NOW + 48 * HOUR_MS);
    expect(market('S_1')).toMatchObject({ status: 'active', volume: null });
    on('20261110', file(rows('B_1'), rows('S_1', { expires: '2026-11-20' })));
    on('20261111', file(rows('B_1'), rows('S_1', { expires: '2026-11-20', settlement: '1.00' })));
    on('20261113', file(rows('B_1')));
    await run(NOW + 72 * HOUR_MS);
    const settled_at = Date.parse('2026-11-11T22:15:00Z');
    expect(market('S_1')).toMatchObject({ status: 'settled', payout: 1, settled_at });
  });

  it('gives up the volume of a contract whose row of such a day cannot be read', async () => {
    on('20261109', file(rows('B_1')));
    on('20261110', file(rows('B_1'), rows('A_1', { pairs: 3 })));
    on('20261112', file(rows('B_1'), rows('A_1', { pairs: 4 })));
    await run(NOW + 48 * HOUR_MS);
    expect(market('A_1')?.volume).toBe(7);
    on('20261111', file(rows('B_1'), rows('A_1', { end: 'x' })));
    on('20261113', file(rows('B_1'), rows('A_1', { pairs: 5 })));
    await run(NOW + 72 * HOUR_MS);
    expect(market('A_1')?.volume).toBeNull();
  });

  it('completes such a day that ended between two rows when its file comes again', async () => {
    const lines = [rows('A_1', { pairs: 3 }), rows('B_1', { pairs: 4 }), rows('Y_1', { settlement: '1.00' })];
    on('20261109', file(rows('X_1')));
    on('20261110', file(...lines));
    on('20261112', file(...lines.slice(0, -1)));
    await run(NOW + 48 * HOUR_MS);
    for (const [i, late] of [lines.slice(0, 1), lines].entries()) {
      on('20261111', file(...late));
      on(`2026111${3 + i}`, file(...lines.slice(0, -1)));
      await run(NOW + (72 + 24 * i) * HOUR_MS);
    }
    expect([market('A_1')?.volume, market('B_1')?.volume]).toEqual([15, 20]);
    const traded = pricesOf(store, 'venue_c:B_1', 'trades_1440').map(({ volume }) => volume);
    expect(traded).toEqual(Array(5).fill(4));
    expect(market('Y_1')).toMatchObject({ status: 'settled', payout: 1, volume: 20 });
  });

  it('leaves a file that is cut, or far too small, for the next run', async () => {
    const whole = file(rows('A_1', { expires: '2026-11-10', settlement: '1.00' }), rows('B_1'), rows('C_1'));
    on('20261110', whole);
    await run();
    for (const text of [whole.slice(0, -12), HEADER]) {
      on('20261111', text);
      expect((await run(NOW + 24 * HOUR_MS)).condition).toBe('partial');
      expect(market('A_1')?.status).toBe('active');
    }
    on('20261111', file(rows('B_1'), rows('C_1')));
    expect((await run(NOW + 24 * HOUR_MS)).condition).toBe('good');
    expect(market('A_1')?.status).toBe('settled');
  });

  it('reads what it can of a file, and the rest of it when it has changed', async () => {
    const whole = file(rows('A_1', { expires: '2026-11-10' }), rows('B_1'), rows('C_1', { pairs: 7 }));
    on('20261110', whole);
    await run();
    const later = NOW + 24 * HOUR_MS;
    const prices = () => pricesOf(store, 'venue_c:C_1', 'trades_1440').map(({ volume }) => volume);
    const next = file(rows('C_1', { pairs: 5 }), rows('B_1', { pairs: 4 }));
    on('20261111', next.replaceAll('C_1', '"C_1'));
    expect(await run(later)).toMatchObject({ condition: 'good', rows_read: 4, rows_left_out: 2 });
    expect([market('A_1')?.status, market('B_1')?.status, market('C_1')?.status]).toEqual([
      'closed',
      'active',
      'active',
    ]);
    expect(await run(later)).toMatchObject({ rows_read: 0 });
    expect(prices()).toEqual([7]);
    const volume = market('B_1')?.volume;
    on('20261111', next);
    expect(await run(later)).toMatchObject({ condition: 'good', rows_read: 4, rows_left_out: 0 });
    expect(prices()).toEqual([7, 5]);
    expect(market('B_1')?.volume).toBe(volume);
    expect(await run(later)).toMatchObject({ rows_read: 0 });
    on('20261112', file(rows('B_1', { pairs: 4 }), rows('C_1', { pairs: 2 })));
    await run(later + 24 * HOUR_MS);
    expect(prices()).toEqual([7, 5, 2]);
  });

  it('doubts a file that was cut between two rows, or within the last cell, until three later ones are out', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `C${i + 10}_1`);
    const lines = ids.map((id) => rows(id, { expires: '2026-12-01', pairs: 12 }));
    const whole = file(...lines);
    on('20261109', file(...lines.slice(0, -1)));
    on('20261110', whole);
    await run();
    const later = NOW + 24 * HOUR_MS;
    const between = whole.split('\n').slice(0, -26).join('\n');
    for (const [text, message] of [
      [
        `${between}\n`,
        'the file of 2026-11-11 ends before C40_1, which has not expired; it will be read again',
      ],
      [whole.slice(0, -2), 'the file of 2026-11-11 ends within a row; it will be read again'],
    ] as const) {
      on('20261111', text);
      expect(await run(later)).toMatchObject({ condition: 'partial', message, rows_changed: 0 });
    }
    // The last one alone may have been taken off the list.
    on('20261111', file(...lines.slice(0, -1)));
    expect((await run(later)).condition).toBe('good');
    on('20261112', `${between}\n`);
    for (const day of ['20261113', '20261114']) on(day, whole);
    expect(await run(later + 72 * HOUR_MS)).toMatchObject({ condition: 'partial', rows_read: 0 });
    on('20261115', whole);
    expect(await run(later + 96 * HOUR_MS)).toMatchObject({
      condition: 'partial',
      message: 'the file of 2026-11-12 ends before C39_1, which has not expired; it was used as it is',
      rows_read: 295,
    });
    // What it was short of is not counted on from a day of which nothing is known.
    expect([market('C49_1')?.volume, market('C48_1')?.volume]).toEqual([null, null]);
  });

  it('uses no file of another day: it waits for the right one, then takes the day for one without a file', async () => {
    const traded = () => pricesOf(store, 'venue_c:A_1', 'trades_1440').map(({ volume }) => volume);
    on('20261110', file(rows('A_1', { pairs: 3 })));
    await run();
    on('20261111', file(rows('A_1', { pairs: 3 })), '20261110');
    const message = (what: string) => `the file of 2026-11-11 has only rows of 2026-11-10; it ${what}`;
    for (const days of [1, 2, 3])
      expect(await run(NOW + days * 24 * HOUR_MS)).toMatchObject({
        condition: 'partial',
        message: message('will be read again'),
      });
    for (const day of ['20261112', '20261113', '20261114']) on(day, file(rows('A_1', { pairs: 5 })));
    expect(await run(NOW + 4 * 24 * HOUR_MS)).toMatchObject({
      condition: 'partial',
      message: message('was not used'),
    });
    expect(traded()).toEqual([3, 5, 5, 5]);
    on('20261111', file(rows('A_1', { pairs: 4 })));
    on('20261115', file(rows('A_1', { pairs: 5 })));
    expect(await run(NOW + 5 * 24 * HOUR_MS)).toMatchObject({ condition: 'good', message: null });
    expect(traded()).toEqual([3, 4, 5, 5, 5, 5]);
  });

  it('takes no file of another day for a correction of the newest', async () => {
    on('20261110', file(rows('A_1', { pairs: 3 })));
    await run();
    on('20261110', file(rows('A_1', { pairs: 9 })), '20261109');
    expect(await run(NOW + HOUR_MS)).toMatchObject({
      condition: 'failed',
      message: 'the file of 2026-11-10, with which the next one is compared, has only rows of 2026-11-09',
    });
    await run(NOW + 9 * 24 * HOUR_MS);
    expect(pricesOf(store, 'venue_c:A_1', 'trades_1440').map(({ volume }) => volume)).toEqual([3]);
  });

  it('does not doubt a file because the last contracts of the day before have expired', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => rows(`C${i + 10}_1`, { expires: '2026-12-01' }));
    const today = Array.from({ length: 12 }, (_, i) => rows(`D${i + 10}_1`, { expires: '2026-11-10' }));
    on('20261109', file(...lines, ...today));
    on('20261110', file(...lines));
    expect((await run()).condition).toBe('good');
  });

  it('takes a file that comes again without its end for incomplete, not for corrected', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => rows(`C${i + 10}_1`, { expires: '2026-12-01' }));
    const whole = file(...lines);
    const cutBetween = `${whole.split('\n').slice(0, -26).join('\n')}\n`;
    on('20261108', file(rows('A_1')));
    for (const day of ['20261109', '20261110']) on(day, whole);
    await run();
    const read = () => ({
      volume: market('C49_1')?.volume,
      traded: pricesOf(store, 'venue_c:C49_1', 'trades_1440').map(({ volume }) => volume),
    });
    expect(read()).toEqual({ volume: 20, traded: [10, 10] });
    for (const [text, doubt] of [
      [cutBetween, 'ends before C40_1, which has not expired'],
      [whole.slice(0, -2), 'ends within a row'],
      [whole.slice(0, -20), 'ends within a row'],
    ] as const) {
      on('20261110', text);
      expect(await run(NOW + HOUR_MS)).toMatchObject({
        condition: 'failed',
        message: expect.stringContaining(doubt),
      });
      expect(read(), doubt).toEqual({ volume: 20, traded: [10, 10] });
    }
    // That of an older day is asked for again when the next one is out.
    on('20261110', whole);
    for (const [i, text] of [cutBetween, whole.slice(0, -2), whole.slice(0, -20)].entries()) {
      on('20261109', text);
      on(`2026111${i + 1}`, whole);
      await run(NOW + (i + 1) * 24 * HOUR_MS);
      expect(read()).toEqual({ volume: 30 + 10 * i, traded: Array(3 + i).fill(10) });
    }
  });

  it('names contracts by their products when the file of products exists', async () => {
    venue.on('/forecastex/daily_summary/summary_20261110.csv', () =>
      raw('product_id,product_name,product_category,total_pairs\nFF,Fed Funds Rate,Economics,5\n', 200, {
        'content-type': 'text/csv',
      }),
    );
    const others = [
      'X_111226_1',
      'HORC_1126_Republican',
      'RGDP_Q326_-2.2',
      'HRULAS_11122615_89',
      'ODD_1326_1',
      // Digits and quarters within something else are no period.
      'ODD_91126_1',
      'ODD_11261_1',
      'ODD_XQ326_1',
      'ODD_Q3261_1',
      'BARE_1126',
    ];
    on('20261110', file(rows('FF_111226_3.75'), ...others.map((id) => rows(id))));
    await run();
    expect(market('FF_111226_3.75')).toMatchObject({
      question: 'Fed Funds Rate, 2026-11-12 – 3.75',
      event_id: 'venue_c:FF_111226',
      volume_unit: 'contracts',
    });
    // A November ends in January, and a day in the night after it: the id says which is meant.
    expect(others.map((id) => market(id)?.question)).toEqual([
      'X, 2026-11-12 – 1',
      'HORC, 2026-11 – Republican',
      'RGDP, 2026-Q3 – -2.2',
      'HRULAS, 2026-11-12 15:00 – 89',
      'ODD, 1326 – 1',
      'ODD, 91126 – 1',
      'ODD, 11261 – 1',
      'ODD, XQ326 – 1',
      'ODD, Q3261 – 1',
      'BARE, 2026-11',
    ]);
  });

  it('keeps the names of products that a later file of them drops', async () => {
    const names = (day: string, ...lines: string[]) =>
      venue.on(`/forecastex/daily_summary/summary_${day}.csv`, () =>
        raw(['product_id,product_name,product_category,total_pairs', ...lines].join('\n'), 200, {
          'content-type': 'text/csv',
        }),
      );
    const questions = () => ['FF_111226_1', 'X_111226_1'].map((id) => market(id)?.question);
    const whole = file(rows('FF_111226_1'), rows('X_111226_1'));
    for (const day of ['20261110', '20261111', '20261112']) on(day, whole);
    names('20261110', 'FF,Fed Funds Rate,Economics,5', 'X,Rain,Climate,5');
    await run();
    names('20261111', 'X,Snow,Climate,5');
    for (const days of [1, 2]) {
      await run(NOW + days * 24 * HOUR_MS);
      expect(questions()).toEqual(['Fed Funds Rate, 2026-11-12 – 1', 'Snow, 2026-11-12 – 1']);
    }
    const events = store.read((reader) => reader.all('SELECT category FROM events ORDER BY event_id'));
    expect(events).toEqual([{ category: 'Economics' }, { category: 'Climate' }]);
  });

  it('reads corrections to the newest file', async () => {
    on('20261109', file(rows('A_111926_1')));
    on('20261110', file(rows('A_111926_1'), rows('B_111926_1', { pairs: 3 }), rows('C_111926_1')));
    await run();
    on(
      '20261111',
      file(rows('A_111926_1'), rows('B_111926_1', { pairs: 4 }), rows('C_111926_1', { pairs: 5 })),
    );
    await run(NOW + 24 * HOUR_MS);
    const read = () => ({
      volumes: ['B_111926_1', 'C_111926_1'].map((id) => market(id)?.volume),
      last: pricesOf(store, 'venue_c:B_111926_1', 'trades_1440').at(-1),
    });
    expect(read()).toMatchObject({ volumes: [7, 15], last: { last: 0.42, volume: 4 } });
    on(
      '20261111',
      file(
        rows('A_111926_1'),
        rows('B_111926_1', { pairs: 9, end: '0.44' }),
        rows('C_111926_1', { pairs: 0 }),
      ),
    );
    for (const hours of [25, 26]) {
      expect((await run(NOW + hours * HOUR_MS)).rows_read).toBe(hours === 25 ? 6 : 0);
      expect(read()).toMatchObject({ volumes: [12, 10], last: { last: 0.44, volume: 9 } });
    }
    // By how much it differs is not known of a file that is kept no more.
    store.write((writer) => {
      for (const table of ['rejects', 'fetches', 'payloads']) writer.run(`DELETE FROM ${table}`);
    });
    on('20261111', file(rows('A_111926_1'), rows('B_111926_1', { pairs: 20 }), rows('C_111926_1')));
    await run(NOW + 27 * HOUR_MS);
    expect(read()).toMatchObject({ volumes: [12, 10], last: { volume: 20 } });
    on('20261112', file(rows('A_111926_1'), rows('B_111926_1', { pairs: 1 })));
    await run(NOW + 48 * HOUR_MS);
    expect(read().volumes).toEqual([13, 10]);
  });

  describe('of a corrected file that takes a trade away', () => {
    const traded = (id: string) =>
      pricesOf(store, `venue_c:${id}`, 'trades_1440').map(({ last, volume }) => [last, volume]);
    const B = 'B_111926_1';
    const C = 'C_111926_1';
    const D = 'D_111926_1';
    const whole = file(rows('A_111926_1'), rows(B, { pairs: 4 }), rows(C, { pairs: 5 }), rows(D));
    // Of D a row that cannot be read, which takes nothing away.
    const corrected = file(rows('A_111926_1'), rows(B, { pairs: 0 }), rows(D, { end: 'x' }));

    it('the day is left without it, in candle and volume', async () => {
      on('20261109', file(rows('A_111926_1')));
      on('20261110', whole);
      await run();
      on('20261111', whole);
      await run(NOW + 24 * HOUR_MS);
      on('20261111', corrected);
      for (const hours of [25, 26]) {
        await run(NOW + hours * HOUR_MS);
        expect([B, C, D].map((id) => market(id)?.volume)).toEqual([4, 5, 20]);
        expect([B, C, D].map((id) => traded(id))).toEqual([
          [
            [0.42, 4],
            [undefined, 0],
          ],
          [
            [0.42, 5],
            [undefined, 0],
          ],
          [
            [0.42, 10],
            [0.42, 10],
          ],
        ]);
      }
    });

    it('an older day too, which is asked for again when the next is out, for a week', async () => {
      on('20261109', file(rows('A_111926_1')));
      on('20261110', whole);
      on('20261111', whole);
      await run(NOW + 24 * HOUR_MS);
      on('20261110', corrected);
      expect((await run(NOW + 25 * HOUR_MS)).rows_read).toBe(0);
      for (const days of [2, 3]) {
        on(`2026111${days}`, whole);
        await run(NOW + days * 24 * HOUR_MS);
        expect([B, C, D].map((id) => market(id)?.volume)).toEqual([4 * days, 5 * days, 10 + 10 * days]);
        expect(traded(B).slice(0, 2)).toEqual([
          [undefined, 0],
          [0.42, 4],
        ]);
        expect(traded(D)[0]).toEqual([0.42, 10]);
      }
      venue.requests.length = 0;
      for (const days of [10, 11]) {
        on(`202611${10 + days}`, whole);
        venue.requests.length = 0;
        await run(NOW + days * 24 * HOUR_MS);
      }
      expect(files().filter((day) => day < '20261114')).toEqual(['20261113']);
    });
  });

  it('takes a payout that the file of an older day has otherwise, issued again', async () => {
    const of = (settlement: string) =>
      file(rows('A_1'), rows('Y_1', { expires: '2026-11-10', settlement }), rows('B_1', { settlement }));
    const open = file(rows('A_1'), rows('B_1', { settlement: '1.00' }));
    on('20261110', of('1.00'));
    await run();
    on('20261111', open);
    await run(NOW + 24 * HOUR_MS);
    const settled_at = Date.parse('2026-11-10T22:15:00Z');
    expect(market('Y_1')).toMatchObject({ status: 'settled', payout: 1, settled_at });
    for (const [i, settlement, payout] of [
      [2, '0.00', 0],
      [3, '0.37', 0],
      [4, '', 0],
    ] as const) {
      on('20261110', of(settlement));
      on(`2026111${i}`, open);
      await run(NOW + i * 24 * HOUR_MS);
      expect(market('Y_1')).toMatchObject({ status: 'settled', payout, settled_at });
      expect(market('B_1')).toMatchObject({ status: 'active', payout: null });
    }
  });

  it('doubts a file without a required column, and takes nothing from it', async () => {
    const whole = file(rows('A_111226_1'));
    on('20261110', whole);
    await run();
    for (const column of ['end_price', 'settlement_price', 'pair_quantity', 'open_interest', 'subtype']) {
      on('20261111', whole.replace(column, 'renamed'));
      expect(await run(NOW + 24 * HOUR_MS)).toMatchObject({
        condition: 'partial',
        message: expect.stringMatching(
          new RegExp(
            `^the file of 2026-11-11 has no row that can be read: ${column} .*; it will be read again$`,
          ),
        ),
        rows_read: 0,
      });
    }
    on('20261111', whole);
    expect(await run(NOW + 24 * HOUR_MS)).toMatchObject({ condition: 'good', observations_added: 1 });
  });

  it('states no volume of a contract whose Yes row was missing on a day', async () => {
    const no = (pairs: number) => rows('B_111926_1', { pairs }).slice(1);
    on('20261109', file(rows('A_111926_1')));
    on('20261110', file(rows('A_111926_1'), rows('B_111926_1', { pairs: 3 })));
    await run();
    on('20261111', file(rows('A_111926_1'), no(4)));
    await run(NOW + 24 * HOUR_MS);
    expect(market('B_111926_1')).toMatchObject({ status: 'active', volume: null });
    on('20261111', file(rows('A_111926_1'), rows('B_111926_1', { pairs: 4 })));
    await run(NOW + 25 * HOUR_MS);
    expect(market('B_111926_1')?.volume).toBe(7);
  });

  it('asks for no file before the first that the venue published, whose contracts are all new', async () => {
    on('20240801', file(rows('A_1', { pairs: 3 })));
    await run(Date.parse('2024-08-03T00:00:00Z'));
    expect(files()).toEqual(['20240801', '20240802']);
    expect(market('A_1')?.volume).toBe(3);
  });

  it('begins as early as a definition wants, and says which named contract is in no file', async () => {
    nameMarkets(store, ['venue_c:A_111226_1', 'venue_c:GONE_1', 'venue_c:77'], '2026-11-05T00:00:00Z');
    on('20261110', file(rows('A_111226_1')));
    expect(await run()).toMatchObject({
      condition: 'partial',
      message: 'not listed, though a definition names it: GONE_1',
    });
    expect(files()[0]).toBe('20261028');
  });
});
