import type { CatalogSeries } from '../../model/catalog.ts';
import { given } from '../../model/given.ts';
import type { Family } from '../../model/platform.ts';
import type { Instant } from '../../model/units.ts';
import type { RowOf } from '../row-values.ts';
import type { Reader, Writer } from '../store.ts';

type SeriesRow = RowOf<CatalogSeries, keyof CatalogSeries> & { tags: string; settlement_sources: string };

const COLUMNS = `series_id, family, native_id, title, category, tags, settlement_sources, contract_url,
  contract_terms_url`;

const UPSERT = `
  INSERT INTO series (${COLUMNS}, first_seen_at, last_seen_at)
  VALUES (@series_id, @family, @native_id, @title, @category, @tags, @settlement_sources, @contract_url,
    @contract_terms_url, @seen_at, @seen_at)
  ON CONFLICT (series_id) DO UPDATE SET
    title = excluded.title, category = excluded.category, tags = excluded.tags,
    settlement_sources = excluded.settlement_sources, contract_url = excluded.contract_url,
    contract_terms_url = excluded.contract_terms_url, last_seen_at = excluded.last_seen_at`;

/**
 * Inserts or updates a series.
 *
 * @returns true when it is new or has changed
 */
export function upsertSeries(writer: Writer, series: CatalogSeries, seenAt: Instant): boolean {
  const known = findSeries(writer, series.family, series.native_id);
  writer.run(UPSERT, {
    ...series,
    category: series.category ?? null,
    tags: JSON.stringify(series.tags),
    settlement_sources: JSON.stringify(series.settlement_sources),
    contract_url: series.contract_url ?? null,
    contract_terms_url: series.contract_terms_url ?? null,
    seen_at: seenAt,
  });
  return JSON.stringify(known) !== JSON.stringify(findSeries(writer, series.family, series.native_id));
}

/** The venue's own ids of the series with at least one of some tags, ignoring case. */
export function listSeriesByTag(reader: Reader, family: Family, tags: readonly string[]): string[] {
  return reader.column(
    `SELECT native_id FROM series WHERE family = ? AND EXISTS (
       SELECT 1 FROM json_each(series.tags) AS own JOIN json_each(?) AS wanted ON lower(own.value) = lower(wanted.value)
     ) ORDER BY native_id`,
    family,
    JSON.stringify(tags),
  );
}

/** A series by the venue's own id; undefined when no listing has contained it. */
export function findSeries(reader: Reader, family: Family, nativeId: string): CatalogSeries | undefined {
  const row = reader.get<SeriesRow>(
    `SELECT ${COLUMNS} FROM series WHERE family = ? AND native_id = ?`,
    family,
    nativeId,
  );
  if (!row) return undefined;
  const { tags, settlement_sources, category, contract_url, contract_terms_url, ...named } = row;
  return {
    ...named,
    tags: JSON.parse(tags) as CatalogSeries['tags'],
    settlement_sources: JSON.parse(settlement_sources) as CatalogSeries['settlement_sources'],
    ...given({ category, contract_url, contract_terms_url }),
  };
}
