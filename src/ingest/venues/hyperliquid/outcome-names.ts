import { catalogId } from '../../../model/platform.ts';

/** The identifier of a question's event. */
export function questionId(question: number): string {
  return catalogId('venue_c', `q${question}`);
}

/**
 * The coin under which the Yes side of an outcome trades: ten times its number plus the side, which is 0.
 *
 * @example yesCoin('1473') // '#14730'
 */
export function yesCoin(nativeId: string): string {
  return `#${nativeId}0`;
}
