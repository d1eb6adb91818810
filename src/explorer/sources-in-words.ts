import { counted } from '../model/counted.ts';
import type { SourceRow } from './public-documents.ts';
import { basisInWords } from './words.ts';

/** The part of a source in its rate's price, in plain words. */
export function standingInWords(source: SourceRow): string {
  if (!source.is_active) return isListed(source) ? 'settled' : 'not listed yet';
  if (source.outlier) return entered(source) ? 'outlier, but counted' : 'outlier, left out';
  return entered(source) ? basisInWords(source.basis ?? 'no mark') : 'did not enter';
}

/** Why sources did not enter a price, and how many have settled, a sentence each. */
export function leftOutInWords(methodology: string, sources: readonly SourceRow[]): string[] {
  const inactive = sources.filter((source) => !source.is_active);
  const settled = inactive.filter(isListed).length;
  const unlisted = inactive.length - settled;
  const left = sources.some(entered) ? sources.filter((source) => source.is_active && !entered(source)) : [];
  const outliers = left.filter((source) => source.outlier).length;
  const others = left.length - outliers;
  return [
    ...(settled > 0 ? [`${counted(settled, 'source')} ${settled === 1 ? 'is' : 'are'} settled.`] : []),
    ...(unlisted > 0
      ? [`${counted(unlisted, 'source')} ${unlisted === 1 ? 'is' : 'are'} not listed yet.`]
      : []),
    ...(outliers > 0 ? [`${counted(outliers, 'source')} left out, too far from the others.`] : []),
    ...(others > 0 ? [`${counted(others, 'source')} did not enter: ${reasonIn(methodology)}.`] : []),
  ];
}

/** Whether its venue has listed the market of a source: then its question is known. */
function isListed(source: SourceRow): boolean {
  return source.question !== undefined;
}

/** Whether a source has a part in the price of the last print. */
export function entered(source: SourceRow): boolean {
  return source.latest_price !== undefined;
}

function reasonIn(methodology: string): string {
  if (methodology === 'rolling') return 'not the contract of the day';
  if (methodology === 'win_total') return 'on other lines of the ladder, or without a price';
  return 'halted, without a price, or not seen for seven days';
}
