import { ForemarkError, hasCode } from '../../model/errors.ts';
import { formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import {
  type GenerationRecord,
  type GenerationRef,
  POINTER_KEY,
  type Pointer,
  parsePointer,
} from '../../store/archive/archive.ts';
import { readRecord } from '../../store/archive/archive-reads.ts';
import type { Sink } from '../sinks/sink.ts';

/** The generation that the pointer names, with the ETag under which it was read. */
export interface CurrentGeneration {
  pointer: Pointer;
  etag: string;
  record: GenerationRecord;
}

/**
 * The newest generation of the archive; undefined before the first.
 *
 * @throws ForemarkError archive_damaged when the record that the pointer names is missing or another
 */
export async function findCurrentGeneration(sink: Sink): Promise<CurrentGeneration | undefined> {
  const found = await sink.find(POINTER_KEY);
  if (!found) return undefined;
  const pointer = parsePointer(found.body);
  return { pointer, etag: found.etag, record: await readRecord(sink, pointer) };
}

/**
 * Nothing may be written for a generation that is no longer the newest.
 *
 * @throws ForemarkError publication_superseded when the pointer moved since it was read
 */
export async function checkPointer(sink: Sink, etag: string): Promise<void> {
  if ((await sink.find(POINTER_KEY))?.etag !== etag) throw superseded(sink);
}

/**
 * Does work that reads an archive from its pointer on. If something is missing and the pointer has moved, a prune removed
 * it.
 *
 * @throws ForemarkError publication_superseded in that case; run again from the new pointer
 */
export async function whileItStands<Result>(
  sink: Sink,
  etag: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (hasCode(thrown, 'archive_damaged')) await checkPointer(sink, etag);
    throw thrown;
  }
}

/**
 * Generations must be in the order of their instants, since the archive is searched by instant.
 *
 * @throws ForemarkError publication_superseded when the clock is behind the current generation
 */
export function refuseAhead(sink: Sink, { pointer }: { pointer: GenerationRef }, now: Instant): void {
  const { generation, published_at } = pointer;
  if (now >= published_at) return;
  throw new ForemarkError(
    'publication_superseded',
    `${sink.place}: generation ${generation} was published at ${formatInstant(published_at)}, after this run's clock, ` +
      `${formatInstant(now)}; if that clock was ahead, go back to a generation from before it by its number: ` +
      'publish --rollback <generation>',
  );
}

export function superseded(sink: Sink): ForemarkError {
  return new ForemarkError(
    'publication_superseded',
    `${sink.place}: another publisher moved the pointer meanwhile; run again to go on from there`,
  );
}
