import { hash } from 'node:crypto';
import normalizeUrl from 'normalize-url';

/** Tracking parameters, which do not select the content. */
const TRACKING = [
  /^(utm|at)_/i,
  /^(fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|cmp|cmpid|ref|ref_src|ref_url|taid|src|smid|partner)$/i,
];

/**
 * The normalized address of an article: without fragment and tracking parameters, parameters sorted. Undefined when the
 * text is no http address.
 *
 * @param base that a relative address is resolved against: the address of its feed
 * @example articleUrl('/a/?utm_source=rss#top', 'https://x.example') // 'https://x.example/a'
 */
export function articleUrl(text: string | undefined, base: string): string | undefined {
  const url = text === undefined ? null : URL.parse(text.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '') return undefined;
  return normalizeUrl(url.href, { stripHash: true, stripWWW: false, removeQueryParameters: TRACKING });
}

/** The id of an article: a hash of its address, without the protocol and `www.`. */
export function articleId(url: string): string {
  return hash('sha256', normalizeUrl(url, { stripProtocol: true })).slice(0, 20);
}
