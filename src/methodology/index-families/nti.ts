import { pricedConstituents } from '../../model/definitions/definition.ts';
import type { Seat } from '../../model/definitions/seats.ts';
import { OPENING_LEVEL, type TeamIndexDefinition } from '../../model/definitions/team-index-definition.ts';
import type { IndexStanding, ReceiptLine } from '../../model/print.ts';
import { DAY_MS, definedInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { closeCalculation, openCalculation } from './held-calculation.ts';
import type { FamilyCalculation, IndexFamily } from './index-family.ts';
import type { IndexInput } from './index-input.ts';
import { basketValue, Ledger } from './ledger.ts';
import { depart, enter, LAST_STEPS, leavingLines, mark, pointsByQuantity } from './line-marks.ts';
import { planSeats, type SeatPlan } from './nti-members.ts';
import { admitToSeat, fillSeats, park, refill, release } from './nti-steps.ts';
import { hasIncluded } from './published-lines.ts';

/**
 * A team index holds a team's contracts in four seats: championship, conference, division, and win totals or the next
 * game. Seats have equal value at the opening and at a reconstitution; in between quantities stay, and no change of
 * members moves the level. A live series starts again at the opening level at a reconstitution.
 *
 * @see Spec 2.4.2
 */
export const nti: IndexFamily<TeamIndexDefinition> = {
  version: 'nti-1.4',
  open: (input) => open(input, openingLevel(input)),
  advance(input, before) {
    const { definition, at } = input;
    if (nextReconstitution(definition, before.constituted_at ?? 0) > at) return advance(input, before, false);
    if (definition.series === 'historical') return advance(input, before, true);
    const anew = open(input, OPENING_LEVEL);
    return anew.standing ? anew : advance(input, before, false);
  },
  definedShares(definition) {
    const members = pricedConstituents(definition);
    const seats = new Set(members.map((each) => each.seat)).size;
    return members.map(({ seat }) => 1 / seats / members.filter((each) => each.seat === seat).length);
  },
  schedule: (definition) => ({
    event: 'Reconstitution',
    body:
      definition.series === 'live'
        ? `The seats of ${definition.name} are made equal, and the series starts anew at ${OPENING_LEVEL}.`
        : `The seats of ${definition.name} are made equal at the level that it has.`,
    next: (after) => nextReconstitution(definition, after),
  }),
  opensFrom,
  pointsPerMark: pointsByQuantity,
};

type Input = IndexInput<TeamIndexDefinition>;

/** A ticker without a dot may open at the level of its .K index. */
function opensFrom({ ticker }: TeamIndexDefinition): string | undefined {
  return ticker.includes('.') ? undefined : `${ticker}.K`;
}

/**
 * The level of the first print: the latest level above 0 of the index that it opens from in the seven days up to it, both
 * ends included; if there is none it is 1000.
 *
 * @see Spec 2.4.2(4)
 */
function openingLevel({ definition, at, lastPositiveLevel }: Input): number {
  const from = opensFrom(definition);
  const level = from === undefined ? undefined : lastPositiveLevel(from, at - 7 * DAY_MS, at);
  return level ?? OPENING_LEVEL;
}

/** The first reconstitution of a definition's calendar after an instant; Infinity if there is none. */
function nextReconstitution({ reconstitutes_at }: TeamIndexDefinition, after: Instant): Instant {
  return reconstitutes_at.map(definedInstant).find((at) => after < at) ?? Number.POSITIVE_INFINITY;
}

/** The first print of a series, or of a new season of a live series. */
function open(input: Input, level: number): FamilyCalculation {
  const plan = planSeats(input);
  const filled = fillSeats(linesToHold(plan, []), plan.seatOf, level);
  if (!filled) return { steps: [] };
  return openCalculation(input.at, { ...filled, level, divisor: 1, constituted_at: input.at });
}

/** A later calculation: the level from the previous quantities, then the steps that are due. */
function advance(input: Input, before: IndexStanding, reconstitute: boolean): FamilyCalculation {
  const { at } = input;
  const plan = planSeats(input);
  const marked = before.lines.map((line) => mark(line, plan.read(line.market_id)));
  const level = basketValue(marked) + before.cash;
  const ledger = new Ledger(at, { ...before, lines: marked, level });
  const paid: ReceiptLine[] = [];
  for (const reason of LAST_STEPS) {
    const leaving = leavingLines(heldLines(ledger), reason);
    if (leaving.length > 0) ledger.step(reason, leaving, release(ledger.standing, leaving, plan.leftSeatOf));
    paid.push(...leaving);
  }
  drop(ledger, (line) => line.state === 'settled');
  const held = heldLines(ledger);
  // A series at 0 has ended: nothing can be bought with it.
  if (ledger.standing.level > 0 && !(reconstitute && makeEqual(ledger, plan, at))) {
    const departing = held.filter((line) => plan.seatOf(line.market_id) === undefined);
    if (departing.length > 0)
      ledger.step('departure', departing, release(ledger.standing, departing, plan.leftSeatOf));
    drop(ledger, (line) => plan.seatOf(line.market_id) === undefined);
    changePair(ledger, plan);
    admitMembers(ledger, plan);
  }
  const stays = new Set(ledger.standing.lines.map((line) => line.market_id));
  const departed = held.filter((line) => !stays.has(line.market_id)).map(depart);
  return closeCalculation(input, before, ledger, [...paid, ...departed]);
}

/**
 * Reconstitutes a historical series: seats and members become equal again, at the present level.
 *
 * @returns whether it was done: it waits while no constituent is included, since there would be no print
 */
function makeEqual(ledger: Ledger, plan: SeatPlan, at: number): boolean {
  const { standing } = ledger;
  const filled = fillSeats(linesToHold(plan, standing.lines), plan.seatOf, standing.level);
  if (!filled || !hasIncluded(filled.lines)) return false;
  const held = filled.lines.filter((line) => line.quantity > 0);
  ledger.step('reconstitution', held, { ...standing, ...filled, constituted_at: at });
  return true;
}

/**
 * The lines to hold after a reconstitution: every member of the seats, the pair of win totals, and the game held or
 * else the next one.
 */
function linesToHold(plan: SeatPlan, known: readonly ReceiptLine[]): ReceiptLine[] {
  const heldIn = (seat: Seat) =>
    known.filter((line) => plan.seatOf(line.market_id) === seat && line.quantity > 0);
  const wins = heldIn('wins');
  const pair = plan.pair(wins) ?? wins.map((line) => line.market_id);
  const game = heldIn('next_game')[0]?.market_id ?? plan.nextGame();
  const ids = [...plan.members, ...pair, game ?? []].flat();
  const lines = new Map(known.map((line) => [line.market_id, line]));
  return ids
    .filter((id) => plan.read(id).kind !== 'settled')
    .map((id) => lines.get(id) ?? enter(id, plan.read(id)));
}

/** Updates the wins seat to the wrapping pair: leaving lines make room for entering ones, at present marks. */
function changePair(ledger: Ledger, plan: SeatPlan): void {
  const held = heldLines(ledger).filter((line) => plan.seatOf(line.market_id) === 'wins');
  const pair = plan.pair(held);
  if (!pair || held.length === 0) return;
  const leaving = held.filter((line) => !pair.includes(line.market_id));
  const entering = pair
    .filter((id) => held.every((line) => line.market_id !== id))
    .map((id) => enter(id, plan.read(id)));
  // Without an entering line none leaves: every held line that can be read is in the ladder.
  if (entering.length === 0) return;
  if (leaving.length > 0) ledger.step('departure', leaving, park(ledger.standing, leaving));
  const members = [...held.filter((line) => pair.includes(line.market_id)), ...entering];
  ledger.step('admission', entering, refill(ledger.standing, members, plan.seatOf));
}

/** Admits the constituents that have their first good mark, and fills the wins and next-game seats if empty. */
function admitMembers(ledger: Ledger, plan: SeatPlan): void {
  const isHeld = (seat: string) =>
    ledger.standing.lines.some((line) => line.quantity > 0 && plan.seatOf(line.market_id) === seat);
  const groups = plan.members.map((id) => [id]);
  if (!isHeld('wins')) groups.push(plan.pair([]) ?? []);
  const game = isHeld('next_game') ? undefined : plan.nextGame();
  if (game !== undefined) groups.push([game]);
  for (const ids of groups) {
    for (const id of ids) {
      const known = ledger.standing.lines.some((line) => line.market_id === id);
      const line = enter(id, plan.read(id));
      if (!known && line.state === 'unpriced')
        ledger.standing = { ...ledger.standing, lines: [...ledger.standing.lines, line] };
    }
    const entering = ledger.standing.lines.filter(
      (line) => ids.includes(line.market_id) && line.quantity === 0 && line.price !== undefined,
    );
    if (entering.length > 0)
      ledger.step('admission', entering, admitToSeat(ledger.standing, entering, plan.seatOf));
  }
}

function heldLines(ledger: Ledger): ReceiptLine[] {
  return ledger.standing.lines.filter((line) => line.quantity > 0);
}

/** Drops lines, which must not hold anything. */
function drop(ledger: Ledger, leaves: (line: ReceiptLine) => boolean): void {
  const { standing } = ledger;
  ledger.standing = { ...standing, lines: standing.lines.filter((line) => !leaves(line)) };
}
