import { documentKey } from '../routes/document-key.ts';
import { listDefinitionHistory } from '../store/definitions/definitions.ts';
import type { Reader } from '../store/store.ts';

/**
 * The documents of indices and rates that only one organization may read now, by key, with the organization. A generation
 * that contains one is from before the index or rate was closed.
 */
export function closedDocuments(reader: Reader): Map<string, string> {
  const closed = new Map<string, string>();
  for (const { kind, definition } of listDefinitionHistory(reader)) {
    const key = documentKey(kind === 'index' ? '/indices/{id}' : '/rates/{id}', definition.ticker);
    if (definition.organization === undefined) closed.delete(key);
    else closed.set(key, definition.organization);
  }
  return closed;
}
