import type { GenerationRecord, GenerationRef, ObjectReader, Pointer } from '../store/archive.ts';
import { findRecord } from '../store/archive-reads.ts';

/**
 * The generations from one back to the oldest that is kept, newest first. One whose record is missing is told
 * without it, and ends the walk.
 */
export async function* eachGeneration(
  archive: ObjectReader,
  pointer: Pointer,
): AsyncGenerator<{ ref: GenerationRef; record: GenerationRecord | undefined }> {
  let ref: GenerationRef | undefined = pointer;
  while (ref && ref.generation >= pointer.oldest) {
    const record: GenerationRecord | undefined = await findRecord(archive, ref);
    yield { ref, record };
    ref = record?.parent;
  }
}
