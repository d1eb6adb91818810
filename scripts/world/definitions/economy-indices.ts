import { WARMTH_CODES } from '../topics/weather.ts';
import { basket, gauge, type IndexDefinition, withKeys } from './index-definition.ts';
import type { MarketFinder } from './market-finder.ts';

const AUTUMN = '2026-09-14T00:00:00Z';

/** Indices of inflation, jobs, crypto and temperature, and one private basket. */
export function listEconomyIndices(find: MarketFinder): IndexDefinition[] {
  const equal = (tickers: string[]) => tickers.map((ticker) => ({ market_id: find.kalshi(ticker) }));
  const months = ['26AUG', '26SEP', '26OCT', '26NOV', '26DEC'];
  return [
    basket(
      {
        ticker: 'SIMHOTCPI',
        name: 'High inflation basket',
        description: 'Inflation above three percent, month after month; prints settle as they are published.',
      },
      equal(months.map((month) => `SIMCPI-${month}-T3`)),
      'value',
    ),
    gauge(
      {
        ticker: 'SIMJOBS.G',
        name: 'Labour market gauge',
        description: 'Chance of unemployment above 4.5 percent in the coming months.',
      },
      equal(['26OCT', '26NOV', '26DEC'].map((month) => `SIMUNEMP-${month}-T4.5`)),
    ),
    basket(
      {
        ticker: 'SIMGASUP',
        name: 'Dear gasoline basket',
        description: 'Gasoline above 3.30 dollars a gallon, month after month.',
      },
      equal(months.map((month) => `SIMGAS-${month}-T3.3`)),
      'value',
    ),
    withKeys(
      basket(
        {
          ticker: 'SIMBTCYEAR',
          name: 'Bitcoin year-end basket',
          description: 'Levels of Bitcoin at the end of December 2026, one contract of each.',
        },
        ['100000', '105000', '110000', '115000', '120000'].map((strike) => ({
          market_id: find.kalshi(`SIMBTCM-26DEC31-T${strike}`),
          weight: 1,
        })),
        'quantity',
      ),
      { base_at: AUTUMN },
    ),
    withKeys(
      gauge(
        {
          ticker: 'SIMCOINS.G',
          name: 'Coin optimism gauge',
          description: 'Four coins above their mid-year price at the end of December 2026.',
        },
        equal([
          'SIMBTCM-26DEC31-T105000',
          'SIMETHM-26DEC31-T4000',
          'SIMSOLM-26DEC31-T180',
          'SIMXRPM-26DEC31-T2.4',
        ]),
      ),
      { base_at: AUTUMN },
    ),
    basket(
      {
        ticker: 'SIMWARM26',
        name: 'Warm cities basket 2026',
        description: 'Ten cities at least one and a half degrees warmer than usual over the year.',
      },
      equal(WARMTH_CODES.map((city) => `SIMWARM-26-${city}-15`)),
      'value',
    ),
    withKeys(
      basket(
        {
          ticker: 'SIMMACRO.ORG',
          name: 'House macro basket',
          description: 'A private basket of inflation, jobs and policy contracts of one organization.',
        },
        [
          { market_id: find.kalshi('SIMCPI-26OCT-T3'), weight: 2 },
          { market_id: find.kalshi('SIMUNEMP-26OCT-T4.5'), weight: 1 },
          { market_id: find.kalshi('SIMFED-26DEC-C25'), weight: 3 },
          { market_id: find.polymarket('SIMECB-26DEC-C25'), weight: 2 },
        ],
        'value',
      ),
      { visibility: 'organization', organization: 'org_demo' },
    ),
  ];
}
