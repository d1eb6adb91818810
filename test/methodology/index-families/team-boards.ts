import type { ContractView } from '../../../src/methodology/contract-views.ts';
import { calculateIndex } from '../../../src/methodology/index-families/index-families.ts';
import type { IndexCalculation } from '../../../src/methodology/index-families/index-family.ts';
import type { FindLevel, FindPrinted } from '../../../src/methodology/index-families/index-input.ts';
import { type IndexDefinition, indexDefinition } from '../../../src/model/definitions/index-definition.ts';
import type { IndexStanding, ReceiptLine } from '../../../src/model/print.ts';
import { HOUR_MS } from '../../../src/model/time.ts';
import type { Instant } from '../../../src/model/units.ts';
import { index, START } from '../../helpers/hand-definitions.ts';
import { NO_OTHERS } from '../contracts.ts';

/** What each contract of a team shows at one instant, by name: its mid, 'one side', or what it pays. */
export type Board = Record<string, number | 'one side' | { pays: number }>;

/** The instant of the i-th board. */
export const instantOf = (i: number): Instant => START + i * HOUR_MS;
export const textOf = (i: number): string => new Date(instantOf(i)).toISOString();

/** Win-total lines of the team; names are w and the line. */
export const LINES = [40, 45, 50, 55];

export type Members = { name: string; seat: string; line?: number; [field: string]: unknown }[];

export const SEASON: Members = [
  { name: 'c', seat: 'championship' },
  { name: 'f', seat: 'conference' },
  { name: 'd', seat: 'division' },
  ...LINES.map((line) => ({ name: `w${line}`, seat: 'wins', line })),
];

/** A team index over the season's contracts, or over other members. */
export function team(members: Members = SEASON, more: object = {}): IndexDefinition {
  const constituents = members.map(({ name, ...rest }) => ({ market_id: `venue_a:${name}`, ...rest }));
  return indexDefinition.parse(index('TEAM.26', 'nti', { constituents, ...more }));
}

function viewOf(seen: Board[string], at: Instant): ContractView {
  if (typeof seen === 'object') return { status: 'settled', paid: { payout: seen.pays, at } };
  const book =
    seen === 'one side' ? { bid: 0.01, observed_at: at } : { bid: seen, ask: seen, observed_at: at };
  return { status: 'active', book, observed_at: at };
}

/** One calculation, with the held lines by name. */
export interface Worked extends IndexCalculation {
  level: number;
  held: Map<string, ReceiptLine>;
  /** Value of the names of a seat. */
  value(...names: string[]): number;
}

export interface Lookups {
  printed?: FindPrinted;
  lastPositiveLevel?: FindLevel;
}

/** Calculates a team index at each board, an hour apart, going on from one to the next. */
export function work(
  definition: IndexDefinition | ((i: number) => IndexDefinition),
  boards: readonly Board[],
  lookups: Lookups = {},
): Worked[] {
  let before: IndexStanding | undefined;
  return boards.map((board, i) => {
    const at = instantOf(i);
    const calculation = calculateIndex({
      definition: typeof definition === 'function' ? definition(i) : definition,
      at,
      reconstitute: false,
      view: (id) => {
        const seen = board[id.replace('venue_a:', '')];
        return seen === undefined ? undefined : viewOf(seen, at);
      },
      ...NO_OTHERS,
      ...lookups,
      ...(before ? { before } : {}),
    });
    before = calculation.standing ?? before;
    const lines = calculation.print?.lines ?? before?.lines ?? [];
    const held = new Map(lines.map((line) => [line.market_id.replace('venue_a:', ''), line]));
    const value = (...names: string[]) =>
      names.reduce((sum, name) => sum + (held.get(name)?.quantity ?? 0) * (held.get(name)?.price ?? 0), 0);
    return { ...calculation, level: calculation.print?.level ?? Number.NaN, held, value };
  });
}
