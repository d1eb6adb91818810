import { z } from 'zod';
import { roundTo } from '../../model/units.ts';
import { findMarketStatus } from '../../store/catalog/catalog.ts';
import { eachMarketId } from '../../store/catalog/market-lists.ts';
import { findArticle } from '../../store/news.ts';
import { marketsOfIndex } from '../indices/member-markets.ts';
import { present, presentInstant } from '../present.ts';
import { type Route, type RouteRequest, route, TIERS } from '../route.ts';
import { publicIndexTickers, publicRateTickers, requestedIndex, requestedRate } from '../visibility.ts';
import { type NearMember, nearMembers } from './near-members.ts';

/** Articles of a list. */
const MOST = 20;

/** Articles near a record, the nearest first. @see Spec 2.6 */
export function newsRows({ reader }: Pick<RouteRequest, 'reader'>, near: readonly NearMember[]) {
  return near.slice(0, MOST).flatMap(({ record_id, similarity, via_market_id }) => {
    const article = findArticle(reader, record_id);
    if (!article) return [];
    return [
      {
        news_id: article.news_id,
        title: article.title,
        url: article.url,
        source: article.source,
        summary: present(article.summary),
        author: present(article.author),
        published_at: presentInstant(article.published_at),
        similarity: roundTo(similarity, 4),
        via_market_id: via_market_id,
      },
    ];
  });
}

const common = { tiers: TIERS, keeping: 'related', query: z.object({}) } as const satisfies Partial<Route>;

const marketNews = route({
  ...common,
  path: '/markets/{id}/news',
  summary: 'Articles near a market',
  answer(request) {
    if (!findMarketStatus(request.reader, request.id)) return undefined;
    return { data: newsRows(request, nearMembers(request, undefined, [request.id], 'news')) };
  },
  isWatched: true,
  documents: eachMarketId,
});

const indexNews = route({
  ...common,
  path: '/indices/{id}/news',
  summary: 'Articles near the markets that an index includes',
  answer(request) {
    const index = requestedIndex(request);
    if (!index) return undefined;
    return {
      data: newsRows(
        request,
        nearMembers(request, undefined, marketsOfIndex(request, index.definition), 'news'),
      ),
    };
  },
  documents: publicIndexTickers,
});

const rateNews = route({
  ...common,
  path: '/rates/{id}/news',
  summary: 'Articles near a rate or one of its source markets',
  answer(request) {
    const rate = requestedRate(request);
    if (!rate) return undefined;
    const { ticker, sources } = rate.definition;
    const markets = sources.map((each) => each.market_id);
    return {
      data: newsRows(request, nearMembers(request, { sort: 'rate', record_id: ticker }, markets, 'news')),
    };
  },
  documents: publicRateTickers,
});

export const relatedNewsRoutes = [marketNews, indexNews, rateNews];
