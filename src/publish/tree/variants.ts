import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';

/** Precompressed forms of documents, by the ending of their keys. */
export const VARIANTS = ['gz', 'br'] as const;
export type Variant = (typeof VARIANTS)[number];

/** Below this size a compressed form saves no packet. */
const WORTH_BYTES = 1_024;

const COMPRESS: Readonly<Record<Variant, (body: Buffer) => Buffer>> = {
  gz: (body) => gzipSync(body, { level: 6 }),
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};

const UNPACK: Readonly<Record<Variant, (packed: Buffer) => Buffer>> = {
  gz: (packed) => gunzipSync(packed),
  br: (packed) => brotliDecompressSync(packed),
};

/** The content of a precompressed variant; undefined if it is damaged. */
export function unpack(variant: Variant, packed: Buffer): Buffer | undefined {
  try {
    return UNPACK[variant](packed);
  } catch {
    return undefined;
  }
}

/** The key of the document that a key of the live tree belongs to, without the ending of a variant. */
export function documentOf(key: string): string {
  return key.replace(/\.(gz|br)$/, '');
}

/** The key of a document, and those of its precompressed variants. */
export function formsOf(document: string, variants: readonly Variant[]): string[] {
  return [document, ...variants.map((variant) => `${document}.${variant}`)];
}

/** Whether a document has precompressed variants: not if it is small, or already compressed. */
export function hasVariants(key: string, body: Buffer): boolean {
  return body.byteLength >= WORTH_BYTES && !/\.(parquet|png)$/.test(key);
}

/** The precompressed variants of a document; without bodies if it has none. */
export function variantsOf(
  key: string,
  body: Buffer,
  variants: readonly Variant[],
): { key: string; body?: Buffer }[] {
  const worth = hasVariants(key, body);
  return variants.map((variant) => ({
    key: `${key}.${variant}`,
    ...(worth ? { body: COMPRESS[variant](body) } : {}),
  }));
}
