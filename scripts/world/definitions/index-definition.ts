/** A constituent as its definition writes it. */
export interface ConstituentDefinition {
  market_id: string;
  weight?: number;
  groups?: Record<string, string>;
  status?: 'included' | 'staged';
}

/** An index as its definition file writes it, keys in the order of the file. */
export interface IndexDefinition {
  $schema: string;
  ticker: string;
  name: string;
  description: string;
  methodology: 'basket' | 'gauge';
  quote_convention: 'points' | 'probability' | 'centred';
  visibility: 'public' | 'organization';
  organization?: string;
  base_at: string;
  base_level?: number;
  interval_minutes: number;
  weighting: { scheme: 'fixed' | 'equal'; by?: 'value' | 'quantity' };
  group_by?: string;
  book_check?: { max_spread_cents: number; max_quote_age_hours: number };
  constituents: ConstituentDefinition[];
}

/** First print of the demo's indices. */
export const BASE = '2026-07-06T00:00:00Z';

/** The heading of an index. */
export type Head = Pick<IndexDefinition, 'ticker' | 'name' | 'description'>;

/** A basket in points from 1000: weights are fixed where its constituents carry them, else equal. */
export function basket(
  head: Head,
  constituents: ConstituentDefinition[],
  by: 'value' | 'quantity',
): IndexDefinition {
  return {
    ...heading(head, { methodology: 'basket', quote_convention: 'points' }),
    base_level: 1000,
    interval_minutes: 60,
    weighting: { scheme: schemeOf(constituents), by },
    constituents,
  };
}

/** A gauge of its constituents' chances; weights as for a basket. */
export function gauge(
  head: Head,
  constituents: ConstituentDefinition[],
  quote_convention: 'probability' | 'centred' = 'probability',
): IndexDefinition {
  return {
    ...heading(head, { methodology: 'gauge', quote_convention }),
    interval_minutes: 60,
    weighting: { scheme: schemeOf(constituents) },
    constituents,
  };
}

/** The first fields of a file. */
function heading(head: Head, family: Pick<IndexDefinition, 'methodology' | 'quote_convention'>) {
  return {
    $schema: '../../schemas/index-definition.schema.json',
    ticker: head.ticker,
    name: `${head.name} (simulated)`,
    description: head.description,
    ...family,
    visibility: 'public' as const,
    base_at: BASE,
  };
}

function schemeOf(constituents: readonly ConstituentDefinition[]): 'fixed' | 'equal' {
  return constituents.some(({ weight }) => weight !== undefined) ? 'fixed' : 'equal';
}

/** Sets keys of a definition, keeping the order of the file. */
export function withKeys(definition: IndexDefinition, keys: Partial<IndexDefinition>): IndexDefinition {
  const { weighting, constituents, ...head } = definition;
  const { group_by, book_check, ...rest } = keys;
  return {
    ...head,
    ...rest,
    weighting,
    ...(group_by === undefined ? {} : { group_by }),
    ...(book_check === undefined ? {} : { book_check }),
    constituents,
  };
}
