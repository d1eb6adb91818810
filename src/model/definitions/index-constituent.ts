import { z } from 'zod';
import { printedId } from '../constituent-id.ts';
import { marketId, ticker } from './definition-fields.ts';

/** The fields of a constituent; exactly one of `market_id` and `rate` must be given. */
export const constituentFields = {
  market_id: marketId.optional(),
  rate: ticker.optional().describe('Reference rate included instead of a market'),
  status: z.enum(['included', 'staged']).default('included').describe('Staged: listed, not yet priced'),
};

interface Named {
  market_id?: string | undefined;
  rate?: string | undefined;
  index?: string | undefined;
}

/** The ids that a constituent names, in the form used for constituents; see {@link printedId}. */
function idsOf({ market_id, rate, index }: Named): string[] {
  return [
    ...(market_id === undefined ? [] : [market_id]),
    ...(rate === undefined ? [] : [printedId({ kind: 'rate', ticker: rate })]),
    ...(index === undefined ? [] : [printedId({ kind: 'index', ticker: index })]),
  ];
}

/** Refuses a constituent that names nothing, or more than one thing. */
export function nameOnce(given: Named, context: z.core.$RefinementCtx<Named>): void {
  const names = idsOf(given).length;
  if (names !== 1)
    context.addIssue({ code: 'custom', message: `must name one market or rate, names ${names}` });
}

/** A constituent with its id as `market_id`: that of its market, rate or index. */
export function withId<Given extends Named>(given: Given): Omit<Given, 'market_id'> & { market_id: string } {
  return { ...given, market_id: idsOf(given)[0] ?? '' };
}
