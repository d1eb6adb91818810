import { BASE } from './index-definition.ts';

/** Indices that hold other indices. */
export function listDerivedIndices(): { ticker: string }[] {
  const head = (ticker: string, name: string, description: string) => ({
    $schema: '../../schemas/index-definition.schema.json',
    ticker,
    name: `${name} (simulated)`,
    description,
  });
  const points = {
    quote_convention: 'points',
    visibility: 'public',
    base_at: BASE,
    base_level: 1000,
    interval_minutes: 60,
  };
  const composite = {
    ...head(
      'SIMMACRO',
      'Macro composite',
      'Easing baskets of three central banks and the price baskets, two parts to one, weighed anew each month.',
    ),
    methodology: 'composite',
    ...points,
    weighting: {
      categories: { policy: 2, prices: 1 },
      rebalances: { every: 'month', day: 1, time: '10:00' },
    },
    constituents: [
      { index: 'SIMFEDEASE', category: 'policy' },
      { index: 'SIMECBEASE', category: 'policy' },
      { index: 'SIMBOEEASE', category: 'policy' },
      { index: 'SIMHOTCPI', category: 'prices' },
      { index: 'SIMGASUP', category: 'prices' },
    ],
  };
  const totalReturn = {
    ...head(
      'SIMFEDEASE.TR',
      'Fed easing basket, total return',
      'SIMFEDEASE with the cash of settled contracts reinvested.',
    ),
    methodology: 'total_return',
    ...points,
    base_index_id: 'SIMFEDEASE',
  };
  return [composite, totalReturn];
}
