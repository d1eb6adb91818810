import type { z } from 'zod';
import type * as catalog from '../routes/shapes/catalog.ts';
import type * as filings from '../routes/shapes/filings.ts';
import type * as indices from '../routes/shapes/indices.ts';
import type * as rates from '../routes/shapes/rates.ts';
import type * as relations from '../routes/shapes/relations.ts';

/** The body of each public document that a page reads, by the path of its route. */
export interface PublicDocuments {
  '/indices': z.output<typeof indices.indexList>;
  '/indices/{id}': z.output<typeof indices.indexDetail>;
  '/indices/{id}/prices': z.output<typeof indices.indexPrices>;
  '/indices/{id}/constituents': z.output<typeof indices.constituents>;
  '/indices/{id}/correlation': z.output<typeof indices.correlation>;
  '/indices/{id}/membership-events': z.output<typeof indices.membershipEvents>;
  '/rates': z.output<typeof rates.rateList>;
  '/rates/{id}': z.output<typeof rates.rateDetail>;
  '/rates/{id}/prices': z.output<typeof rates.ratePrices>;
  '/markets': z.output<typeof catalog.marketList>;
  '/markets/{id}': z.output<typeof catalog.market>;
  '/markets/{id}/indices': z.output<typeof catalog.memberships>;
  '/markets/{id}/related': z.output<typeof relations.nearMarkets>;
  '/markets/{id}/news': z.output<typeof relations.nearNews>;
  '/markets/{id}/filings': z.output<typeof relations.nearFilings>;
  '/indices/{id}/news': z.output<typeof relations.nearNews>;
  '/indices/{id}/filings': z.output<typeof relations.nearFilings>;
  '/rates/{id}/news': z.output<typeof relations.nearNews>;
  '/rates/{id}/filings': z.output<typeof relations.nearFilings>;
  '/filings': z.output<typeof filings.filingList>;
  '/filings/filters': z.output<typeof filings.filingValues>;
  '/filings/{id}': z.output<typeof filings.filingDetail>;
  '/filings/{id}/markdown': z.output<typeof filings.filingText>;
  '/announcements': z.output<typeof indices.announcementList>;
  '/announcements/{id}': z.output<typeof indices.announcementDetail>;
}
export type PublicPath = keyof PublicDocuments;

export type IndexRow = PublicDocuments['/indices']['data'][number];
export type IndexDetail = PublicDocuments['/indices/{id}'];
export type GroupReturn = IndexDetail['constituent_returns'][number];
export type Sleeve = NonNullable<IndexDetail['sleeves']>[number];
export type ConstituentRow = PublicDocuments['/indices/{id}/constituents']['data'][number];
export type MembershipEvent = PublicDocuments['/indices/{id}/membership-events']['data'][number];
export type Correlation = PublicDocuments['/indices/{id}/correlation'];
export type RateDetail = PublicDocuments['/rates/{id}'];
export type SourceRow = RateDetail['sources'][number];
export type Market = PublicDocuments['/markets/{id}'];
export type Membership = PublicDocuments['/markets/{id}/indices']['data'][number];
export type Announcement = PublicDocuments['/announcements/{id}'];
export type Filing = PublicDocuments['/filings']['data'][number];
export type NearMarket = PublicDocuments['/markets/{id}/related']['data'][number];
export type Article = PublicDocuments['/markets/{id}/news']['data'][number];
