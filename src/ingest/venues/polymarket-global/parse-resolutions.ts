import { given } from '../../../model/given.ts';
import type { Instant, Probability } from '../../../model/units.ts';
import { shown } from '../../wire/shown.ts';
import { numberOf } from '../../wire/wire-numbers.ts';
import { eachRow, leaveOut, type ReadPage, readEnvelope, reject } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

/** Whether a market has an outcome, and what its two sides pay then. */
export interface Resolution {
  payouts?: readonly [Probability, Probability];
  resolved_at?: Instant;
}

/** The resolutions of an answer, by condition id. */
export interface ResolutionsPage extends ReadPage {
  byId: Map<string, Resolution>;
}

/** What a side pays in all is a dollar, in millionths. */
const WHOLE = 1e6;

/** Reads the answer of `/v2/resolutions`. Payouts count only once the market is resolved, and then must be there. */
export function parseResolutions(json: unknown): ResolutionsPage {
  const { data } = readEnvelope(wire.resolutionsPage, json);
  const page: ResolutionsPage = { read: data.length, byId: new Map(), rejections: [] };
  for (const { row, value, place } of eachRow(page, wire.resolution, data, 'condition_id')) {
    const { condition_id, status, payouts, resolved_at } = row;
    const [first, second] = (payouts ?? []).map((each) => numberOf(each, WHOLE));
    const id = condition_id.toLowerCase();
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
