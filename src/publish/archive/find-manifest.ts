import type { z } from 'zod';
import type { ObjectReader } from '../../store/archive/archive.ts';
import { findDocumentAt } from '../../store/archive/archive-reads.ts';

/**
 * A manifest of the newest generation, by which a publish knows what it need not make again; undefined before the first.
 *
 * @throws ForemarkError archive_damaged
 */
export async function findManifest<Shape extends z.ZodType>(
  archive: ObjectReader,
  key: string,
  shape: Shape,
): Promise<z.output<Shape> | undefined> {
  const found = await findDocumentAt(archive, key, Number.POSITIVE_INFINITY);
  return found && shape.parse(JSON.parse(found.body.toString()));
}
