import { pricedConstituents } from '../../model/definitions/definition.ts';
import { FIRST_SEATS, type Seat } from '../../model/definitions/seats.ts';
import type { TeamIndexDefinition, TeamMember } from '../../model/definitions/team-index-definition.ts';
import type { ReceiptLine } from '../../model/print.ts';
import { definedInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { fitLadder, wrappingPair } from '../win-totals.ts';
import type { IndexInput } from './index-input.ts';
import { type Reading, readMember } from './member-readings.ts';

/** Which constituents may fill the seats of a team index at an instant, and their readings. */
export interface SeatPlan {
  /** The seat of a constituent; undefined while it is not eligible. */
  seatOf(id: string): Seat | undefined;
  /** The seat that a leaving constituent had: the one in the definition, whether it is still eligible or not. */
  leftSeatOf(id: string): Seat | undefined;
  /** The reading of a constituent; win totals are read from the monotone ladder. */
  read(id: string): Reading;
  /** The members of the seats that hold all their members, by seat and id, in the order of admission. */
  members: string[];
  /** The win-total lines to hold, given those held now; undefined if these stay. */
  pair(held: readonly ReceiptLine[]): string[] | undefined;
  /** The next game that has a price. */
  nextGame(): string | undefined;
}

/** The plan of one instant. */
export function planSeats(input: IndexInput<TeamIndexDefinition>): SeatPlan {
  const { definition, at } = input;
  const named = pricedConstituents(definition);
  const eligible = named.filter((each) => isActive(each, at));
  const seats = new Map(eligible.map((each) => [each.market_id, each.seat]));
  const readings = new Map(eligible.map((each) => [each.market_id, readMember(input, each.market_id)]));
  const ladder = eligible
    .filter((each) => each.seat === 'wins')
    .map((each) => ({ id: each.market_id, line: each.line ?? 0 }))
    .sort((a, b) => a.line - b.line);
  const points = fitReadings(ladder, readings);
  const read = (id: string) => readings.get(id) ?? readMember(input, id);
  return {
    seatOf: (id) => seats.get(id),
    leftSeatOf: (id) => named.find((each) => each.market_id === id)?.seat,
    read,
    members: FIRST_SEATS.flatMap((seat) => [...seats.keys()].filter((id) => seats.get(id) === seat).sort()),
    pair(held) {
      // A line that cannot be read never changes the pair, neither as a member nor as one in between.
      if (held.some((line) => line.state !== 'included')) return undefined;
      const pair = wrappingPair(points);
      const [low, high] = [pair[0], pair.at(-1)];
      if (!low || !high) return undefined;
      const between = ladder.some(
        ({ id, line }) => line > low.line && line < high.line && read(id).kind === 'failed',
      );
      return between && held.length > 0 ? undefined : pair.map((point) => point.id);
    },
    nextGame: () =>
      eligible.find((each) => each.seat === 'next_game' && read(each.market_id).kind === 'good')?.market_id,
  };
}

/** Makes the lines with a good mark monotone, and puts the fitted prices into their readings. */
function fitReadings(ladder: readonly { id: string; line: number }[], readings: Map<string, Reading>) {
  const points = ladder.flatMap(({ id, line }) => {
    const reading = readings.get(id);
    return reading?.kind === 'good' ? [{ id, line, price: reading.price, reading }] : [];
  });
  const fitted = fitLadder(points);
  for (const { id, price, reading } of fitted) readings.set(id, { ...reading, price });
  return fitted;
}

/** Whether a member is eligible: from active_from on, until active_until. */
function isActive({ active_from, active_until }: TeamMember, at: Instant): boolean {
  const from = active_from === undefined ? Number.NEGATIVE_INFINITY : definedInstant(active_from);
  const until = active_until === undefined ? Number.POSITIVE_INFINITY : definedInstant(active_until);
  return from <= at && at < until;
}
