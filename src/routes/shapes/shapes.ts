/**
 * The shapes of all answers, by path and tier. The OpenAPI document describes them, and tests hold every answer to them. No
 * shape allows a field that it does not name.
 */
import type { z } from 'zod';
import type { Tier } from '../route.ts';
import * as catalog from './catalog.ts';
import * as filings from './filings.ts';
import * as indices from './indices.ts';
import * as rates from './rates.ts';
import * as relations from './relations.ts';
import * as usage from './usage.ts';

/** A shape with the name that it has in the document. */
export interface NamedShape {
  name: string;
  shape: z.ZodType;
}

type Shapes = Readonly<Record<string, { [T in Tier]?: NamedShape }>>;

const both = <Shape extends z.ZodType>(name: string, shape: Shape) => ({
  public: { name, shape },
  authenticated: { name, shape },
});
const apart = <Shape extends z.ZodType>(name: string, shape: Shape, memberShape: z.ZodType) => ({
  public: { name, shape },
  authenticated: { name: `Member${name}`, shape: memberShape },
});

const SHAPES = {
  '/markets': both('MarketList', catalog.marketList),
  '/markets/{id}': both('Market', catalog.market),
  '/markets/{id}/candles': both('Candles', catalog.candles),
  '/markets/{id}/indices': both('IndexMemberships', catalog.memberships),
  '/events': both('EventList', catalog.eventList),
  '/indices': apart('IndexList', indices.indexList, indices.memberIndexList),
  '/indices/{id}': apart('Index', indices.indexDetail, indices.memberIndexDetail),
  '/indices/{id}/prices': both('IndexPrices', indices.indexPrices),
  '/indices/{id}/constituents': both('Constituents', indices.constituents),
  '/indices/{id}/correlation': both('Correlation', indices.correlation),
  '/indices/{id}/daily-values': both('DailyValues', indices.dailyValues),
  '/indices/{id}/membership-events': both('MembershipEvents', indices.membershipEvents),
  '/announcements': both('AnnouncementList', indices.announcementList),
  '/announcements/{id}': both('Announcement', indices.announcement),
  '/rates': apart('RateList', rates.rateList, rates.memberRateList),
  '/rates/{id}': apart('Rate', rates.rate, rates.memberRateDetail),
  '/rates/{id}/prices': both('RatePrices', rates.ratePrices),
  '/filings': both('FilingList', filings.filingList),
  '/filings/filters': both('FilingValues', filings.filingValues),
  '/filings/events': both('FilingChanges', filings.filingChanges),
  '/filings/{id}': both('Filing', filings.filingDetail),
  '/filings/{id}/markdown': both('FilingText', filings.filingText),
  '/filings/{id}/actions': both('FilingActions', filings.filingActions),
  '/markets/{id}/similar': both('NearMarkets', relations.nearMarkets),
  '/markets/{id}/related': both('NearMarkets', relations.nearMarkets),
  '/markets/{id}/news': both('NewsViaMarkets', relations.newsViaMarkets),
  '/indices/{id}/news': both('NewsViaMarkets', relations.newsViaMarkets),
  '/rates/{id}/news': both('NewsOfRate', relations.newsOfRate),
  '/markets/{id}/filings': both('NearFilings', relations.nearFilings),
  '/indices/{id}/filings': both('NearFilings', relations.nearFilings),
  '/rates/{id}/filings': both('NearFilings', relations.nearFilings),
  '/filings/{id}/markets': both('NearMarkets', relations.nearMarkets),
  '/filings/{id}/news': both('NearNews', relations.nearNews),
  '/filings/{id}/similar': both('NearFilings', relations.nearFilings),
  '/news/{id}/filings': both('NearFilings', relations.nearFilings),
  '/usage': both('UsageReport', usage.usageReport),
} satisfies Shapes;

/** The body of each public document, by the path of its route. */
export type PublicDocuments = {
  [Path in keyof typeof SHAPES]: z.output<(typeof SHAPES)[Path]['public']['shape']>;
};

/** The shape of what a route's path answers to a tier. */
export function answerShape(path: string, tier: Tier): NamedShape {
  const shapes: Shapes = SHAPES;
  const found = shapes[path]?.[tier];
  if (!found) throw new Error(`${path} has no shape`);
  return found;
}
