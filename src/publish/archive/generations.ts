import {
  GENERATIONS,
  type GenerationRecord,
  type GenerationRef,
  OBJECTS,
  type ObjectReader,
  type Pointer,
  SHARDS,
} from '../../store/archive/archive.ts';
import { readRecord } from '../../store/archive/archive-reads.ts';
import type { Sink } from '../sinks/sink.ts';

/**
 * The generations from one back to the oldest that is kept, newest first.
 *
 * @throws ForemarkError archive_damaged when the record of one is missing, or not what its digest says
 */
export async function* eachGeneration(
  archive: ObjectReader,
  pointer: Pointer,
): AsyncGenerator<{ ref: GenerationRef; record: GenerationRecord }> {
  let ref: GenerationRef | undefined = pointer;
  while (ref && ref.generation >= pointer.oldest) {
    const record: GenerationRecord = await readRecord(archive, ref);
    yield { ref, record };
    ref = record.parent;
  }
}

/** All keys of an archive but its pointer, also those that no generation names. */
export async function* eachArchiveKey(sink: Sink): AsyncGenerator<string> {
  for (const prefix of [OBJECTS, SHARDS, GENERATIONS]) yield* sink.list(prefix);
}
