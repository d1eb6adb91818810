import type { MarketStatus } from '../../model/catalog.ts';
import type { RelationSort, TextGroup } from '../../model/relations.ts';
import { TEXT_GROUPS } from '../../model/relations.ts';
import { findRecent } from '../recent.ts';
import type { Reader, Writer } from '../store.ts';

export interface NearText {
  text_key: number;
  /** 0 to 1. */
  similarity: number;
}

export interface NearRecord {
  sort: RelationSort;
  record_id: string;
  similarity: number;
  /** The status of a market in the catalog; null for other records. */
  status: MarketStatus | null;
}

const NAMED = `SELECT text_group, sort, record_id, status
  FROM relation_texts LEFT JOIN markets ON market_id = record_id WHERE text_key = +?`;
const LISTS = `SELECT neighbours.text_group, nearest FROM relation_texts JOIN neighbours USING (text_key)
  WHERE sort = +? AND record_id = +?`;

/** The stored neighbours of a text in a group, nearest first. */
export function findNeighbours(reader: Reader, textKey: number, group: number): NearText[] {
  const nearest = reader.value<Buffer>(
    'SELECT nearest FROM neighbours WHERE text_key = ? AND text_group = ?',
    textKey,
    group,
  );
  return nearest ? decode(nearest) : [];
}

/** Stores the neighbours of a text in a group, replacing the earlier ones. */
export function setNeighbours(
  writer: Writer,
  textKey: number,
  group: number,
  nearest: readonly NearText[],
): void {
  if (nearest.length === 0) {
    writer.run('DELETE FROM neighbours WHERE text_key = ? AND text_group = ?', textKey, group);
    return;
  }
  writer.run(
    `INSERT INTO neighbours (text_key, text_group, nearest) VALUES (?, ?, ?)
     ON CONFLICT (text_key, text_group) DO UPDATE SET nearest = excluded.nearest`,
    textKey,
    group,
    encode(nearest),
  );
}

/** Every stored list of neighbours. Cost: one pass over all lists. */
export function* eachNeighbourList(
  reader: Reader,
): Generator<{ text_key: number; text_group: number; nearest: NearText[] }> {
  const rows = reader.iterate<{ text_key: number; text_group: number; nearest: Buffer }>(
    'SELECT text_key, text_group, nearest FROM neighbours',
  );
  for (const { text_key, text_group, nearest } of rows)
    yield { text_key, text_group, nearest: decode(nearest) };
}

/**
 * The neighbours of a record in a group, nearest first. Removed texts are skipped, and so are those that have left the
 * group, such as markets that no longer trade.
 */
export function listNearRecords(
  reader: Reader,
  of: { sort: RelationSort; record_id: string },
  group: TextGroup,
  limit: number,
): NearRecord[] {
  const lists = reader.reading('lists', `${of.sort} ${of.record_id}`, () =>
    findRecent(reader, `lists of ${of.sort}`, of.record_id, () =>
      reader.all<{ text_group: number; nearest: Buffer }>(LISTS, of.sort, of.record_id),
    ),
  );
  const list = lists.find((each) => each.text_group === TEXT_GROUPS[group]);
  if (!list) return [];
  const records: NearRecord[] = [];
  for (const { text_key, similarity } of decode(list.nearest)) {
    const text = reader.reading('text', text_key, () =>
      findRecent(reader, 'named texts', text_key, () =>
        reader.get<Omit<NearRecord, 'similarity'> & { text_group: number }>(NAMED, text_key),
      ),
    );
    if (text?.text_group !== TEXT_GROUPS[group]) continue;
    records.push({ sort: text.sort, record_id: text.record_id, similarity, status: text.status });
    if (records.length === limit) break;
  }
  return records;
}

function encode(nearest: readonly NearText[]): Buffer {
  const blob = Buffer.alloc(nearest.length * 8);
  for (const [i, { text_key, similarity }] of nearest.entries()) {
    blob.writeUInt32LE(text_key, 4 * i);
    blob.writeFloatLE(similarity, 4 * (nearest.length + i));
  }
  return blob;
}

function decode(blob: Buffer): NearText[] {
  const count = blob.length / 8;
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const nearest: NearText[] = [];
  for (let i = 0; i < count; i++)
    nearest.push({
      text_key: view.getUint32(4 * i, true),
      similarity: view.getFloat32(4 * (count + i), true),
    });
  return nearest;
}
