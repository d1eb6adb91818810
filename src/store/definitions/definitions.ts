import { z } from 'zod';
import type { SeriesId, SeriesKind } from '../../model/constituent-id.ts';
import type { Definition } from '../../model/definitions/definition.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { getOrInsert } from '../../model/memoized.ts';
import type { Instant } from '../../model/units.ts';
import { parseRecord } from '../read-record.ts';
import type { Reader } from '../store.ts';

/** A definition with the key that its prints refer to. */
export interface Adopted<Definition> {
  definition_key: number;
  /** Position in the published presentation order. */
  position: number;
  adopted_at: Instant;
  definition: Definition;
}

/** Definitions by their tickers. */
export function byTicker<Definition extends { ticker: string }>(
  adopted: readonly { definition: Definition }[],
): Map<string, Definition> {
  return new Map(adopted.map(({ definition }) => [definition.ticker, definition]));
}

/** The row of a definition, without its body. */
export interface DefinitionRow {
  definition_key: number;
  kind: SeriesKind;
  ticker: string;
  digest: string;
  position: number;
  adopted_at: Instant;
  takes_effect_at: Instant;
  withdrawn_at: Instant | null;
}

// The columns of DefinitionRow. The body is long and usually cached.
const ROW = 'definition_key, kind, ticker, digest, position, adopted_at, withdrawn_at, takes_effect_at';

/** The rows of the definitions in force of a kind, in presentation order. */
export function selectRows(reader: Reader, kind: SeriesKind): readonly DefinitionRow[] {
  return reader.once(`definitions ${kind}`, () =>
    reader.all<DefinitionRow>(
      `SELECT ${ROW} FROM definitions WHERE kind = ? AND withdrawn_at IS NULL ORDER BY position, ticker`,
      kind,
    ),
  );
}

// Bodies by digest: these never change, and every request needs the same few.
const parsed = new Map<string, unknown>();

/** What every definition has. */
const DEFINED = z.object({ ticker: z.string(), methodology: z.string() });

/** A definition by its row. */
export function adopted<Definition>(reader: Reader, row: DefinitionRow): Adopted<Definition> {
  const definition = getOrInsert(parsed, row.digest, () => {
    const sql = 'SELECT body FROM definitions WHERE definition_key = ?';
    const body = reader.value<string>(sql, row.definition_key) ?? 'null';
    return parseRecord(body, `the definition of ${row.ticker}`, DEFINED);
  });
  const { definition_key, position, adopted_at } = row;
  return { definition_key, position, adopted_at, definition: definition as Definition };
}

/** The newest index definitions, in presentation order. Some may not have taken effect yet. */
export function listIndexDefinitions(reader: Reader): Adopted<IndexDefinition>[] {
  return selectRows(reader, 'index').map((row) => adopted(reader, row));
}

/** The index definitions in effect at an instant, in presentation order. */
export function listIndexDefinitionsAt(reader: Reader, at: Instant): Adopted<IndexDefinition>[] {
  return selectRows(reader, 'index').map((row) => ({
    ...adopted<IndexDefinition>(reader, inForceAt(reader, row, at)),
    position: row.position,
  }));
}

// A version that was replaced before it took effect never took effect.
const VERSIONS = `SELECT ${ROW} FROM definitions WHERE kind = 'index' AND ticker = ?
  AND (withdrawn_at IS NULL OR withdrawn_at >= takes_effect_at)`;

/** The version of an index that is in effect at an instant. The first version is in effect from the beginning. */
export function inForceAt(reader: Reader, newest: DefinitionRow, at: Instant): DefinitionRow {
  if (newest.takes_effect_at <= at) return newest;
  const sql = `${VERSIONS} AND takes_effect_at <= ? ORDER BY definition_key DESC LIMIT 1`;
  return reader.get<DefinitionRow>(sql, newest.ticker, at) ?? newest;
}

/** The rate definitions in force, in presentation order. */
export function listRateDefinitions(reader: Reader): Adopted<RateDefinition>[] {
  return selectRows(reader, 'rate').map((row) => adopted(reader, row));
}

/** A definition with the time during which it was in force. */
export type InForce = IndexInForce | RateInForce;
export type IndexInForce = DefinitionRow & { kind: 'index'; definition: IndexDefinition };
export type RateInForce = DefinitionRow & { kind: 'rate'; definition: RateDefinition };

/** Every definition ever adopted, by kind and ticker, oldest first. */
export function listDefinitionHistory(reader: Reader): InForce[] {
  return listInForce(reader, 'ORDER BY kind, ticker, definition_key');
}

/** Every definition of an index or rate that was ever adopted, oldest first. */
export function listAdopted(reader: Reader, { kind, ticker }: SeriesId): InForce[] {
  return listInForce(reader, 'WHERE kind = ? AND ticker = ? ORDER BY definition_key', kind, ticker);
}

function listInForce(reader: Reader, which: string, ...values: string[]): InForce[] {
  const rows = reader.all<DefinitionRow>(`SELECT ${ROW} FROM definitions ${which}`, ...values);
  return rows.map((row) => ({ ...row, ...adopted(reader, row) }) as InForce);
}

/** A version of an index definition with the instant from which it determines what is priced. */
export interface Version extends Adopted<IndexDefinition> {
  takes_effect_at: Instant;
}

/** The versions of an index that took or will take effect, oldest first. */
export function listVersions(reader: Reader, ticker: string): Version[] {
  const rows = reader.all<DefinitionRow>(`${VERSIONS} ORDER BY definition_key`, ticker);
  return rows.map((row) => ({
    ...adopted<IndexDefinition>(reader, row),
    takes_effect_at: row.takes_effect_at,
  }));
}

/** A definition by the key that prints refer to, whether or not it is still in force. */
export function findDefinition<Definition extends IndexDefinition | RateDefinition>(
  reader: Reader,
  definitionKey: number,
): Definition | undefined {
  const row = reader.get<DefinitionRow>(
    `SELECT ${ROW} FROM definitions WHERE definition_key = ?`,
    definitionKey,
  );
  return row && adopted<Definition>(reader, row).definition;
}

/** The last definition of a ticker, in force or withdrawn. */
export function findNewestDefinition(reader: Reader, { kind, ticker }: SeriesId): Definition | undefined {
  const row = selectNewest(reader, kind, ticker);
  return row && adopted<Definition>(reader, row).definition;
}

/** The row of the last definition of a ticker, in force or withdrawn. */
export function selectNewest(reader: Reader, kind: SeriesKind, ticker: string): DefinitionRow | undefined {
  return reader.get<DefinitionRow>(
    `SELECT ${ROW} FROM definitions WHERE kind = ? AND ticker = ? ORDER BY definition_key DESC LIMIT 1`,
    kind,
    ticker,
  );
}

/** When a ticker was first adopted; undefined if never. */
export function findFirstAdoption(reader: Reader, { kind, ticker }: SeriesId): Instant | undefined {
  return reader.value('SELECT min(adopted_at) FROM definitions WHERE kind = ? AND ticker = ?', kind, ticker);
}
