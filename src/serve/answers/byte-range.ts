import type { Context } from 'hono';
import { type Env, headerOf } from '../request-context.ts';

/** Says that parts of a file may be asked for, as readers of Parquet do. */
export const RANGES_OFFERED = { 'Accept-Ranges': 'bytes' } as const;

/** Some bytes of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * The bytes that are asked for, of a file whose ranges are offered; undefined if the whole file is: without a range, with
 * several, with one that cannot be read, or if the asker has a part of another version.
 *
 * @param digest of the file, as in its entity tag
 * @param size in bytes
 * @returns 'none' for a range that begins after the end
 * @see RFC 9110, section 14
 */
export function askedRange(
  context: Context<Env>,
  headers: Readonly<Record<string, string>>,
  { digest, size }: { digest: string; size: number },
): ByteRange | 'none' | undefined {
  if (context.req.method !== 'GET' || !('Accept-Ranges' in headers)) return undefined;
  const [, first = '', last = ''] = RANGE.exec(headerOf(context, 'range') ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const condition = headerOf(context, 'if-range');
  if (condition !== undefined && condition !== `"${digest}"`) return undefined;
  // Without a first byte it is the last so many.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start < size ? { start, end } : 'none';
}

/** The headers of a part, or of a refusal. */
export function rangeHeaders(range: ByteRange | 'none', size: number): Record<string, string> {
  if (range === 'none') return { 'Content-Range': `bytes */${size}`, 'Cache-Control': 'no-store' };
  const { start, end } = range;
  return { 'Content-Range': `bytes ${start}-${end}/${size}`, 'Content-Length': String(end - start + 1) };
}
