import { z } from 'zod';
import { instant } from './definition-fields.ts';

/** The fields that families of indices share. */

export const bookCheck = z
  .strictObject({
    max_spread_cents: z.number().positive().max(100).default(20),
    max_quote_age_hours: z.number().positive().default(24),
  })
  .prefault({})
  .describe('Limits beyond which a book does not enter a print');

export const effectiveAt = instant
  .optional()
  .describe(
    'What changed in what is priced counts from this instant on, a day after its adoption at the earliest',
  );
