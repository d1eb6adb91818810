import { definedShares } from '../../methodology/index-families/index-families.ts';
import { type Membership, memberships } from '../../methodology/membership.ts';
import { sum } from '../../methodology/sum.ts';
import { fitLadder, wrappingPair } from '../../methodology/win-totals.ts';
import { parsePrintedId } from '../../model/constituent-id.ts';
import { pricedConstituents } from '../../model/definitions/definition.ts';
import { FIRST_SEATS } from '../../model/definitions/seats.ts';
import type { TeamIndexDefinition, TeamMember } from '../../model/definitions/team-index-definition.ts';
import { greatestOf } from '../../model/extremes.ts';
import type { IndexStanding } from '../../model/print.ts';
import { type Instant, type Probability, toPlain } from '../../model/units.ts';
import { findMarkedMarket } from '../../store/catalog/market-lists.ts';
import { findDefinition } from '../../store/definitions/definitions.ts';
import { findSeriesStart, listDivisorSteps } from '../../store/prints/divisor-steps.ts';
import { findIndexPrint } from '../../store/prints/index-prints.ts';
import { findRatePrint } from '../../store/prints/rate-prints.ts';
import { findStanding } from '../../store/prints/standings.ts';
import type { Reader } from '../../store/store.ts';
import { constituentName } from '../constituent-name.ts';
import { presentInstant, presentNumber } from '../present.ts';

/** A member of a seat as it is now, or as it was when it left. */
interface SleeveMember {
  member: TeamMember;
  mark_price?: Probability | undefined;
  weight: number;
  membership?: Membership | undefined;
}

/**
 * The four seats of a team index with their members: first the present ones, then those that have left in the current
 * series. A pair of win-total lines is one row, with the mean of their marks and both. Before the first print the
 * members are those that the latest marks would open with.
 *
 * @see Spec 2.4.2(1) to (3)
 */
export function sleeves(reader: Reader, definition: TeamIndexDefinition, now: Instant) {
  const { fourth_seat } = definition;
  const standing = findStanding<IndexStanding>(reader, { kind: 'index', ticker: definition.ticker });
  // While a change waits to be calculated, the index is constituted by another definition.
  const constituted = standing && findDefinition<TeamIndexDefinition>(reader, standing.definition_key);
  const members = standing?.body
    ? priced(reader, [constituted ?? definition, definition], standing.body, now)
    : openingMembers(reader, definition, now);
  return [...FIRST_SEATS, fourth_seat].map((seat) => {
    const inSeat = members.filter((each) => each.member.seat === seat);
    const staying = inSeat.filter((each) => each.membership?.until === undefined);
    const left = inSeat.filter((each) => each.membership?.until !== undefined);
    const pair = seat === 'wins' && staying.length > 1 ? [pairRow(staying)] : staying.map(memberRow);
    return {
      seat,
      weight: sum(staying.map((each) => each.weight)),
      members: [...pair, ...left.map(memberRow)],
    };
  });
}

function memberRow({ member, mark_price, weight, membership }: SleeveMember) {
  return {
    ...constituentName(member.market_id),
    line: member.line,
    mark_price: presentNumber(mark_price),
    weight,
    active_from: presentInstant(membership?.from),
    active_until: presentInstant(membership?.until),
  };
}

/** The wrapping pair in one row. */
function pairRow(pair: readonly SleeveMember[]) {
  const marks = pair.flatMap((each) => each.mark_price ?? []);
  return {
    lines: pair.flatMap((each) => each.member.line ?? []),
    mark_price: marks.length === pair.length ? toPlain(sum(marks) / marks.length) : undefined,
    marks: pair.map(memberRow),
    weight: sum(pair.map((each) => each.weight)),
    active_from: presentInstant(greatestOf(pair.map((each) => each.membership?.from))),
  };
}

/**
 * The members of the current series: present, awaited, and departed.
 *
 * @param definitions those that name them; of two seats of a name the last one's counts
 */
function priced(
  reader: Reader,
  definitions: readonly [TeamIndexDefinition, TeamIndexDefinition],
  { lines }: IndexStanding,
  now: Instant,
): SleeveMember[] {
  const { ticker } = definitions[0];
  const start = findSeriesStart(reader, ticker, now) ?? 0;
  const all = memberships(listDivisorSteps(reader, ticker, start));
  const named = definitions.flatMap((each) => each.constituents);
  const members = new Map(named.map((each) => [each.market_id, each]));
  const staying = lines.flatMap((line): SleeveMember[] => {
    const member = members.get(line.market_id);
    if (!member) return [];
    const membership = all.find((each) => each.market_id === line.market_id && each.until === undefined);
    return [{ member, weight: line.weight, mark_price: line.price, membership }];
  });
  const left = all.flatMap((membership): SleeveMember[] => {
    const { market_id, until } = membership;
    const member = members.get(market_id);
    if (!member || until === undefined) return [];
    const print = findIndexPrint(reader, ticker, until);
    const line = print?.lines.find((each) => each.market_id === market_id);
    return [{ member, weight: 0, membership, mark_price: line?.price }];
  });
  return [...staying.sort(byLine), ...left];
}

/**
 * The members that the latest marks would open with, in the shares of the definition: all of them, but of the win totals
 * only the wrapping pair, and one game.
 */
function openingMembers(reader: Reader, definition: TeamIndexDefinition, now: Instant): SleeveMember[] {
  const included = pricedConstituents(definition);
  const shares = definedShares(definition);
  const shareOf = ({ market_id }: TeamMember) => shares.get(market_id) ?? 0;
  const marked = included.map((member): SleeveMember => {
    const mark_price = latestMark(reader, member.market_id, now);
    return { member, weight: shareOf(member), mark_price };
  });
  // What the definition gives a seat, to those that would be in it.
  const shared = (seat: TeamMember['seat'], shown: readonly SleeveMember[]) => {
    const whole = sum(included.filter((each) => each.seat === seat).map(shareOf));
    return shown.map((each) => ({ ...each, weight: whole / shown.length }));
  };
  const rungs = marked
    .filter((each) => each.member.seat === 'wins')
    .sort(byLine)
    .flatMap((each) => {
      const { member, mark_price: price } = each;
      return price === undefined ? [] : [{ each, line: member.line ?? 0, price }];
    });
  const pair = wrappingPair(fitLadder(rungs)).map(({ each, price }) => ({ ...each, mark_price: price }));
  const game = marked.find((each) => each.member.seat === 'next_game' && each.mark_price !== undefined);
  return [
    ...marked.filter(({ member: { seat } }) => seat !== 'wins' && seat !== 'next_game'),
    ...shared('wins', pair),
    ...shared('next_game', game ? [game] : []),
  ];
}

function latestMark(reader: Reader, id: string, now: Instant): Probability | undefined {
  const printed = parsePrintedId(id);
  if (printed) return findRatePrint(reader, printed.ticker, now)?.price;
  return findMarkedMarket(reader, id)?.price ?? undefined;
}

function byLine(a: SleeveMember, b: SleeveMember): number {
  return (a.member.line ?? 0) - (b.member.line ?? 0);
}
