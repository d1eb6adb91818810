/** The form of a condition's id: 32 bytes, or 31 in the venue's newer protocol. */
export const CONDITION_ID = /^0x(?:[0-9a-f]{64}|[0-9a-f]{62})$/i;

const PADDED = /^(0x[0-9a-f]{62})00$/;

/**
 * The key of a condition, equal for all forms of its id: the venue's hosts write one of 31 bytes also as 32, with a zero
 * byte at the end.
 */
export function conditionKey(id: string): string {
  return id.toLowerCase().replace(PADDED, '$1');
}
