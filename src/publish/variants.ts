import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Encodings that documents can lie ready in beside their plain form, by the end of their key. */
export const VARIANTS = ['gz', 'br'] as const;
export type Variant = (typeof VARIANTS)[number];

/** Below this size a compressed form saves no packet. */
const WORTH_BYTES = 1_024;

const COMPRESS: Readonly<Record<Variant, (body: Buffer) => Buffer>> = {
  gz: (body) => gzipSync(body, { level: 6 }),
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};

/** The precompressed variants of a document; without a body where it is too small to have one. */
export function variantsOf(
  key: string,
  body: Buffer,
  variants: readonly Variant[],
): { key: string; body?: Buffer }[] {
  const worth = body.byteLength >= WORTH_BYTES && !/\.(parquet|png)$/.test(key);
  return variants.map((variant) => ({
    key: `${key}.${variant}`,
    ...(worth ? { body: COMPRESS[variant](body) } : {}),
  }));
}
