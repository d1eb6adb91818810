import { basename } from 'node:path';
import { STATES } from '../../scripts/world/topics/us-states.ts';
import { recordedFiles, recordedSet } from './recorded.ts';

/** Folder of the recorded election. */
export const electionFolder = recordedSet('us-president-2024-by-state', /^csv_hour.[A-Z]{2}_hourly/);

const recorded = new Set(
  recordedFiles(`${electionFolder}/csv_hour`, /^[A-Z]{2}_hourly/).map((path) => basename(path).slice(0, 2)),
);

/** The states whose markets were recorded, by postal code, with their electoral votes of 2024. */
export const states = STATES.filter((state) => recorded.has(state.code)).sort((a, b) =>
  a.code < b.code ? -1 : 1,
);
