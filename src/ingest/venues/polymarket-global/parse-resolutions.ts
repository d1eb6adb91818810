import { given } from '../../../model/given.ts';
import type { Instant, Probability } from '../../../model/units.ts';
import { shown } from '../../wire/shown.ts';
import { numberOf } from '../../wire/wire-numbers.ts';
import { eachRow, leaveOut, type ReadPage, readEnvelope, reject } from '../../wire/wire-rows.ts';
import { conditionKey } from './condition-ids.ts';
import * as wire from './wire.ts';

/** The resolution of a market; `payouts`, what its two sides pay, is absent until it is resolved. */
export interface Resolution {
  payouts?: readonly [Probability, Probability];
  resolved_at?: Instant;
}

/** The resolutions of an answer, by the key of the condition. */
export interface ResolutionsPage extends ReadPage {
  byId: Map<string, Resolution>;
}

/** The payouts of both sides sum to a dollar, in millionths. */
const WHOLE = 1e6;

/** Parses the answer of `/v2/resolutions`. Payouts count only once a market is resolved, and are required then. */
export function parseResolutions(json: unknown): ResolutionsPage {
  const { data } = readEnvelope(wire.resolutionsPage, json);
  const page: ResolutionsPage = { read: data.length, byId: new Map(), rejections: [] };
  for (const { row, value, place } of eachRow(page, wire.resolution, data, 'condition_id')) {
    const { condition_id, status, payouts, resolved_at } = row;
    const [first, second] = (payouts ?? []).map((each) => numberOf(each, WHOLE));
    const id = conditionKey(condition_id);
    if (status !== 'resolved') page.byId.set(id, {});
    else if (first !== undefined && second !== undefined && first + second === WHOLE)
      page.byId.set(id, { payouts: [first / WHOLE, second / WHOLE], ...given({ resolved_at }) });
    else {
      const reason = `payouts must make ${WHOLE}, got ${shown(payouts)}`;
      leaveOut(page, reject(value, place, 'payouts', reason));
    }
  }
  return page;
}
