// Files of daily prices as ForecastEx writes them.

/** First line of a file of daily prices. */
export const HEADER =
  'event_contract,subtype,expiration_date,date,start_price,high_price,low_price,end_price,settlement_price,pair_quantity,open_interest';

/** Stands in a row for the day of its file. */
const DAY = 'DAY';

/** The rows of a file, as of a day. */
export const dated = (text: string, day: string) => text.replaceAll(`,${DAY},`, `,${day},`);

/** The Yes and No row of a contract. */
export function rows(
  contract: string,
  changes: { end?: string; settlement?: string; pairs?: number; expires?: string } = {},
) {
  const { end = '0.42', settlement = '', pairs = 10, expires = '2026-11-12T15:00:00-06:00' } = changes;
  const id = contract.includes(',') ? `"${contract}"` : contract;
  const [high, low] = pairs === 0 ? ['0.00', '0.00'] : ['0.45', '0.40'];
  return ['YES', 'NO'].map(
    (side) => `${id},${side},${expires},${DAY},0.41,${high},${low},${end},${settlement},${pairs},250`,
  );
}

/** A file of the rows of some contracts. */
export const file = (...lines: string[][]) => `${[HEADER, ...lines.flat()].join('\n')}\n`;
