import type { correlate } from '../methodology/correlation.ts';
import type { constituentRows } from '../routes/constituent-rows.ts';
import type { indexHead, indexReturns } from '../routes/index-body.ts';
import type { marketBody } from '../routes/market-body.ts';
import type { PageMeta } from '../routes/paging.ts';
import type { rateBody } from '../routes/rate-body.ts';
import type { ratePoints } from '../routes/rate-points.ts';

export type IndexHead = ReturnType<typeof indexHead>;
export type IndexRow = IndexHead & { change_percent?: number };
export type GroupReturn = ReturnType<typeof indexReturns>[number];
export type IndexDetail = IndexHead & { group_by?: string; constituent_returns: GroupReturn[] };
export type ConstituentRow = ReturnType<typeof constituentRows>[number];
export type RateDetail = ReturnType<typeof rateBody>;
export type SourceRow = RateDetail['sources'][number];
export type RatePoint = ReturnType<typeof ratePoints>[number];
export type Market = ReturnType<typeof marketBody>;

export type Correlation = ReturnType<typeof correlate> & { through?: string };

export interface Membership {
  index_id: string;
  ticker: string;
  name: string;
  weight: number;
}

/** The body of each public document, by the path of its route. */
export interface PublicDocuments {
  '/indices': { data: IndexRow[]; meta: PageMeta & { window: string }; methodologies: string[] };
  '/indices/{id}': IndexDetail;
  '/indices/{id}/prices': { quote_convention: string; data: { at: string; level: number }[] };
  '/indices/{id}/constituents': { data: ConstituentRow[] };
  '/indices/{id}/correlation': Correlation;
  '/rates': { data: RateDetail[]; methodologies: string[] };
  '/rates/{id}': RateDetail;
  '/rates/{id}/prices': { methodology: string; data: RatePoint[] };
  '/markets': { data: Market[]; meta: PageMeta };
  '/markets/{id}': Market;
  '/markets/{id}/indices': { data: Membership[] };
}
export type PublicPath = keyof PublicDocuments;
