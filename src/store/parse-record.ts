import { ForemarkError, messageOf } from '../model/errors.ts';
import { DAMAGED } from './store-errors.ts';

/**
 * A record that the store keeps as JSON.
 *
 * @param name of what it describes, such as `the ledger of SENATE-R`
 * @throws ForemarkError store_unusable when the text is not as it was stored, which nothing else notices
 */
export function parseRecord<Parsed>(text: string, name: string): Parsed {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new ForemarkError('store_unusable', `${name} cannot be read: ${DAMAGED}`, {
      detail: messageOf(thrown),
      cause: thrown,
    });
  }
}
