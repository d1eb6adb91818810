import type { RateDefinition } from '../model/definitions/rate-definition.ts';
import type { ReceiptLine } from '../model/print.ts';

/** How a value follows from the lines of its receipt; a mark of 40 cents counts 0.4 beside a quantity. */

/** A number with as many digits as it takes to calculate a value to the last digit that is shown. */
export function written(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** The formula of a level; what leaves at this print has entered it, and its value is in the new divisor or quantities. */
export function indexFormula(
  { cash, divisor }: { cash: number; divisor: number },
  lines: Lines,
  quoteConvention?: string,
): string {
  const mean = '100 x sum of quantity x mark / sum of quantity, over the names with a mark';
  if (quoteConvention === 'probability') return mean;
  if (quoteConvention === 'centred') return `50 + ${mean}`;
  const leave = lines.some(({ state }) => state === 'settled' || state === 'departed');
  const sum = `sum of quantity x mark${leave ? ' of the names that stay' : ''}`;
  return `(${sum} + cash ${written(cash)}) / divisor ${written(divisor)}`;
}

/** The formula of a rate's price. @param version its methodology's token with a number */
export function rateFormula(version: string, lines: Lines): string {
  const methodology = version.slice(0, version.lastIndexOf('-'));
  return FORMULAS[methodology as RateDefinition['methodology']](lines);
}

type Lines = readonly Pick<ReceiptLine, 'state' | 'volume'>[];

const FORMULAS: Record<RateDefinition['methodology'], (lines: Lines) => string> = {
  event_contract: () => 'mark of the source',
  simple_average: () => 'mean of the included marks',
  volume_weighted: byVolume,
  claim_price: byVolume,
  team_sleeve: byVolume,
  robust_median: () => 'mean of the medians of the twelve parts of the hour before',
  win_total: () => 'its line in the ladder of all marks, made monotone',
  rolling: () => 'sum of weight x mark, by the calendar of the chain',
};

function byVolume(lines: Lines): string {
  const volumes = lines.filter(({ state }) => state === 'included').map(({ volume }) => volume);
  return volumes.includes(undefined) || volumes.every((volume) => volume === 0)
    ? 'mean of the included marks by the weights of the definition, since not all volumes are known'
    : 'sum of volume x mark / sum of volume, over the included';
}
