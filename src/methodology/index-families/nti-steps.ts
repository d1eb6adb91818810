import type { Seat } from '../../model/definitions/seats.ts';
import type { IndexStanding, ReceiptLine } from '../../model/print.ts';
import { HALF_CENT } from '../../model/units.ts';
import { isBelowHalfCent } from '../half-cent.ts';
import { basketValue } from './ledger.ts';
import { hold, takesProceeds, takesUnspent, valueOfLine } from './line-marks.ts';

/**
 * The steps that change what a team index holds. The divisor stays 1: value only moves between constituents and cash,
 * so that a step cannot move the level.
 */

/** The seat of a constituent; undefined while it is not eligible. */
export type SeatOf = (id: string) => Seat | undefined;

/** The result of a step: lines and cash. */
type Holding = Pick<IndexStanding, 'lines' | 'cash'>;

/**
 * Gives all seats equal value, and all members of a seat, at the constituents' marks; held ones without a mark use
 * their last good one. A seat without a price is left out.
 *
 * @returns undefined if no constituent has a price
 */
export function fillSeats(lines: readonly ReceiptLine[], seatOf: SeatOf, value: number): Holding | undefined {
  const priced = lines.filter((line) => line.price !== undefined);
  const seats = new Map<Seat | undefined, number>();
  for (const { market_id } of priced) seats.set(seatOf(market_id), (seats.get(seatOf(market_id)) ?? 0) + 1);
  if (seats.size === 0) return undefined;
  const target = ({ market_id }: ReceiptLine) => value / seats.size / (seats.get(seatOf(market_id)) ?? 1);
  return buy(
    lines.map((line) => ({ ...line, quantity: 0 })),
    new Map(priced.map((line) => [line.market_id, target(line)])),
    seatOf,
  );
}

/**
 * Removes constituents. Their value is reinvested, by value, in the constituents of the same seat that are live and
 * marked at half a cent or more; if there are none, in those of the other seats; else it stays as cash.
 */
export function release(
  standing: IndexStanding,
  leaving: readonly ReceiptLine[],
  seatOf: SeatOf,
): IndexStanding {
  const gone = new Set(leaving.map((line) => line.market_id));
  const staying = standing.lines.filter((line) => !gone.has(line.market_id));
  const bySeat = Map.groupBy(leaving, (line) => seatOf(line.market_id));
  const values = [...bySeat].map(([seat, left]) => [seat, basketValue(left)] as const);
  const { lines, rest } = spreadBySeat(staying, values, takesProceeds, seatOf);
  return { ...standing, lines, cash: standing.cash + rest };
}

/** Removes constituents that others replace at the same instant: until then their value is held as cash. */
export function park(standing: IndexStanding, leaving: readonly ReceiptLine[]): IndexStanding {
  const gone = new Set(leaving.map((line) => line.market_id));
  return {
    ...standing,
    lines: standing.lines.filter((line) => !gone.has(line.market_id)),
    cash: standing.cash + basketValue(leaving),
  };
}

/**
 * Gives all members of a seat equal parts of it, including the cash held. @param members all constituents of the seat,
 * priced
 */
export function refill(
  standing: IndexStanding,
  members: readonly ReceiptLine[],
  seatOf: SeatOf,
): IndexStanding {
  const ids = new Set(members.map((line) => line.market_id));
  const value = standing.cash + basketValue(standing.lines.filter((line) => ids.has(line.market_id)));
  const others = standing.lines.filter((line) => !ids.has(line.market_id));
  const emptied = members.map((line) => ({ ...line, quantity: 0 }));
  const targets = new Map(members.map((line) => [line.market_id, value / members.length]));
  return { ...standing, ...buy([...others, ...emptied], targets, seatOf) };
}

/**
 * Admits constituents to one seat. In an occupied seat each gets an equal part of it, and the present members shrink in
 * proportion; an empty seat gets one seat's part of the whole, and all others shrink in proportion. Cash held is spent
 * on the entering constituents.
 *
 * @param entering lines of `standing`, with a price and without a quantity
 */
export function admitToSeat(
  standing: IndexStanding,
  entering: readonly ReceiptLine[],
  seatOf: SeatOf,
): IndexStanding {
  const seat = seatOf(entering[0]?.market_id ?? '');
  const holding = standing.lines.filter((line) => line.quantity > 0);
  const inSeat = holding.filter((line) => seatOf(line.market_id) === seat);
  const giving = inSeat.length > 0 ? inSeat : holding;
  const given = basketValue(giving);
  const whole = given + standing.cash;
  const seats = new Set(holding.map((line) => seatOf(line.market_id))).size;
  const part =
    inSeat.length > 0
      ? standing.cash + (given * entering.length) / (inSeat.length + entering.length)
      : Math.max(standing.cash, whole / (seats + 1));
  const ids = new Set(giving.map((line) => line.market_id));
  const shrink = given > 0 ? (whole - part) / given : 0;
  const lines = standing.lines.map((line) =>
    ids.has(line.market_id) ? { ...line, quantity: line.quantity * shrink } : line,
  );
  const targets = new Map(entering.map((line) => [line.market_id, part / entering.length]));
  return { ...standing, ...buy(lines, targets, seatOf) };
}

/**
 * Buys constituents for their target values. Below half a cent a quantity is calculated at 0.005; what this leaves
 * unspent goes by value to the constituents of the seat above half a cent, else to all above it, else to all, else it
 * stays as cash.
 */
function buy(before: readonly ReceiptLine[], targets: ReadonlyMap<string, number>, seatOf: SeatOf): Holding {
  const unspent = new Map<Seat | undefined, number>();
  const held = before.map((line) => {
    const target = targets.get(line.market_id);
    if (target === undefined || line.price === undefined) return line;
    const bought = hold(line, target / Math.max(line.price, HALF_CENT));
    if (isBelowHalfCent(line.price)) {
      const seat = seatOf(line.market_id);
      unspent.set(seat, (unspent.get(seat) ?? 0) + target - valueOfLine(bought));
    }
    return bought;
  });
  const { lines, rest } = spreadBySeat(held, unspent, takesUnspent, seatOf);
  const grown = spread(lines, rest, () => true);
  return grown ? { lines: grown, cash: 0 } : { lines, cash: rest };
}

/**
 * Distributes the value of each seat over the constituents of that seat that take it, and what no seat takes over all
 * that take it.
 *
 * @returns also the rest: the value that none takes
 */
function spreadBySeat(
  before: ReceiptLine[],
  values: Iterable<readonly [Seat | undefined, number]>,
  takes: (line: ReceiptLine) => boolean,
  seatOf: SeatOf,
): { lines: ReceiptLine[]; rest: number } {
  let lines = before;
  let rest = 0;
  for (const [seat, value] of values) {
    const isInSeat = (line: ReceiptLine) => seat !== undefined && seatOf(line.market_id) === seat;
    const grown = spread(lines, value, (line) => takes(line) && isInSeat(line));
    if (grown) lines = grown;
    else rest += value;
  }
  const grown = spread(lines, rest, takes);
  return grown ? { lines: grown, rest: 0 } : { lines, rest };
}

/** Distributes a value pro rata over the quantities of the constituents that take it; undefined if none can. */
function spread(
  lines: readonly ReceiptLine[],
  value: number,
  takes: (line: ReceiptLine) => boolean,
): ReceiptLine[] | undefined {
  const taking = basketValue(lines.filter(takes));
  if (taking === 0) return undefined;
  const growth = 1 + value / taking;
  return lines.map((line) => (takes(line) ? { ...line, quantity: line.quantity * growth } : line));
}
