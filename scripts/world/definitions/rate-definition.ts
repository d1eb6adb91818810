import type { z } from 'zod';
import type { rateDefinition } from '../../../src/model/definitions/rate-definition.ts';

/** A reference rate as its definition file writes it, keys in the order of the file. */
export type RateDefinition = z.input<typeof rateDefinition> & { $schema: string };

/** Start of the demo's rates unless their contracts are listed later. */
export const START = '2026-07-06T00:00:00Z';

/** The first fields of every rate definition of the simulated world. */
export function heading(ticker: string, name: string, description: string) {
  return {
    $schema: '../../schemas/rate-definition.schema.json',
    ticker,
    name: `${name} (simulated)`,
    description,
  };
}

/** The fields about prints that all definitions of the simulated world share. */
export const HOURLY = { visibility: 'public', start_at: START, interval_minutes: 60 } as const;
