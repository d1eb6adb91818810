type Row = Record<string, unknown>;

/** A Polymarket US market as an event embeds it. */
export function usMarket(slug: string, changes: Row = {}): Row {
  return {
    id: '5511',
    slug,
    question: 'Will the home team win?',
    title: 'Home',
    description: 'If the home team wins, the market resolves to Yes.',
    status: 'MARKET_STATUS_OPEN',
    active: true,
    closed: false,
    marketType: 'moneyline',
    sportsMarketType: 'football_team_full_game_winner',
    marketSides: [
      { id: '1', description: 'Away team', long: false, price: '0.600' },
      { id: '2', description: 'Home team', long: true, price: '0.430' },
    ],
    createdAt: '2026-11-01T12:00:00Z',
    startDate: '2026-11-01T12:00:00Z',
    endDate: '2026-12-01T05:00:00Z',
    bestBidQuote: { value: '0.410', currency: 'USD' },
    bestAskQuote: { value: '0.430', currency: 'USD' },
    volume: 1234.5,
    outcomePrices: '["0.41", "0.43"]',
    ...changes,
  };
}

/** A Polymarket US event with its markets. */
export function usEvent(markets: readonly unknown[], changes: Row = {}): Row {
  return {
    id: '901',
    ticker: 'nfl-car-ari-2026-11-15',
    slug: 'nfl-car-ari-2026-11-15',
    title: 'Carolina at Arizona',
    description: 'Who wins?',
    seriesSlug: 'nfl',
    category: 'sports',
    createdAt: '2026-11-01T12:00:00Z',
    endDate: '2026-12-01T05:00:00Z',
    closed: false,
    volume: 9000,
    openInterest: 0,
    markets,
    ...changes,
  };
}
