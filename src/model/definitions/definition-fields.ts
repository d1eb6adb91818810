import { z } from 'zod';
import { PLATFORMS } from '../platform.ts';
import { dividesDay, parseInstant } from '../time.ts';

/** The fields that index and rate definitions share. */

/** A problem of a definition: the path in it, and what is expected there. */
export interface Problem {
  path: (string | number)[];
  message: string;
}

/** A problem of one of several definitions, by its ticker. The message is meant to follow the ticker. */
export interface TickerProblem extends Problem {
  ticker: string;
}

export const ticker = z
  .string()
  .regex(
    /^[A-Z0-9][A-Z0-9.-]{0,63}$/,
    'must be 1 to 64 of A-Z, 0-9, dot and hyphen, and start with a letter or digit',
  )
  .describe('Ticker, unique among indices or among rates');

export const marketId = z
  .string()
  .regex(new RegExp(`^(${PLATFORMS.join('|')}):\\S+$`), `must be <${PLATFORMS.join('|')}>:<native id>`)
  .max(2000)
  .describe('Market: <platform>:<native id>, for venue B US venue_b:us:<slug>');

export const instant = z
  .string()
  .refine((text) => parseInstant(text) !== undefined, 'must be an instant such as 2026-07-06T00:00:00Z')
  .describe('Instant, RFC 3339');

/** No venue has prices from before; the grid of a mistyped year would have more instants than fit into memory. */
const EARLIEST = Date.parse('2000-01-01T00:00:00Z');

export const firstPrint = instant
  .refine((text) => (parseInstant(text) ?? EARLIEST) >= EARLIEST, 'must be in 2000 or later')
  .describe('Instant of the first print');

/** A weight or a level; limited so that sums and ratios of them are numbers and keep enough digits. */
export const amount = z.number().min(1e-15).max(1e15);

export const intervalMinutes = z
  .int()
  .min(1)
  .max(1440)
  .refine(dividesDay, 'must divide a day of 1440 minutes')
  .describe('Minutes between prints');

export const visibility = z
  .enum(['public', 'organization'])
  .describe('Who may read it: everybody, or the keys of one organization');

export const organization = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('Whose keys may read it; with visibility organization');

/** The fields with which every definition describes itself. */
export const heading = {
  $schema: z.string().optional(),
  ticker,
  name: z
    .string()
    .min(1)
    .max(200)
    .refine((name) => !/[\t\n\r]/.test(name), 'must be on one line, without tabs')
    .describe('Display name'),
  description: z.string().max(4000).optional().describe('What it is, in a few sentences'),
  visibility,
  organization,
  interval_minutes: intervalMinutes,
};

/** A problem if an organization is missing, or named although everybody may read the definition. */
export function organizationProblems(definition: {
  visibility: string;
  organization?: string | undefined;
}): Problem[] {
  if ((definition.visibility === 'organization') === (definition.organization !== undefined)) return [];
  const message = 'must be given when visibility is organization, and only then';
  return [{ path: ['organization'], message }];
}

/** A problem if a field names a market twice. */
export function repeatedProblems(field: string, named: readonly { market_id: string }[]): Problem[] {
  const before = new Set<string>();
  const twice = named.find(({ market_id }) => before.size === before.add(market_id).size);
  return twice ? [{ path: [field], message: `names ${twice.market_id} twice` }] : [];
}

/** Adds problems to those that a schema has found by itself. */
export function addProblems(context: z.RefinementCtx, problems: readonly Problem[]): void {
  for (const { path, message } of problems) context.addIssue({ code: 'custom', path, message });
}
