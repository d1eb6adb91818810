import type { SeriesKind } from '../../model/constituent-id.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../store.ts';

/** Prints of a ticker that were made by one version of the methodology. */
export interface PrintsOfVersion {
  methodology_version: string;
  prints: number;
  /** When the last of them was recorded. */
  last_recorded_at: Instant;
}

const SELECT = {
  index: selectFrom('index_prints'),
  rate: selectFrom('rate_prints'),
} as const;

function selectFrom(table: 'index_prints' | 'rate_prints'): string {
  return `SELECT methodology_version, count(*) AS prints, max(recorded_at) AS last_recorded_at
    FROM ${table} WHERE ticker = ? GROUP BY methodology_version ORDER BY methodology_version`;
}

/** The versions of the methodology that made the prints of a ticker, revisions among them. */
export function listPrintVersions(reader: Reader, kind: SeriesKind, ticker: string): PrintsOfVersion[] {
  return reader.all(SELECT[kind], ticker);
}
