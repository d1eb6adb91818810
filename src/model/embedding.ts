import type { Config } from './config.ts';

export type EmbeddingSettings = NonNullable<Config['relations']['embeddings']>;

/** What the vectors of a model are kept under: those of two models, or of two lengths, are never compared. */
export function embeddingModel({ model, dimensions }: EmbeddingSettings): string {
  return dimensions === undefined ? model : `${model}/${dimensions}`;
}
