import type { correlate } from '../methodology/correlation.ts';
import type { constituentName } from '../routes/constituent-name.ts';
import type { constituentRows } from '../routes/constituent-rows.ts';
import type { indexHead, indexReturns } from '../routes/index-body.ts';
import type { marketBody } from '../routes/market-body.ts';
import type { PageMeta } from '../routes/paging.ts';
import type { rateBody } from '../routes/rate-body.ts';
import type { ratePoints } from '../routes/rate-points.ts';
import type { sleeves } from '../routes/sleeves.ts';

type IndexHead = ReturnType<typeof indexHead>;
export type IndexRow = IndexHead & { change_percent?: number };
export type GroupReturn = ReturnType<typeof indexReturns>[number];
export type Sleeve = ReturnType<typeof sleeves>[number];
/** A market, rate or index as rows name it. */
export type Named = ReturnType<typeof constituentName>;
export type IndexDetail = IndexHead & {
  group_by?: string;
  constituent_returns: GroupReturn[];
  sleeves?: Sleeve[];
  official_daily_value?: number;
  base_index_id?: string;
};

/** What only some rows of constituents say. */
interface RowFigures {
  groups?: Readonly<Record<string, string>>;
  exclude_reason?: string;
  /** In cents; of an index its level instead. */
  mark?: number;
  level?: number;
  basis?: string;
  question?: string;
}
export type ConstituentRow = Named &
  Pick<ReturnType<typeof constituentRows>[number], 'weight' | 'excluded'> &
  RowFigures;
export type RateDetail = ReturnType<typeof rateBody>;
export type SourceRow = RateDetail['sources'][number];
type RatePoint = ReturnType<typeof ratePoints>[number];
export type Market = ReturnType<typeof marketBody>;
export type Correlation = ReturnType<typeof correlate> & { through?: string };

export interface Membership {
  index_id: string;
  ticker: string;
  name: string;
  weight: number;
}

export type MembershipEvent = Named & { at: string; kind: string; seat?: string };

export interface Announcement {
  announcement_id: string;
  type: string;
  index_id?: string;
  title: string;
  body: string;
  announced_at: string;
  effective_at: string;
  added_markets?: Named[];
  removed_markets?: Named[];
}

/** The body of each public document, by the path of its route. */
export interface PublicDocuments {
  '/indices': { data: IndexRow[]; meta: PageMeta & { window: string }; methodologies: string[] };
  '/indices/{id}': IndexDetail;
  '/indices/{id}/prices': {
    quote_convention: string;
    series_starts?: string[];
    data: { at: string; level: number }[];
  };
  '/indices/{id}/constituents': { data: ConstituentRow[] };
  '/indices/{id}/correlation': Correlation;
  '/indices/{id}/membership-events': { data: MembershipEvent[] };
  '/rates': { data: RateDetail[]; methodologies: string[] };
  '/rates/{id}': RateDetail;
  '/rates/{id}/prices': { methodology: string; data: RatePoint[] };
  '/markets': { data: Market[]; meta: PageMeta };
  '/markets/{id}': Market;
  '/markets/{id}/indices': { data: Membership[] };
  '/announcements': { data: Announcement[]; meta: PageMeta };
  '/announcements/{id}': Announcement;
}
export type PublicPath = keyof PublicDocuments;
