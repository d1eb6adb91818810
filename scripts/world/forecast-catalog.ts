import { isoDay } from './calendar.ts';
import type { WorldEvent } from './topics/topic.ts';
import type { Contract } from './truth/contracts.ts';

/** A contract as ForecastEx lists it in its daily files. */
export interface Forecast {
  /** Product, month, day and year, strike: `SIMCPI_111226_3`. */
  id: string;
  product: { id: string; name: string; category: string };
  /** Day of its last session. */
  expires: string;
  contract: Contract;
}

/** Everything that ForecastEx will ever list in this world, by id. */
export type ForecastCatalog = Map<string, Forecast>;

/** Lists a question at ForecastEx if it is one of those that the venue carries: statistics above a line. */
export function addForecasts(catalog: ForecastCatalog, { truth, kalshi: face }: WorldEvent): void {
  if (face?.series.category !== 'Economics' || !/^SIM(CPI|UNEMP|PAYROLL|GAS)\b/.test(truth.key)) return;
  const expires = isoDay(truth.known_at);
  const [year = '', month = '', day = ''] = expires.split('-');
  const product = { id: face.series.ticker, name: face.series.title, category: face.series.category };
  for (const { outcome, text } of face.markets) {
    const { floor_strike } = text();
    if (floor_strike === undefined) continue;
    const id = `${product.id}_${month}${day}${year.slice(2)}_${floor_strike}`;
    const contract: Contract = {
      venue: 'forecastex',
      id,
      event: truth,
      outcome,
      grid: { core: 100, edge: 100 },
    };
    catalog.set(id, { id, product, expires, contract });
  }
}
