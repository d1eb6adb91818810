import { z } from 'zod';
import { publicFilingsSince } from '../../model/filing.ts';
import { roundTo } from '../../model/units.ts';
import { findFiling } from '../../store/filings/filings.ts';
import { findArticle } from '../../store/news.ts';
import { filingBody, filingWithId } from '../filings/filing-body.ts';
import { type Route, type RouteRequest, route } from '../route.ts';
import { NEAR_KINDS, type NearMember, nearMembers } from './near-members.ts';
import { marketsOfTerms, NEAREST, nearMarketBodies, nearMarkets, relatedPerPage } from './related-markets.ts';
import { newsRows } from './related-news.ts';

/** Filings of an authenticated list. */
const MOST = 20;

/** Near filings, the nearest first; the public tier shows those of the last 90 days. @see Spec 4.5.1 */
function filingRows(request: RouteRequest, near: readonly NearMember[], most: number) {
  if (near.length === 0) return [];
  const { reader, tier } = request;
  // Computed once, since it is the same for all markets; the clock may be read only within a tracked read.
  const publicSince = () =>
    reader.once(`public filings at ${request.now}`, () => publicFilingsSince(request.now));
  const since = tier === 'public' ? reader.reading('day', '', publicSince) : '';
  const rows = near.flatMap(({ record_id, similarity }) => {
    const filing = findFiling(reader, Number(record_id));
    const isShown = filing && (filing.status_day ?? '') >= since;
    return isShown ? [{ ...filingBody(filing), similarity: roundTo(similarity, 4) }] : [];
  });
  return rows.slice(0, most);
}

/** The routes of one path: up to three recent filings for anybody, more and older ones with a key. */
function filingsNear({ path, of, find, published }: (typeof NEAR_KINDS)[number]): Route[] {
  const common = { path: `${path}/filings`, caching: 'related' } as const;
  return [
    route({
      ...common,
      summary: `Filings related to ${of}, with a status date in the last 90 days`,
      tiers: ['public'],
      query: z.object({ per_page: relatedPerPage }),
      answer(request) {
        const near = find(request, 'filing');
        return near && { data: filingRows(request, near, request.query.per_page) };
      },
      ...published,
    }),
    route({
      ...common,
      summary: `Filings related to ${of}`,
      tiers: ['authenticated'],
      scope: 'org:filings:read',
      answer(request) {
        const near = find(request, 'filing');
        return near && { data: filingRows(request, near, MOST) };
      },
    }),
  ];
}

/** The filing that an id names, as a record with neighbours. */
function filingRecord({ reader, id }: RouteRequest): { sort: 'filing'; record_id: string } | undefined {
  const filing = filingWithId(reader, id);
  return filing && { sort: 'filing', record_id: String(filing.filing_id) };
}

const ofFilings = {
  tiers: ['authenticated'],
  scope: 'org:filings:read',
  caching: 'related',
} as const satisfies Partial<Route>;

const filingMarkets = route({
  ...ofFilings,
  path: '/filings/{id}/markets',
  summary: 'Active markets related to a filing',
  answer(request) {
    const own = filingRecord(request);
    if (!own) return undefined;
    const named = marketsOfTerms(request, Number(own.record_id));
    const ids = new Set(named.map((each) => each.market_id));
    const near = nearMarkets(request, own, undefined).filter((each) => !ids.has(each.market_id));
    return { data: nearMarketBodies(request.reader, [...named, ...near].slice(0, NEAREST)) };
  },
});

const filingNews = route({
  ...ofFilings,
  path: '/filings/{id}/news',
  summary: 'Articles related to a filing',
  answer(request) {
    const own = filingRecord(request);
    return own && { data: newsRows(request, nearMembers(request, own, [], 'news')) };
  },
});

const similarFilings = route({
  ...ofFilings,
  path: '/filings/{id}/similar',
  summary: 'Filings similar to a filing',
  answer(request) {
    const own = filingRecord(request);
    return own && { data: filingRows(request, nearMembers(request, own, [], 'filing'), MOST) };
  },
});

const newsFilings = route({
  ...ofFilings,
  path: '/news/{id}/filings',
  summary: 'Filings related to an article',
  answer(request) {
    if (!findArticle(request.reader, request.id)) return undefined;
    const own = { sort: 'news', record_id: request.id } as const;
    return { data: filingRows(request, nearMembers(request, own, [], 'filing'), MOST) };
  },
});

export const relatedFilingRoutes = [
  ...NEAR_KINDS.flatMap(filingsNear),
  filingMarkets,
  filingNews,
  similarFilings,
  newsFilings,
];
