import { formatInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import type { CurrentGeneration } from './archive/current-generation.ts';
import type { DigestChange } from './archive/digest-change.ts';
import type { Comparison } from './comparison.ts';
import type { Usage } from './metered-sink.ts';
import type { Sink } from './sinks/sink.ts';
import type { Variant } from './tree/variants.ts';

/** The result of a publish, or of a dry run. */
export interface PublishReport {
  generation: number;
  documents: number;
  /** Documents whose bytes changed. */
  written: number;
  removed: number;
  /** Bytes of the documents that changed. */
  bytes_written: number;
  /** Documents that changed although none of their rows was marked as touched; absent if there are none. */
  overlooked?: readonly string[];
  /**
   * The instants of the current generation and of what this store published last, if the store is behind: restored from a
   * backup, say.
   */
  behind?: { stood: string; published: string };
  /** An earlier publish had left the tree unfinished, or in other encodings. */
  finished_before: boolean;
  /** The requests that were made to the sink, or would be made. */
  usage: Usage;
  place: string;
}

/** How many documents there are, and how many changed. */
export function countsOf({ digests, bytesWritten, unexpected }: Comparison, { write, remove }: DigestChange) {
  return {
    documents: digests.size,
    written: write.size,
    removed: remove.length,
    bytes_written: bytesWritten,
    ...(unexpected.length > 0 ? { overlooked: unexpected } : {}),
  };
}

/** Whether the store is behind the current generation. @param published the instant of what it published last, if so */
export function behindOf(
  current: CurrentGeneration | undefined,
  published: Instant | undefined,
): Pick<PublishReport, 'behind'> {
  if (!current || published === undefined) return {};
  return { behind: { stood: formatInstant(current.record.as_of), published: formatInstant(published) } };
}

/**
 * Estimates what a generation would write: each body to the archive and to the tree, unless the tree can link to it. The
 * sizes of precompressed forms are not known before they are made.
 *
 * @param lists the requests and bytes of its shards
 */
export function wouldWrite(
  sink: Sink,
  { fresh, worthPacking, bytesWritten }: Comparison,
  lists: Pick<Usage, 'writes' | 'bytes_written'>,
  { documents, variants }: { documents: number; variants: readonly Variant[] },
): Pick<Usage, 'writes' | 'bytes_written'> {
  const forms = documents + worthPacking * variants.length;
  const copies = sink.link && variants.length === 0 ? 1 : 2;
  return {
    // 3 for the record, the pointer and publication.json.
    writes: fresh.size + lists.writes + forms + 3,
    bytes_written: lists.bytes_written + bytesWritten * copies,
  };
}
