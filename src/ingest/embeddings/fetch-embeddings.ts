import { z } from 'zod';
import type { EmbeddingSettings } from '../../model/embedding.ts';
import { ForemarkError } from '../../model/errors.ts';
import { given } from '../../model/given.ts';
import type { Feed } from '../feed.ts';

const answerShape = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
});

/**
 * Fetches the vectors of some texts, in their order and all of one length; their cosines measure how similar the
 * meanings are. The endpoint must answer as OpenAI's `POST /embeddings` does: OpenAI itself, vLLM, Ollama, llama.cpp
 * and others.
 *
 * @throws ForemarkError venue_unavailable, or invalid_payload when the answer is no such list
 */
export async function fetchEmbeddings(
  { base_url, model, api_key, dimensions }: EmbeddingSettings,
  feed: Feed,
  texts: readonly string[],
): Promise<number[][]> {
  const { json } = await feed.fetch({
    url: `${base_url}/embeddings`,
    body: { model, input: texts, encoding_format: 'float', ...given({ dimensions }) },
    ...given({ bearer: api_key }),
  });
  return vectorsOf(json, texts.length, dimensions);
}

/** Servers may answer in another order than they were asked. */
function vectorsOf(json: unknown, texts: number, dimensions: number | undefined): number[][] {
  const read = answerShape.safeParse(json);
  if (!read.success) throw unreadable('is no list of embeddings');
  const vectors = new Map(read.data.data.map((each) => [each.index, each.embedding]));
  if (read.data.data.length !== texts || vectors.size !== texts || vectors.has(texts))
    throw unreadable(`must have one embedding for each of ${texts} texts, has ${vectors.size}`);
  const length = dimensions ?? vectors.get(0)?.length ?? 0;
  return Array.from({ length: texts }, (_, i) => {
    const vector = vectors.get(i) ?? [];
    if (vector.length !== length)
      throw unreadable(`must have embeddings of ${length} numbers, has one of ${vector.length}`);
    if (vector.every((value) => value === 0)) throw unreadable('has an embedding of zeros');
    return vector;
  });
}

function unreadable(what: string): ForemarkError {
  return new ForemarkError('invalid_payload', `the answer of the embeddings endpoint ${what}`);
}
