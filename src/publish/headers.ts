import { given } from '../model/given.ts';
import { LIVE, RELATED } from '../routes/cache-control.ts';
import { mediaTypeOf } from '../routes/media-types.ts';
import { OBJECTS } from '../store/archive/archive.ts';
import type { ObjectMetadata } from './sinks/sink.ts';

/** A file named by its content never changes. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Caching by class of object; for a precompressed variant, that of its document. */
const RULES: readonly [keys: RegExp, cache_control: string][] = [
  [/^archive\/(objects|shards|generations)\//, FOREVER],
  [/^(archive\/pointer|publication)\.json$/, 'no-store'],
  // Vite names these by their content; outlet.json keeps its name.
  [/^explorer\/.*-[\w-]{8}\.(js|css)$/, FOREVER],
  [/^bulk\//, 'public, max-age=300, s-maxage=3600'],
  [/^api\/v1\/public\/(markets|indices|rates)\/[^/]+\/(related|news|filings)\.json$/, RELATED],
];

const ENCODINGS: Readonly<Record<string, string>> = { gz: 'gzip', br: 'br' };

/** The headers that an object is served with; those of a precompressed variant name its encoding. */
export function metadataOf(key: string): ObjectMetadata {
  const [, plain = key, variant = ''] = /^(.*?)(?:\.(gz|br))?$/.exec(key) ?? [];
  const [, cache_control = LIVE] = RULES.find(([keys]) => keys.test(plain)) ?? [];
  const content_encoding = ENCODINGS[variant];
  return {
    cache_control,
    content_type: key.startsWith(OBJECTS) ? 'application/octet-stream' : mediaTypeOf(plain),
    ...given({ content_encoding }),
  };
}
