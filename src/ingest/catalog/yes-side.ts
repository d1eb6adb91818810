import { findYesSide } from '../../store/catalog/catalog.ts';
import type { VenueRun } from '../venues/venue.ts';
import { type ReadPage, type Rejection, type RowPlace, reject } from '../wire/wire-rows.ts';
import { shownText } from '../wire/wire-scalars.ts';

/**
 * The position of the Yes side among the two outcomes of a market: first, even if it is called Up or is a team; second
 * only if the names are No and Yes.
 *
 * @example yesPlace(['No', 'Yes']) // 1
 */
export function yesPlace(outcomes: readonly unknown[]): 0 | 1 {
  const [first, second] = outcomes.map((each) => (typeof each === 'string' ? each.toLowerCase() : ''));
  return first === 'no' && second === 'yes' ? 1 : 0;
}

/**
 * What the Yes side stands for, such as a team; undefined if it is called Yes, or has no name.
 *
 * @example yesName(['Lakers', 'Celtics'], 0) // 'Lakers'
 */
export function yesName(outcomes: readonly unknown[], yes: 0 | 1): string | undefined {
  const name = shownText.parse(outcomes[yes]);
  return name?.trim().toLowerCase() === 'yes' ? undefined : name;
}

export interface KnownYes {
  price_token: string | null;
  /** Null when it is just called Yes. */
  yes_sub_title: string | null;
}

/** The Yes side of a market that is known by its id; undefined when it is new. */
export type FindKnownYes = (marketId: string) => KnownYes | undefined;

/**
 * The position of the Yes side of a market: for a known one that of the token and the name which its Yes side has had,
 * since a venue may list the two outcomes in the other order. What it calls or trades anew is as {@link yesPlace} says.
 *
 * @returns undefined where token and name are now of different sides: nobody can say which of them the prices are of
 * @example keptYesPlace(['Celtics', 'Lakers'], ['2', '1'], { price_token: '1', yes_sub_title: 'Lakers' }) // 1
 */
export function keptYesPlace(
  outcomes: readonly unknown[],
  tokens: readonly unknown[],
  known: KnownYes | undefined,
): 0 | 1 | undefined {
  if (!known) return yesPlace(outcomes);
  const names = outcomes.map((each) => shownText.parse(each)?.trim().toLowerCase());
  const byToken = onlyPlace(tokens, known.price_token);
  const byName = onlyPlace(names, (known.yes_sub_title ?? 'yes').trim().toLowerCase());
  if (byToken !== undefined && byName !== undefined && byToken !== byName) return undefined;
  return byToken ?? byName ?? yesPlace(outcomes);
}

const SIDES_EXCHANGED =
  'its outcomes or its tokens have changed places, so that its prices may be of the other side';

/** The rejection of a market without a {@link keptYesPlace}. @param field of its row that has the sides */
export function rejectExchanged(value: unknown, place: RowPlace, field: string): Rejection {
  return { ...reject(value, place, field, SIDES_EXCHANGED), exchanged: true };
}

function onlyPlace([first, second]: readonly unknown[], wanted: unknown): 0 | 1 | undefined {
  if ((first === wanted) === (second === wanted)) return undefined;
  return first === wanted ? 0 : 1;
}

/** Parses a page with what the catalog knows of the Yes sides of its markets, and notes which rows were exchanged. */
export function withKnownYes<Page extends ReadPage>(
  { store, exchanged }: VenueRun,
  parse: (findYes: FindKnownYes) => Page,
): Page {
  const page = store.read((reader) => parse((marketId) => findYesSide(reader, marketId)));
  for (const each of page.rejections)
    if (each.exchanged && each.native_id !== null) exchanged.add(each.native_id.toLowerCase());
  return page;
}

/** For reading without a catalog. */
export const NONE_KNOWN: FindKnownYes = () => undefined;
