import { previousCloses } from '../../methodology/closes.ts';
import { constituentReturns } from '../../methodology/constituent-returns.ts';
import { definedShares } from '../../methodology/index-families/index-families.ts';
import { parsePrintedId } from '../../model/constituent-id.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { IndexStanding } from '../../model/print.ts';
import { DAY_MS, easternDay, QUIET_AFTER_MS } from '../../model/time.ts';
import { type Instant, toLevel } from '../../model/units.ts';
import { findSeriesStart } from '../../store/prints/divisor-steps.ts';
import { findIndexPrint, selectIndexPrints } from '../../store/prints/index-prints.ts';
import { findLastValue, listCloseValues } from '../../store/prints/known-prints.ts';
import { findStanding } from '../../store/prints/standings.ts';
import type { Reader } from '../../store/store.ts';
import { indexConfidence } from '../confidence-body.ts';
import { present, presentInstant } from '../present.ts';
import type { RouteRequest } from '../route.ts';
import { standingConstituents } from '../standing-constituents.ts';

type Asked = Pick<RouteRequest, 'reader' | 'now' | 'tier'>;

/** Whether the level of a print is shown: the public tier does not show that of a quiet index. */
function isShown({ at }: { at: Instant }, { now, tier }: Asked): boolean {
  return tier === 'authenticated' || now - at <= QUIET_AFTER_MS;
}

/** The fields of an index in lists and the detail. */
export function indexHead(definition: IndexDefinition, asked: Asked) {
  const { reader, now, tier } = asked;
  const { ticker, name, description, methodology, quote_convention, visibility } = definition;
  const print = findIndexPrint(reader, ticker, now);
  const shown = print && isShown(print, asked) ? print : undefined;
  return {
    index_id: ticker,
    ticker,
    name,
    description: present(description),
    methodology,
    quote_convention,
    visibility: tier === 'authenticated' ? visibility : undefined,
    latest_price: shown && toLevel(shown.level),
    coverage: shown?.coverage,
    confidence: shown && indexConfidence(shown, now),
    latest_print_at: presentInstant(print?.at),
    constituent_count: standingConstituents(reader, definition).length,
  };
}

/** The windows of changes in a list. */
export const WINDOWS = ['1d', '7d', '30d', '90d'] as const;
export type Window = (typeof WINDOWS)[number];

/** The level of an index, if it is shown. */
export function latestPrice(asked: Asked, ticker: string): number | undefined {
  const level = shownLevel(asked, ticker);
  return level === undefined ? undefined : toLevel(level);
}

function shownLevel(asked: Asked, ticker: string): number | undefined {
  const latest = findLastValue(asked.reader, { kind: 'index', ticker }, asked.now);
  return latest && isShown(latest, asked) ? latest.value : undefined;
}

/**
 * Change of the shown level over a window up to now, in percent and in the unit of the level; undefined when the series
 * has no print at either end.
 */
export function levelChange(
  asked: Asked,
  ticker: string,
  window: Window,
): { percent: number; difference: number } | undefined {
  const { reader, now } = asked;
  // The change would give away a withheld price.
  const latest = shownLevel(asked, ticker);
  const days = Number.parseInt(window, 10);
  const before = findLastValue(reader, { kind: 'index', ticker }, now - days * DAY_MS);
  if (latest === undefined || !before || before.value === 0) return undefined;
  if (before.at < (findSeriesStart(reader, ticker, now) ?? 0)) return undefined;
  return {
    percent: toLevel(100 * (latest / before.value - 1)),
    difference: toLevel(latest - before.value),
  };
}

/** The last closes of an index's current series: nothing is compared with an earlier series. */
export function listSeriesCloses(reader: Reader, ticker: string, limit: number, now: Instant) {
  const start = findSeriesStart(reader, ticker, now) ?? 0;
  const closes = listCloseValues(reader, { kind: 'index', ticker }, easternDay(now), limit);
  return closes.filter((close) => close.at >= start);
}

/** The fields of the detail that only the authenticated tier shows. */
export function indexCloses({ reader, now }: Asked, ticker: string) {
  const { oneDay, sevenDays } = previousCloses(listSeriesCloses(reader, ticker, 15, now));
  return {
    previous_close_1d: oneDay && toLevel(oneDay.value),
    previous_close_7d: sevenDays && toLevel(sevenDays.value),
  };
}

/**
 * The change since the last completed close, by the index's groups. Each constituent is a group of its own if the
 * definition names no dimension.
 */
export function indexReturns({ reader, now }: Asked, definition: IndexDefinition) {
  const { ticker, group_by, methodology } = definition;
  const close = listSeriesCloses(reader, ticker, 1, now).at(-1);
  if (!close) return [];
  const groups = new Map(
    definition.constituents.map(({ market_id, groups }): [string, string | undefined] => [
      market_id,
      group_by && new Map(Object.entries(groups ?? {})).get(group_by),
    ]),
  );
  const prints = selectIndexPrints(reader, ticker, close.at, now);
  const standing = findStanding<IndexStanding>(reader, { kind: 'index', ticker })?.body?.lines;
  const shares = [...definedShares(definition)].map(([market_id, weight]) => ({ market_id, weight }));
  const returns = constituentReturns(prints, (id) => groups.get(id) || id, methodology, standing ?? shares);
  return returns.map((each) => ({
    ...groupName(each.group),
    weight: each.weight,
    point_change: toLevel(each.point_change),
    percent_change: each.percent_change === undefined ? undefined : toLevel(each.percent_change),
  }));
}

// A constituent that is a group of its own has a kind; other groups just have names.
function groupName(group: string) {
  const printed = parsePrintedId(group);
  return printed ? { group: printed.ticker, kind: printed.kind } : { group };
}
