import type { FixtureVenue } from './fixture-venue.ts';
import { NOW } from './run-ingest.ts';
import { gammaEvent, gammaMarket, kalshiCandle, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

/** Lets Kalshi list one event with some markets; a ticker alone stands for a market as most are. */
export function listOnKalshi(venue: FixtureVenue, ...markets: (string | object)[]): void {
  const rows = markets.map((each) => (typeof each === 'string' ? kalshiMarket(each) : each));
  venue.on('/kalshi/events', () => ({ events: [kalshiEvent(rows)], cursor: '' }));
}

/** Answers everything that a run asks of both venues: one event with two markets each, and their prices. */
export function answerAsTwoVenues(venue: FixtureVenue): void {
  listOnKalshi(venue, 'KX-1', 'KX-2');
  venue.on('/gamma/events/keyset', () => ({ events: [gammaEvent([gammaMarket(1), gammaMarket(2)])] }));
  venue.on('/gamma/markets/keyset', () => ({ markets: [] }));
  venue.on('/data/v2/prices-history', (query) => {
    const start = Number(query.get('start'));
    const point = { timestamp: Math.ceil(start / 3600) * 3600, price: 0.4, resolution_seconds: 3600 };
    return { data: query.has('interval') ? [] : [point], pagination: { next_cursor: null } };
  });
  venue.on('/clob/prices-history', () => ({ history: [] }));
  venue.on('/clob/books', () => []);
  venue.on('/kalshi/series', () => ({ series: [{ ticker: 'KXRAIN', title: 'Rain' }] }));
  venue.on('/kalshi/historical/markets', () => ({ markets: [], cursor: '' }));
  venue.on('/kalshi/markets', () => ({ markets: [], cursor: '' }));
  venue.on('/kalshi/markets/orderbooks', () => ({ orderbooks: [] }));
  venue.on('/kalshi/markets/candlesticks', (query) => ({
    markets: (query.get('market_tickers') ?? '').split(',').map((market_ticker) => ({
      market_ticker,
      candlesticks: [NOW / 1000 - 3600, NOW / 1000].map((end) => kalshiCandle(end)),
    })),
  }));
}
