import { CENTRAL_BANKS, meetingTicker } from '../topics/central-banks.ts';
import { basket, gauge, type IndexDefinition } from './index-definition.ts';
import type { MarketFinder } from './market-finder.ts';

/** Indices of central bank decisions. */
export function listPolicyIndices(find: MarketFinder): IndexDefinition[] {
  const cuts = CENTRAL_BANKS.map((bank) => ({
    bank,
    markets: bank.meetings
      .slice(0, 6)
      .flatMap((meeting) => ['C25', 'C50'].map((code) => `${meetingTicker(bank, meeting)}-${code}`)),
  }));
  return [
    ...cuts.map(({ bank, markets }) =>
      basket(
        {
          ticker: `SIM${bank.code}EASE`,
          name: `${bank.name} easing basket`,
          description: `Cuts at six meetings of the ${bank.name}, one contract of each; past meetings settle out.`,
        },
        markets.map((ticker) => ({ market_id: find.kalshi(ticker), weight: 1 })),
        'quantity',
      ),
    ),
    gauge(
      {
        ticker: 'SIMEASE.G',
        name: 'Global easing gauge',
        description: 'Chance of a cut of 25 basis points at the coming meetings of three central banks.',
      },
      CENTRAL_BANKS.flatMap((bank) =>
        bank.meetings.slice(3, 6).flatMap((meeting) => {
          const ticker = `${meetingTicker(bank, meeting)}-C25`;
          return [{ market_id: find.kalshi(ticker) }, { market_id: find.polymarket(ticker) }];
        }),
      ),
    ),
    gauge(
      {
        ticker: 'SIMHOLD.G',
        name: 'Policy hold gauge',
        description: 'Chance that rates stay unchanged; meetings of June 2027 join when they are listed.',
      },
      CENTRAL_BANKS.flatMap((bank) =>
        bank.meetings.slice(3).map((meeting, i) => ({
          market_id: find.kalshi(`${meetingTicker(bank, meeting)}-H0`),
          ...(i === 4 ? { status: 'staged' as const } : {}),
        })),
      ),
    ),
  ];
}
