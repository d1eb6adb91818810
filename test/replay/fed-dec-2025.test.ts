import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditionOf, tokenPairOf } from './board.ts';
import { hasRecorded, isRow, rowsOf, type WireRow } from './recorded.ts';
import { type Replay, startReplay } from './replay.ts';

const polymarketKey = 'fed-dec-2025:no-change';
const [yes, no] = tokenPairOf(polymarketKey);

describe.skipIf(!hasRecorded)('replay of fed-dec-2025 (needs the recorded data, see REAL_DATA)', () => {
  let replay: Replay;
  beforeAll(async () => {
    replay = await startReplay('fed-dec-2025', { now: '2025-11-16T06:32:31.457Z' });
  });
  afterAll(() => replay.close());

  const ask = async (url: string): Promise<WireRow> => {
    const body: unknown = await (await fetch(url)).json();
    if (!isRow(body)) throw new Error(`${url} did not answer an object`);
    return body;
  };

  it('quotes Kalshi at the newest half-hour: ask = 1 less the No bid, with sizes', async () => {
    const { venue_a } = replay.endpoints;
    const page = await ask(`${venue_a}/markets?tickers=KXFEDDECISION-25DEC-H0`);
    expect(rowsOf(page, 'markets')[0]).toMatchObject({
      yes_bid_dollars: '0.5000',
      yes_bid_size_fp: '4019.00',
      yes_ask_dollars: '0.5200',
      yes_ask_size_fp: '9127.00',
    });
    expect(await ask(`${venue_a}/markets/orderbooks?tickers=KXFEDDECISION-25DEC-H0&tickers=NONE`)).toEqual({
      orderbooks: [
        {
          ticker: 'KXFEDDECISION-25DEC-H0',
          orderbook_fp: { yes_dollars: [['0.5000', '4019.00']], no_dollars: [['0.4800', '9127.00']] },
        },
      ],
    });
  });

  it('quotes Polymarket on Gamma and both tokens on the CLOB', async () => {
    const { gamma, clob } = replay.endpoints;
    const page = await ask(`${gamma}/markets/keyset?limit=100`);
    expect(rowsOf(page, 'markets')[0]).toMatchObject({ bestBid: 0.5, bestAsk: 0.51, spread: 0.01 });
    expect(await ask(`${clob}/book?token_id=${yes}`)).toMatchObject({
      market: conditionOf(polymarketKey),
      timestamp: `${Date.parse('2025-11-16T06:32:31.457Z')}`,
      bids: [{ price: '0.5', size: '62670.82' }],
      asks: [{ price: '0.51', size: '14764.59' }],
    });
    expect(await ask(`${clob}/book?token_id=${no}`)).toMatchObject({
      bids: [{ price: '0.49', size: '14764.59' }],
      asks: [{ price: '0.5', size: '62670.82' }],
    });
  });

  it('answers a batch of books to a flat list only', async () => {
    const post = async (body: unknown): Promise<unknown> => {
      const url = `${replay.endpoints.clob}/books`;
      return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json();
    };
    expect(await post([{ token_id: yes }, { token_id: no }, { token_id: '1' }])).toHaveLength(2);
    expect(await post({ params: [{ token_id: yes }] })).toEqual([]);
  });

  it('answers the recorded mids up to the clock, to the millisecond', async () => {
    const { data } = replay.endpoints;
    const url = `${data}/v2/prices-history?token_id=${yes}&bucket_seconds=1800`;
    expect(rowsOf(await ask(url), 'data').map((point) => point.timestamp)).toEqual([1763272880, 1763274751]);
    replay.setNow('2025-11-16T06:32:31.456Z');
    const before = rowsOf(await ask(url), 'data');
    replay.setNow('2025-11-16T06:32:31.457Z');
    expect(before).toHaveLength(1);
  });

  it('is empty before the first recorded half-hour', async () => {
    replay.setNow('2025-11-16T06:00:00Z');
    const { venue_a, gamma } = replay.endpoints;
    const found = [await ask(`${venue_a}/markets`), await ask(`${gamma}/markets/keyset`)];
    replay.setNow('2025-11-16T06:32:31.457Z');
    expect(found.map((page) => rowsOf(page, 'markets').length)).toEqual([0, 0]);
  });

  it('holds both sources of the committed rate', () => {
    const path = resolve(import.meta.dirname, '../../data/fed-2025-12/rates/fed-2025-12-hold.json');
    const definition: unknown = JSON.parse(readFileSync(path, 'utf8'));
    expect(rowsOf(definition, 'sources').map((source) => source.market_id)).toEqual([
      'venue_a:KXFEDDECISION-25DEC-H0',
      `venue_b:${conditionOf(polymarketKey)}`,
    ]);
  });
});
