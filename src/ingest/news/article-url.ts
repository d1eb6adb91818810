import { hash } from 'node:crypto';
import normalizeUrl from 'normalize-url';

/** Parameters that tell where a reader came from, not what is read. */
const TRACKING = [
  /^utm_/i,
  /^(fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|cmpid|ref|ref_src|ref_url|taid|src|smid|partner)$/i,
];

/**
 * The address of an article as it is shown: without fragment and tracking parameters, parameters in order.
 * Undefined when the text is no http address.
 *
 * @param base what a relative address stands under: that of its feed
 * @example articleUrl('/a/?utm_source=rss#top', 'https://x.example') // 'https://x.example/a'
 */
export function articleUrl(text: string | undefined, base: string): string | undefined {
  const url = text === undefined ? null : URL.parse(text.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '') return undefined;
  return normalizeUrl(url.href, { stripHash: true, stripWWW: false, removeQueryParameters: TRACKING });
}

/** The id of an article, made of its address; `www.` and the protocol do not tell two articles apart. */
export function articleId(url: string): string {
  return hash('sha256', normalizeUrl(url, { stripProtocol: true })).slice(0, 20);
}
