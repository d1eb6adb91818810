import { mediaTypeOf } from '../routes/media-types.ts';
import { OBJECTS } from '../store/archive/archive.ts';
import type { ObjectMetadata } from './sinks/sink.ts';

/** Lifetime of documents that change; the same as the server states for its public answers. */
const LIVE = 'public, max-age=15, s-maxage=60, stale-while-revalidate=60';
/** Related lists: a quarter of an hour in all, over every cache on the way. */
const RELATED = 'public, max-age=300, s-maxage=600, stale-while-revalidate=300';
/** A file named by its content never changes. */
const FOREVER = 'public, max-age=31536000, immutable';

interface HeaderRule {
  /** Matches the keys that the rule is for. */
  matches: RegExp;
  cache_control: string;
}

/** Caching by class of object; the first rule that matches counts. */
const RULES: readonly HeaderRule[] = [
  { matches: /^archive\/(objects|shards|generations)\//, cache_control: FOREVER },
  { matches: /^(archive\/pointer|publication)\.json$/, cache_control: 'no-store' },
  // Vite calls what the page loads by its content; outlet.json keeps its name.
  { matches: /^explorer\/.*-[\w-]{8}\.(js|css)$/, cache_control: FOREVER },
  { matches: /^bulk\//, cache_control: 'public, max-age=300, s-maxage=3600' },
  {
    matches: /^api\/v1\/public\/(markets|indices|rates)\/[^/]+\/(related|news|filings)\.json/,
    cache_control: RELATED,
  },
  { matches: /^/, cache_control: LIVE },
];

const ENCODINGS: Readonly<Record<string, string>> = { gz: 'gzip', br: 'br' };

/** The headers that an object is served with; a precompressed variant says how it is encoded. */
export function metadataOf(key: string): ObjectMetadata {
  const cache_control = RULES.find((rule) => rule.matches.test(key))?.cache_control ?? LIVE;
  const [, plain = key, variant = ''] = /^(.*?)(?:\.(gz|br))?$/.exec(key) ?? [];
  const content_encoding = ENCODINGS[variant];
  return {
    cache_control,
    content_type: key.startsWith(OBJECTS) ? 'application/octet-stream' : mediaTypeOf(plain),
    ...(content_encoding === undefined ? {} : { content_encoding }),
  };
}
