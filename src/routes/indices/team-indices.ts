import { z } from 'zod';
import { membershipEvents } from '../../methodology/membership.ts';
import { findTeamMember } from '../../model/definitions/definition.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import { easternDay, formatInstant } from '../../model/time.ts';
import { type Instant, toLevel } from '../../model/units.ts';
import { findDefinition } from '../../store/definitions/definitions.ts';
import { listDivisorSteps } from '../../store/prints/divisor-steps.ts';
import { findIndexPrint } from '../../store/prints/index-prints.ts';
import { listCloseValues } from '../../store/prints/known-prints.ts';
import type { Reader } from '../../store/store.ts';
import { constituentId } from '../constituent-name.ts';
import { pageOf } from '../paging.ts';
import { page, perPage } from '../parameters.ts';
import { presentNumber } from '../present.ts';
import { indexRoute } from './index-route.ts';

const dailyValues = indexRoute({
  path: '/indices/{id}/daily-values',
  summary: 'Official daily values of a team index, oldest first; an empty list for other indices',
  answer({ ticker, methodology }, request) {
    const { reader, now } = request;
    if (methodology !== 'nti') return { index_id: ticker, ticker, data: [] };
    const closes = listCloseValues(reader, { kind: 'index', ticker }, easternDay(now));
    return {
      index_id: ticker,
      ticker,
      series_starts: seriesStarts(reader, ticker, now),
      data: closes.map(({ day, at, value }) => ({ day, value: toLevel(value), at: formatInstant(at) })),
    };
  },
});

const membershipEventList = indexRoute({
  path: '/indices/{id}/membership-events',
  summary: 'Admissions and settlements of a team index, newest first; an empty list for other indices',
  query: z.object({ page, per_page: perPage }),
  answer({ ticker, methodology }, request) {
    const { reader, now, query } = request;
    const steps =
      methodology === 'nti' ? listDivisorSteps(reader, ticker).filter((step) => step.at <= now) : [];
    const { data, meta } = pageOf(membershipEvents(steps), query);
    return {
      index_id: ticker,
      ticker,
      data: data.map(({ at, kind, market_id }) => ({
        at: formatInstant(at),
        kind,
        ...constituentId(market_id),
        ...seatAndMark(reader, ticker, market_id, at),
      })),
      meta,
    };
  },
});

/** When each series of an index began: more than one if it was restarted. */
export function seriesStarts(reader: Reader, ticker: string, now: Instant): string[] {
  return listDivisorSteps(reader, ticker)
    .filter((step) => step.reason === 'base' && step.at <= now)
    .map((step) => formatInstant(step.at));
}

/** The seat of a name by the definition then in effect, and its mark or payoff at that print. */
function seatAndMark(reader: Reader, ticker: string, marketId: string, at: Instant) {
  const print = findIndexPrint(reader, ticker, at);
  const definition = print && findDefinition<IndexDefinition>(reader, print.definition_key);
  const member = findTeamMember(definition, marketId);
  const line = print?.lines.find((each) => each.market_id === marketId);
  return {
    seat: member?.seat,
    line: member?.line,
    mark_price: presentNumber(line?.price),
  };
}

/** The level of the last completed day of a team index. */
export function officialDailyValue(reader: Reader, ticker: string, now: Instant): number | undefined {
  const [close] = listCloseValues(reader, { kind: 'index', ticker }, easternDay(now), 1);
  return close && toLevel(close.value);
}

export const teamIndexRoutes = [dailyValues, membershipEventList];
