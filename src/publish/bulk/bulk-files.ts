import { addDays, easternDay, easternDayStart } from '../../model/time.ts';
import type { EasternDay, Instant } from '../../model/units.ts';
import { encodeId } from '../../routes/document-key.ts';
import type { ObjectReader } from '../../store/archive/archive.ts';
import { listAdopted } from '../../store/definitions/definitions.ts';
import { listDivisorSteps } from '../../store/prints/divisor-steps.ts';
import { findPrintsDigest } from '../../store/prints/known-prints.ts';
import { findCatalogState } from '../../store/runs.ts';
import type { Reader } from '../../store/store.ts';
import { digestOf } from '../archive/digest.ts';
import type { PublishDocument } from '../comparison.ts';
import { listPublicSeries, type PublicSeries } from '../public-series.ts';
import {
  type BulkFile,
  catalogDay,
  catalogName,
  findBulkFiles,
  manifestDocument,
  revisionAfter,
} from './bulk-manifest.ts';
import { catalogTable } from './catalog-table.ts';
import { definitionsTable, publicDefinitions } from './definitions-table.ts';
import { constituentsTable, historyTable, restatementsTable, stepsTable } from './series-tables.ts';
import { FORMATS, type Table, writeTable } from './table.ts';

/**
 * The bulk files through the last completed US Eastern day: each public index's and rate's history, restatements,
 * constituents, definitions and steps, the catalog of each day, and the manifest of them all. Files made from nothing new
 * are kept; so are the catalogs of earlier days, which cannot be made again.
 *
 * @param archive what was published last
 */
export async function* eachBulkFile(
  reader: Reader,
  now: Instant,
  archive: ObjectReader,
): AsyncGenerator<PublishDocument> {
  const before = await findBulkFiles(archive);
  const files: BulkFile[] = [];
  for (const wanted of wantedTables(reader, now, before)) {
    const keys = FORMATS.map((format) => `${wanted.name}.${format}`);
    const standing = keys.flatMap((key) => before.get(key) ?? []);
    if (standing.length === keys.length && standing.every((file) => file.source === wanted.source)) {
      for (const file of standing) {
        files.push(file);
        yield { key: file.key, sha256: file.sha256 };
      }
      continue;
    }
    const { rows, bodies } = await writeTable(wanted.make());
    for (const format of FORMATS) {
      const key = `${wanted.name}.${format}`;
      const body = bodies[format];
      const sha256 = digestOf(body);
      const revision = revisionAfter(before.get(key), sha256);
      files.push({ key, rows, bytes: body.byteLength, sha256, revision, source: wanted.source });
      yield { key, body };
    }
  }
  yield manifestDocument({ through: lastDay(now), files });
}

/** The last completed day. */
function lastDay(now: Instant): EasternDay {
  return addDays(easternDay(now), -1);
}

interface WantedTable {
  /** Key without its ending. */
  name: string;
  source: string;
  make(): Table;
}

function* wantedTables(
  reader: Reader,
  now: Instant,
  before: ReadonlyMap<string, BulkFile>,
): Generator<WantedTable> {
  for (const series of listPublicSeries(reader)) yield* seriesTables(reader, series, now);
  const through = lastDay(now);
  const catalog = (day: string): WantedTable => ({
    name: catalogName(day),
    source: `day ${day}`,
    make: () => catalogTable(reader),
  });
  const kept = new Set([...before.keys()].flatMap((key) => catalogDay(key) ?? []));
  for (const day of kept) yield catalog(day);
  if (!kept.has(through) && findCatalogState(reader) === 'serving') yield catalog(through);
}

/** The tables of an index or rate; none before it has printed. */
function* seriesTables(reader: Reader, series: PublicSeries, now: Instant): Generator<WantedTable> {
  const { folder, ticker } = series;
  const today = easternDay(now);
  const until = easternDayStart(today) - 1;
  const prints = findPrintsDigest(reader, series, until);
  if (prints === undefined) return;
  const name = `bulk/${folder}/${encodeId(ticker)}`;
  const source = `prints ${prints}`;
  yield { name: `${name}/history`, source, make: () => historyTable(reader, series, until) };
  yield { name: `${name}/restatements`, source, make: () => restatementsTable(reader, series, until) };
  yield { name: `${name}/constituents`, source, make: () => constituentsTable(reader, series, today) };
  const versions = publicDefinitions(listAdopted(reader, series), now);
  const adoptions = versions.map(({ digest, adopted_at }) => [digest, adopted_at]);
  yield {
    name: `${name}/definitions`,
    source: `definitions ${digestOf(JSON.stringify(adoptions))}`,
    make: () => definitionsTable(versions),
  };
  if (series.kind === 'rate') return;
  const steps = listDivisorSteps(reader, ticker, 0, until);
  yield {
    name: `${name}/steps`,
    source: `steps ${digestOf(JSON.stringify(steps))}`,
    make: () => stepsTable(steps),
  };
}
