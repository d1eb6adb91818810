import { eachRow, type ReadPage, readEnvelope } from '../../wire/wire-rows.ts';
import { conditionKey } from './condition-ids.ts';
import * as wire from './wire.ts';

/** Shares that takers traded in the markets of an event, by the key of the condition. */
export interface TakerVolumes extends ReadPage {
  volumes: Map<string, number>;
}

/** Parses the answer of `/v2/live-volume`; an unknown event has no markets. */
export function parseTakerVolumes(json: unknown): TakerVolumes {
  const conditions = readEnvelope(wire.liveVolume, json).data?.conditions ?? [];
  const page: TakerVolumes = { read: conditions.length, volumes: new Map(), rejections: [] };
  for (const { row } of eachRow(page, wire.takerVolume, conditions, 'condition_id'))
    if (row.taker_volume !== undefined) page.volumes.set(conditionKey(row.condition_id), row.taker_volume);
  return page;
}
