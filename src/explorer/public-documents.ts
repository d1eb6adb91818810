import type { PublicDocuments } from '../routes/shapes/shapes.ts';

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
export type Article = PublicDocuments['/rates/{id}/news']['data'][number];
