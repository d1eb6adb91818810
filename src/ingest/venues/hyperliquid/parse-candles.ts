import { given } from '../../../model/given.ts';
import { type Observation, usableTrade } from '../../../model/observation.ts';
import { DAY_MS, HOUR_MS } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import type { HistoryRows } from '../../prices/collect-histories.ts';
import { eachRow, leaveOut, type ReadPage, readEnvelope, readRow, reject } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

interface CandlePage extends HistoryRows {
  observations: Observation[];
}

/**
 * Parses hourly candles, which have trades but no book. A candle is dated at its end. Hours without a trade, which
 * repeat an older price, and hours that have not ended are skipped.
 */
export function parseCandles(json: unknown, now: Instant): CandlePage {
  const values = readEnvelope(wire.candles, json);
  const page: CandlePage = { read: values.length, observations: [], rejections: [] };
  for (const [position, value] of values.entries()) {
    const row = readRow(page, wire.candle, value, { position, idField: 's' });
    if (!row) {
      page.heldAt ??= page.observations.at(-1)?.observed_at ?? 0;
      continue;
    }
    const { t, o, h, l, c, v, n } = row;
    const last = usableTrade(c);
    const observed_at = t + HOUR_MS;
    if (last === undefined || observed_at > now || n === 0 || v === 0) continue;
    const range = { open: usableTrade(o), high: usableTrade(h), low: usableTrade(l), volume: v };
    page.observations.push({ observed_at, last, ...given(range) });
  }
  return page;
}

/** Contracts traded on the completed days of an answer, by the first instant of the day. */
export function parseDayVolumes(json: unknown, now: Instant): ReadPage & { days: Map<Instant, number> } {
  const values = readEnvelope(wire.candles, json);
  const page = { read: values.length, days: new Map<Instant, number>(), rejections: [] };
  for (const { row, value, place } of eachRow(page, wire.dayVolume, values, 's'))
    if (row.v === undefined) leaveOut(page, reject(value, place, 'v', 'v must be 0 or more, got nothing'));
    else if (row.t + DAY_MS <= now) page.days.set(row.t, row.v);
  return page;
}
