import { hash } from 'node:crypto';
import normalizeUrl from 'normalize-url';

/** Parameters that only track readers. */
const TRACKING = [
  /^(utm|at)_/i,
  /^(fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|cmp|cmpid|ref_src|ref_url|taid|smid)$/i,
];

/** Parameters that track at some sites, where they name a channel, and select the article at others. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['ref', 'src', 'partner']);
const CHANNEL =
  /^(?:[a-z_-]{0,20}(?:rss|feed|atom|mail|letter)[a-z_-]{0,20}|twitter|tw|x|facebook|fb|linkedin|telegram|whatsapp|reddit|flipboard|google|yahoo|msn|apple|share|social|home(?:page)?|app)$/i;

/**
 * The normalized address of an article: without fragment and tracking parameters, parameters sorted. A parameter that
 * may select the article is kept: storing one article twice, under two addresses, loses less than taking two articles
 * for one. Undefined when the text is no http address.
 *
 * @param base that a relative address is resolved against: the address of its feed
 * @example articleUrl('/a/?utm_source=rss#top', 'https://x.example') // 'https://x.example/a'
 */
export function articleUrl(text: string | undefined, base: string): string | undefined {
  const url = text === undefined ? null : URL.parse(text.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '') return undefined;
  for (const [name, value] of [...url.searchParams])
    if (AMBIGUOUS.has(name.toLowerCase()) && CHANNEL.test(value)) url.searchParams.delete(name, value);
  return normalizeUrl(url.href, { stripHash: true, stripWWW: false, removeQueryParameters: TRACKING });
}

/** The id of an article: a hash of its address, without the protocol and `www.`. */
export function articleId(url: string): string {
  return hash('sha256', normalizeUrl(url, { stripProtocol: true })).slice(0, 20);
}
