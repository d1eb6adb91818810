import { previousCloses } from '../../methodology/closes.ts';
import { dailyStats } from '../../methodology/daily-stats.ts';
import { rateFamilyOf } from '../../methodology/rate-families/rate-families.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { platformOf } from '../../model/platform.ts';
import type { RatePrint } from '../../model/print.ts';
import { DAY_MS, easternDay, QUIET_AFTER_MS } from '../../model/time.ts';
import { type Instant, toCents } from '../../model/units.ts';
import { findMarket } from '../../store/catalog/catalog.ts';
import { findLastValue, listCloseValues } from '../../store/prints/known-prints.ts';
import { findRatePrint } from '../../store/prints/rate-prints.ts';
import type { Reader } from '../../store/store.ts';
import { rateConfidence } from '../confidence-body.ts';
import { linkOf } from '../links.ts';
import { present, presentCents, presentInstant, presentNumber } from '../present.ts';
import type { RouteRequest } from '../route.ts';

type Asked = Pick<RouteRequest, 'reader' | 'now' | 'tier' | 'sites'>;

/**
 * The fields of a rate in lists and the detail. If its last print is older than the look-back, price and spread are left out
 * on the public tier, and null on the other.
 *
 * @param lookBackFrom the earliest instant at which a print still counts; by default seven days ago
 * @see Spec 2.5
 */
export function rateBody(definition: RateDefinition, asked: Asked, lookBackFrom?: Instant) {
  const { ticker, name, description, methodology, visibility } = definition;
  const { reader, now, tier } = asked;
  const last = findRatePrint(reader, ticker, now);
  const shown = last && isShown(last, now, lookBackFrom) ? last : undefined;
  const missing = tier === 'authenticated' ? null : undefined;
  return {
    ticker,
    name,
    description: present(description),
    methodology,
    visibility: tier === 'authenticated' ? visibility : undefined,
    latest_price: shown ? toCents(shown.price) : missing,
    spread: shown ? toCents(shown.spread) : missing,
    confidence: shown && rateConfidence(shown, now),
    latest_print_at: presentInstant(last?.at),
    sources: sourceRows(definition, asked, shown, last),
  };
}

/** Whether the price of a print is shown: not if it is older than the look-back. */
function isShown({ at }: RatePrint, now: Instant, lookBackFrom = now - QUIET_AFTER_MS): boolean {
  return at >= lookBackFrom;
}

/**
 * The configured sources. The weight of a source is its share of the latest print, or its share by the definition if it did
 * not enter. Its price is given only if it entered and the rate is not quiet, its volume if the print recorded it.
 *
 * @see Spec 2.5.1
 */
function sourceRows(
  definition: RateDefinition,
  { reader, now, sites }: Asked,
  shown: RatePrint | undefined,
  last: RatePrint | undefined,
) {
  const catalog = rateFamilyOf(definition).catalogShares(last?.at ?? now);
  const quiet = !last || now - last.at > QUIET_AFTER_MS;
  return definition.sources.map((source, i) => {
    const { market_id } = source;
    const market = findMarket(reader, market_id);
    const line = last?.lines.find((each) => each.market_id === market_id);
    const entered = line?.state === 'included';
    const priced = shown && entered && !quiet && line.price !== undefined;
    return {
      market_id,
      platform: market && platformOf(market.family),
      question: market?.question,
      link: market && linkOf(market, sites),
      line: 'line' in source ? source.line : undefined,
      side: 'side' in source ? source.side : undefined,
      roll_at: 'roll_at' in source ? source.roll_at : undefined,
      is_active: market !== undefined && market.status !== 'settled',
      weight: entered ? line.weight : (catalog[i] as number),
      latest_price: priced ? presentCents(line.price) : undefined,
      basis: priced ? line.basis : undefined,
      volume: presentNumber(line?.volume),
      volume_unit: line?.volume === undefined ? undefined : present(market?.volume_unit),
      outlier: (shown && line?.outlier) || undefined,
    };
  });
}

/** Whether a rate has a source that still trades. */
export function isListed(definition: RateDefinition, reader: Reader): boolean {
  return definition.sources.some((source) => {
    const market = findMarket(reader, source.market_id);
    return market !== undefined && market.status !== 'settled';
  });
}

/** The previous closes of a rate in cents, on the authenticated detail only. */
export function rateCloses({ reader, now }: Asked, ticker: string) {
  const closes = listCloseValues(reader, { kind: 'rate', ticker }, easternDay(now), 15);
  const { oneDay, sevenDays } = previousCloses(closes);
  return {
    previous_close_1d: oneDay && toCents(oneDay.value),
    previous_close_7d: sevenDays && toCents(sevenDays.value),
  };
}

/**
 * Trailing returns and risk figures of the daily closes, with prices and volatility in cents; nothing before
 * the first completed close.
 *
 * @see Spec 2.5, stats
 */
export function rateStats({ reader, now }: Asked, ticker: string) {
  const stats = dailyStats(listCloseValues(reader, { kind: 'rate', ticker }, easternDay(now)));
  if (!stats) return {};
  const { high_365d, low_365d, ...rest } = stats;
  return { stats: { ...rest, high_365d: toCents(high_365d), low_365d: toCents(low_365d) } };
}

/** The price of a rate, its change over seven days or its spread, in cents; undefined if the price is not shown. */
export function shownFigure(
  figure: 'last' | 'change' | 'spread',
  ticker: string,
  asked: Pick<Asked, 'reader' | 'now'>,
): number | undefined {
  const print = findRatePrint(asked.reader, ticker, asked.now);
  if (!print || !isShown(print, asked.now)) return undefined;
  // The position by change would give away a withheld price.
  if (figure === 'change') return centsChange(asked, ticker);
  return toCents(figure === 'last' ? print.price : print.spread);
}

/** Change of the price over the last seven days, in cents; undefined when either end has no print. */
export function centsChange(
  { reader, now }: Pick<Asked, 'reader' | 'now'>,
  ticker: string,
): number | undefined {
  const latest = findLastValue(reader, { kind: 'rate', ticker }, now);
  const before = findLastValue(reader, { kind: 'rate', ticker }, now - 7 * DAY_MS);
  return latest && before ? toCents(latest.value - before.value) : undefined;
}
