/** A body that exceeds a limit of its size. */
export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong';
}

/**
 * The body of a response as bytes, counted after decompression: `fetch` decompresses without a limit, and
 * `content-length` counts only the compressed bytes.
 *
 * @param limit bytes; reading stops at the first chunk beyond it
 * @throws BodyTooLong, or whatever the connection threw
 */
export async function readBody(response: Response, limit: number): Promise<Buffer> {
  if (response.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop by a throw cancels the stream.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new BodyTooLong(`answer is longer than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
