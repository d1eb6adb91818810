import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRecorded, readWire } from '../replay/recorded.ts';
import { KALSHI, type OpenWorld, openWorld, type Row, rows } from './open-world.ts';

let open: OpenWorld;
beforeAll(async () => {
  open = await openWorld();
});
afterAll(() => open.served.close());

/** Keys on which two lists of rows differ. */
function compare(ours: Row[], real: Row[]): { added: string[]; missing: string[] } {
  const own = new Set(ours.flatMap((row) => Object.keys(row)));
  const theirs = new Set(real.flatMap((row) => Object.keys(row)));
  return {
    added: [...own].filter((key) => !theirs.has(key)).toSorted(),
    missing: [...theirs].filter((key) => !own.has(key)).toSorted(),
  };
}

describe.skipIf(!hasRecorded)('against recorded answers', () => {
  test('a Kalshi market has the keys of June 2026, less those removed and plus those added since', async () => {
    const { body } = await open.get(`${KALSHI}/markets?limit=1000`);
    const real = readWire('three-venue-markets-2026-06/kalshi_markets.json') as Row[];
    const nested = readWire('kalshi-event-nested-2026-05/KXNBAMENTION-26MAY09OKCLAL.json') as Row;
    const { added, missing } = compare(rows(body, 'markets'), [...real, ...rows(nested, 'markets')]);
    expect(missing).toEqual([
      'fractional_trading_enabled',
      'liquidity_dollars',
      'mve_collection_ticker',
      'mve_selected_legs',
      'response_price_units',
    ]);
    expect(added).toEqual([
      'exchange_index',
      'floor_strike',
      'settlement_ts',
      'settlement_value_dollars',
      'subtitle',
    ]);
  });

  test('a Kalshi series has every recorded key', async () => {
    const { body } = await open.get(`${KALSHI}/series`);
    const real = readWire('kalshi-api-2026-01/series_list_response.json') as Row;
    expect(compare(rows(body, 'series'), rows(real, 'series')).missing).toEqual([]);
  });

  test('a Kalshi candle has the recorded keys in their dollar and count spellings', async () => {
    const end = open.world.now() / 1000;
    const { body } = await open.get(
      `${KALSHI}/markets/candlesticks?market_tickers=SIMPRES28-PA-D&start_ts=${end - 86_400}&end_ts=${end}&period_interval=60`,
    );
    const ours = rows(rows(body, 'markets')[0] ?? {}, 'candlesticks');
    const answer = readWire('kalshi-api-2026-01/candlesticks_batch_response.json') as Row;
    const real = rows(rows(answer, 'markets')[0] ?? {}, 'candlesticks');
    expect(compare(ours, real)).toEqual({
      added: ['open_interest_fp', 'volume_fp'],
      missing: ['open_interest', 'volume'],
    });
    expect(
      compare(
        ours.map(({ yes_bid }) => yes_bid as Row),
        real.map(({ yes_bid }) => yes_bid as Row),
      ).added,
    ).toEqual([]);
  });

  test('a Gamma market adds only what the notes document', async () => {
    const { body } = await open.get('/gamma/markets/keyset?limit=100&closed=true');
    const { added } = compare(rows(body, 'markets'), [
      readWire('polymarket-samples/gamma_market.json') as Row,
      readWire('polymarket-samples/gamma_market_closed_binary_accepting_true.json') as Row,
      ...(readWire('three-venue-markets-2026-06/polymarket_markets.json') as Row[]),
    ]);
    expect(added).toEqual(['negRiskMarketID', 'tags', 'umaResolutionStatus', 'version']);
  });

  test('CLOB markets and their page have the recorded keys', async () => {
    const { body } = await open.get('/clob/markets');
    const real = readWire('polymarket-wire-2025-11/clob_markets_page1.json.gz') as Row;
    expect(Object.keys(body).toSorted()).toEqual(Object.keys(real).toSorted());
    expect(compare(rows(body, 'data'), rows(real, 'data'))).toEqual({ added: [], missing: [] });
  });
});
