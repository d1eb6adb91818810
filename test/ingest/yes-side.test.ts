import { describe, expect, it } from 'vitest';
import { parseMarketsPage } from '../../src/ingest/venues/polymarket-global/parse-gamma.ts';
import { parseListingPage } from '../../src/ingest/venues/polymarket-global/parse-listing.ts';
import { conditionId, gammaMarket } from './wire-fixtures.ts';

/** What a market of Gamma is read as, its outcomes in one order or the other. */
function gammaOf(changes: Record<string, unknown>) {
  const [listed] = parseMarketsPage({ markets: [gammaMarket(1, changes)] }).markets;
  return {
    token: listed?.market.price_token,
    payout: listed?.market.payout,
    bid: listed?.quote?.prices.bid,
    ask: listed?.quote?.prices.ask,
    last: listed?.quote?.prices.last,
  };
}

function listingOf(outcomes: readonly [string, string], winner: string) {
  const tokens = outcomes.map((outcome) => ({
    token_id: `token-${outcome}`,
    outcome,
    winner: outcome === winner,
  }));
  const row = { condition_id: conditionId(1), question: 'Q', active: true, closed: true, tokens };
  const [listed] = parseListingPage({ data: [row], next_cursor: 'LTE=' }).markets;
  return [listed?.market.price_token, listed?.market.payout];
}

describe('the Yes side of a Polymarket market', () => {
  it('is the second outcome where the names say so: its token, its outcome, its prices', () => {
    const first = { outcomes: '["Yes","No"]', clobTokenIds: '["y","n"]' };
    const second = { outcomes: '["No","Yes"]', clobTokenIds: '["n","y"]' };
    const mirrored = { bestBid: 0.58, bestAsk: 0.6, lastTradePrice: 0.59 };
    expect(gammaOf({ ...second, ...mirrored })).toEqual(gammaOf(first));
    const closed = { closed: true, umaResolutionStatus: 'resolved' };
    expect(gammaOf({ ...second, ...closed, outcomePrices: '["0","1"]' })).toMatchObject({
      token: 'y',
      payout: 1,
    });
    expect(listingOf(['No', 'Yes'], 'Yes')).toEqual(['token-Yes', 1]);
    expect(listingOf(['no', 'YES'], 'no')).toEqual(['token-YES', 0]);
  });

  it('is the first outcome for any other names', () => {
    for (const outcomes of [
      ['Up', 'Down'],
      ['Celtics', 'Warriors'],
      ['No', 'Maybe'],
      ['Even', 'Odd'],
    ] as const) {
      expect(gammaOf({ outcomes: JSON.stringify(outcomes) })).toEqual(gammaOf({}));
      expect(listingOf(outcomes, outcomes[0])).toEqual([`token-${outcomes[0]}`, 1]);
    }
  });

  it.each([
    [['Celtics', 'Warriors'], 'Celtics'],
    [['Yes', 'No'], undefined],
    [['no', 'YES'], undefined],
    [['', 'Warriors'], undefined],
  ] as const)('tells which team it is for: %s', (outcomes, name) => {
    const [gamma] = parseMarketsPage({
      markets: [gammaMarket(1, { outcomes: JSON.stringify(outcomes) })],
    }).markets;
    const tokens = outcomes.map((outcome, i) => ({ token_id: `token-${i}`, outcome }));
    const row = { condition_id: conditionId(1), question: 'Q', tokens };
    const [listed] = parseListingPage({ data: [row], next_cursor: 'LTE=' }).markets;
    expect([gamma, listed].map((each) => each?.market.yes_sub_title)).toEqual([name, name]);
  });

  it('has an unknown payout where a price of a closed market is not a number', () => {
    for (const outcomePrices of ['[null,"1"]', '["","1"]', '[true,0]', '[[],1]', '["0","0"]'])
      expect(gammaOf({ closed: true, outcomePrices }).payout).toBeUndefined();
  });
});
