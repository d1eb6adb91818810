import type { MarketStatus } from '../model/catalog.ts';
import type { RelationSort, TextGroup } from '../model/relations.ts';
import { TEXT_GROUPS } from '../model/relations.ts';
import type { Reader, Writer } from './store.ts';

/** A text near another, by its key. */
export interface NearText {
  text_key: number;
  /** 0 to 1. */
  similarity: number;
}

/** A record near another. */
export interface NearRecord {
  sort: RelationSort;
  record_id: string;
  similarity: number;
  /** Of a market that the catalog knows; null of all else. */
  status: MarketStatus | null;
}

// All of a list in one statement, which takes a third of the time of one for each. The plus keeps what is bound from
// the planner, which would plan anew for each list.
const NEAR = `SELECT near.key AS place, sort, record_id, status
  FROM json_each(?) AS near CROSS JOIN relation_texts ON text_key = near.value
    LEFT JOIN markets ON market_id = record_id
  WHERE text_group = +? ORDER BY near.key LIMIT +?`;

/** The neighbours that a text has in a group, the nearest first, as they were kept. */
export function findNeighbours(reader: Reader, textKey: number, group: number): NearText[] {
  const row = reader.get<{ nearest: Buffer }>(
    'SELECT nearest FROM neighbours WHERE text_key = ? AND text_group = ?',
    textKey,
    group,
  );
  return row ? decode(row.nearest) : [];
}

/** Keeps the neighbours of a text in a group, in place of those before. */
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

/** Every list of the store. Cost: one pass over all lists. */
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
 * The records of a group that stand nearest to a record, the nearest first. A market that no longer trades and a text
 * that is gone are passed over.
 */
export function listNearRecords(
  reader: Reader,
  of: { sort: RelationSort; record_id: string },
  group: TextGroup,
  limit: number,
): NearRecord[] {
  const own = reader.get<{ text_key: number }>(
    'SELECT text_key FROM relation_texts WHERE sort = ? AND record_id = ?',
    of.sort,
    of.record_id,
  );
  const nearest = own ? findNeighbours(reader, own.text_key, TEXT_GROUPS[group]) : [];
  if (nearest.length === 0) return [];
  const keys = JSON.stringify(nearest.map((each) => each.text_key));
  const rows = reader.all<Omit<NearRecord, 'similarity'> & { place: number }>(
    NEAR,
    keys,
    TEXT_GROUPS[group],
    limit,
  );
  return rows.map(({ place, ...row }) => ({ ...row, similarity: nearest[place]?.similarity ?? 0 }));
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
  return Array.from({ length: count }, (_, i) => ({
    text_key: blob.readUInt32LE(4 * i),
    similarity: blob.readFloatLE(4 * (count + i)),
  }));
}
