import { roundTo } from '../../model/units.ts';
import { findArticle } from '../../store/news.ts';
import { present, presentInstant } from '../present.ts';
import { type RouteRequest, route, TIERS } from '../route.ts';
import { NEAR_KINDS, type NearMember } from './near-members.ts';

/** Articles of a list. */
const MOST = 20;

/** Articles near a record, the nearest first. @see Spec 2.6 */
export function newsRows({ reader }: Pick<RouteRequest, 'reader'>, near: readonly NearMember[]) {
  return near.slice(0, MOST).flatMap(({ record_id, similarity, via_market_id }) => {
    const article = findArticle(reader, record_id);
    if (!article) return [];
    return {
      news_id: article.news_id,
      title: article.title,
      url: article.url,
      source: article.source,
      summary: present(article.summary),
      author: present(article.author),
      published_at: presentInstant(article.published_at),
      similarity: roundTo(similarity, 4),
      via_market_id,
    };
  });
}

export const relatedNewsRoutes = NEAR_KINDS.map(({ path, of, find, published }) =>
  route({
    path: `${path}/news`,
    summary: `Articles related to ${of}`,
    tiers: TIERS,
    caching: 'related',
    answer(request) {
      const near = find(request, 'news');
      return near && { data: newsRows(request, near) };
    },
    ...published,
  }),
);
