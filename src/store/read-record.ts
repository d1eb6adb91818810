import { z } from 'zod';
import { ForemarkError, messageOf } from '../model/errors.ts';
import { DAMAGED } from './store-errors.ts';

/**
 * A record that the store keeps in a form of its own, as read from it.
 *
 * @param nameOf what it describes, such as `the ledger of SENATE-R`
 * @throws ForemarkError store_unusable when it is not as it was stored, which nothing else notices
 */
export function readRecord<Read>(read: () => Read, nameOf: () => string): Read {
  try {
    return read();
  } catch (thrown) {
    throw new ForemarkError('store_unusable', `${nameOf()} cannot be read: ${DAMAGED}`, {
      detail: messageOf(thrown),
      cause: thrown,
    });
  }
}

/** A record that the store keeps as JSON; see {@link readRecord}. @param shape what it has at least */
export function parseRecord<Parsed>(text: string, name: string, shape: z.ZodType): Parsed {
  return readRecord(
    () => {
      const parsed = JSON.parse(text);
      shape.parse(parsed);
      return parsed as Parsed;
    },
    () => name,
  );
}

const TEXTS = z.array(z.string());

/** A list of texts that the store keeps as JSON; see {@link readRecord}. */
export function parseTexts(text: string, name: string): string[] {
  return parseRecord(text, name, TEXTS);
}
