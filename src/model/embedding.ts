import type { Config } from './config.ts';

export type EmbeddingSettings = NonNullable<Config['relations']['embeddings']>;

/** The name under which vectors are stored. Vectors of different models or lengths are never compared. */
export function embeddingModel({ model, dimensions }: EmbeddingSettings): string {
  return dimensions === undefined ? model : `${model}/${dimensions}`;
}
