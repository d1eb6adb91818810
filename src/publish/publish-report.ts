import { formatInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import type { CurrentGeneration } from './archive/current-generation.ts';
import type { DigestChange } from './archive/digest-change.ts';
import type { Comparison } from './comparison.ts';
import type { Usage } from './metered-sink.ts';
import type { Sink } from './sinks/sink.ts';
import type { Variant } from './tree/variants.ts';

/** How a publish went, or would go. */
export interface PublishReport {
  generation: number;
  documents: number;
  /** Documents whose bytes changed. */
  written: number;
  removed: number;
  /** Of the documents that changed. */
  bytes_written: number;
  /** Documents that changed although no row of theirs was told to have; absent where there is none. */
  overlooked?: readonly string[];
  /**
   * The instants of the generation that stood and of what this store published last, where the store is behind: it was
   * put back from a copy, say.
   */
  behind?: { stood: string; published: string };
  /** A publish before had left the tree unfinished, or in other encodings. */
  finished_before: boolean;
  /** What was asked of the sink, or would be. */
  usage: Usage;
  place: string;
}

/** How many documents there are, and what of them changed. */
export function countsOf({ digests, bytesWritten, unexpected }: Comparison, { write, remove }: DigestChange) {
  return {
    documents: digests.size,
    written: write.size,
    removed: remove.length,
    bytes_written: bytesWritten,
    ...(unexpected.length > 0 ? { overlooked: unexpected } : {}),
  };
}

/** That the store is behind what stands, where it is. @param published the instant of what it published last then */
export function behindOf(
  current: CurrentGeneration | undefined,
  published: Instant | undefined,
): Pick<PublishReport, 'behind'> {
  if (!current || published === undefined) return {};
  return { behind: { stood: formatInstant(current.record.as_of), published: formatInstant(published) } };
}

/**
 * What a generation would write: each body to the archive and to the tree, which may take it from there. How long
 * precompressed forms are is not known before they are made.
 *
 * @param lists what its lists of keys take
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
    // Those, and the record, the pointer and what says which generation the tree holds.
    writes: fresh.size + lists.writes + forms + 3,
    bytes_written: lists.bytes_written + bytesWritten * copies,
  };
}
