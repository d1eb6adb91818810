import { z } from 'zod';
import { formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { type PageFiles, PUBLICATION_KEY } from '../../routes/page-files.ts';
import type { CurrentGeneration } from '../archive/current-generation.ts';
import { metadataOf } from '../headers.ts';
import type { Sink } from '../sinks/sink.ts';
import { VARIANTS, type Variant } from './variants.ts';

const publication = z.object({
  generation: z.int(),
  sha256: z.string(),
  as_of: z.string(),
  label: z.string(),
  documents: z.int(),
  /** The precompressed forms beside documents. */
  variants: z.array(z.enum(VARIANTS)).default([]),
});
/** What the live tree contains. */
export type Publication = z.output<typeof publication>;

/** The generation that the live tree contains completely; undefined when that is not known. */
export async function findPublication(sink: Sink): Promise<Publication | undefined> {
  const body = await sink.read(PUBLICATION_KEY);
  if (!body) return undefined;
  try {
    return publication.parse(JSON.parse(body.toString()));
  } catch {
    // Unreadable: the tree is then checked document by document.
    return undefined;
  }
}

/** Records that the live tree contains a whole generation, once its last document is in place. */
export async function writePublication(
  { pointer, record }: CurrentGeneration,
  { sink, now, variants }: { sink: Sink; now: Instant; variants: readonly Variant[] },
): Promise<void> {
  const { as_of, label, documents } = record;
  const said: PageFiles[typeof PUBLICATION_KEY] = {
    generation: pointer.generation,
    sha256: pointer.sha256,
    as_of: formatInstant(as_of),
    checked_at: formatInstant(now),
    label,
    documents,
    ...(variants.length > 0 ? { variants } : {}),
  };
  const body = Buffer.from(`${JSON.stringify(said)}\n`);
  await sink.write(PUBLICATION_KEY, body, { metadata: metadataOf(PUBLICATION_KEY), barrier: true });
}
