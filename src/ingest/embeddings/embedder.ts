import type { Feed } from '../feed.ts';

/** Gives texts vectors whose cosines say how alike their meanings are. */
export interface Embedder {
  /** Texts of one request. */
  readonly batch: number;
  /**
   * The vectors of some texts, in their order and all of one length.
   *
   * @param feed asks, and counts what that costs
   * @throws ForemarkError venue_unavailable, or invalid_payload when what is answered is no such list
   */
  embed(texts: readonly string[], feed: Pick<Feed, 'fetch'>): Promise<Float32Array[]>;
}
