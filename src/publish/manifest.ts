import { z } from 'zod';
import { ForemarkError } from '../model/errors.ts';
import type { Sink } from './sinks/sink.ts';

const MANIFEST = 'manifest.json';
/** Stands while a publish is under way: a manifest beside it does not speak for the documents. */
const UNFINISHED = 'publishing.json';

const manifest = z.object({
  generation: z.int(),
  as_of: z.string(),
  label: z.string(),
  documents: z.record(z.string(), z.object({ sha256: z.string(), bytes: z.int() })),
});

/** What a publication holds: each document's key with its digest and length. */
export type Manifest = z.output<typeof manifest>;

/**
 * The manifest of the publication as it stands, or undefined before the first.
 *
 * @throws ForemarkError store_unusable when there is one that cannot be read
 */
export async function readManifest(sink: Sink): Promise<Manifest | undefined> {
  const bytes = await sink.read(MANIFEST);
  if (!bytes) return undefined;
  try {
    return manifest.parse(JSON.parse(bytes.toString()));
  } catch (cause) {
    const message = `${MANIFEST} in ${sink.place} is not a manifest; take it away to publish everything anew`;
    throw new ForemarkError('store_unusable', message, { cause });
  }
}

/**
 * Whether the publish before was cut off, so that documents may differ from what the manifest says. One that
 * ended right after it wrote its manifest has only left its mark behind.
 */
export async function wasCutOff(sink: Sink, before: Manifest | undefined): Promise<boolean> {
  const mark = await sink.read(UNFINISHED);
  return mark !== undefined && !(before && mark.equals(markOf(before.generation)));
}

function markOf(generation: number): Buffer {
  return Buffer.from(JSON.stringify({ generation }));
}

/** Notes that documents are about to change. */
export async function beginPublish(sink: Sink, generation: number): Promise<void> {
  await sink.write(UNFINISHED, markOf(generation));
}

/** Writes the manifest, last of all. */
export async function endPublish(sink: Sink, written: Manifest): Promise<void> {
  await sink.write(MANIFEST, Buffer.from(`${JSON.stringify(written)}\n`));
  await sink.remove(UNFINISHED);
}
