import { findPayload } from '../../src/store/payloads.ts';
import type { Reader } from '../../src/store/store.ts';

/** The raw body of an answer, by the key of its fetch; undefined when it is not stored. */
export function fetchedBody(reader: Reader, fetchId: number): Buffer | undefined {
  const digest = reader.value<Buffer>('SELECT digest FROM fetches WHERE fetch_id = ?', fetchId);
  return digest && findPayload(reader, digest);
}
