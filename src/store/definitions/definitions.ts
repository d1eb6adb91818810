import { hash } from 'node:crypto';
import type { SeriesKind } from '../../model/constituent-id.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { EarlierVersions } from '../../model/definitions/index-versions.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { given } from '../../model/given.ts';
import type { Instant } from '../../model/units.ts';
import { marketKey } from '../catalog/market-names.ts';
import { findCalculatedTo } from '../prints/standings.ts';
import type { Reader, Writer } from '../store.ts';

/** A definition in force, with the key that its prints name. */
export interface Adopted<Definition> {
  definition_key: number;
  /** Place in the published presentation order. */
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

interface DefinitionRow {
  definition_key: number;
  kind: SeriesKind;
  ticker: string;
  digest: string;
  position: number;
  adopted_at: Instant;
  takes_effect_at: Instant;
  withdrawn_at: Instant | null;
}

/** The tickers that an adoption added, changed or withdrew. */
export interface AdoptionReport {
  added: string[];
  changed: string[];
  withdrawn: string[];
}

/** A definition as its files have it. */
interface Defined {
  kind: SeriesKind;
  definition: IndexDefinition | RateDefinition;
  /** Place in the presentation order. */
  position: number;
}

interface AdoptionOptions {
  keepMissing: boolean;
  /** From when on a changed index definition says what is priced; at once when left out. */
  effectOf?: (earlier: EarlierVersions, after: IndexDefinition) => Instant;
}

/**
 * Puts definitions in force. One that changed gets a new key and the earlier one is kept, since prints name
 * it; one that is no longer there is withdrawn: its prints stay, it is no longer calculated or listed.
 * With `keepMissing` nothing is withdrawn, because a file that could not be read is not a file taken away.
 *
 * @returns tickers that are new, changed or withdrawn
 */
export function adoptDefinitions(
  writer: Writer,
  definitions: { indices: readonly IndexDefinition[]; rates: readonly RateDefinition[] },
  now: Instant,
  options: AdoptionOptions,
): AdoptionReport {
  const report: AdoptionReport = { added: [], changed: [], withdrawn: [] };
  const kinds = [
    ['index', definitions.indices],
    ['rate', definitions.rates],
  ] as const;
  for (const [kind, list] of kinds) {
    const inForce = new Map(selectRows(writer, kind).map((row) => [row.ticker, row]));
    for (const [position, definition] of list.entries()) {
      const { ticker } = definition;
      const came = adopt(writer, { kind, definition, position }, inForce.get(ticker), now, options);
      inForce.delete(ticker);
      if (came) report[came].push(ticker);
    }
    for (const gone of options.keepMissing ? [] : inForce.values()) {
      withdraw(writer, gone, now);
      report.withdrawn.push(gone.ticker);
    }
  }
  return report;
}

/** Puts one definition in force. @returns nothing where it is in force already */
function adopt(
  writer: Writer,
  { kind, definition, position }: Defined,
  before: DefinitionRow | undefined,
  now: Instant,
  options: AdoptionOptions,
): 'added' | 'changed' | undefined {
  const body = JSON.stringify(definition);
  const digest = hash('sha256', body, 'hex');
  if (before?.digest === digest) {
    const sql = 'UPDATE definitions SET position = ? WHERE definition_key = ?';
    writer.run(sql, position, before.definition_key);
    return undefined;
  }
  for (const id of marketsOf(definition)) marketKey(writer, id);
  // A definition that comes back after it was withdrawn follows its last version.
  const earlier = before ?? selectNewest(writer, kind, definition.ticker);
  const takesEffectAt = earlier ? effectOf(writer, earlier, definition, now, options) : 0;
  if (before) withdraw(writer, before, now);
  writer.run(
    `INSERT INTO definitions (kind, ticker, digest, body, position, adopted_at, takes_effect_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    kind,
    definition.ticker,
    digest,
    body,
    position,
    now,
    takesEffectAt,
  );
  return earlier ? 'changed' : 'added';
}

function effectOf(
  reader: Reader,
  newest: DefinitionRow,
  after: IndexDefinition | RateDefinition,
  now: Instant,
  options: AdoptionOptions,
): Instant {
  if ('sources' in after || !options.effectOf) return now;
  const { definition } = adopted<IndexDefinition>(reader, newest);
  const pending = { definition, takes_effect_at: newest.takes_effect_at };
  const inForce = inForceAt(reader, newest, newest.withdrawn_at ?? now);
  const isPending = inForce !== newest && newest.withdrawn_at === null;
  return options.effectOf(
    {
      inForce: adopted<IndexDefinition>(reader, inForce).definition,
      ...(isPending ? { pending } : {}),
      ...given({ calculated_to: findCalculatedTo(reader, 'index', newest.ticker) }),
    },
    after,
  );
}

// It stays in force through the last instant that was calculated by it.
function withdraw(writer: Writer, { kind, ticker, definition_key }: DefinitionRow, now: Instant): void {
  writer.run(
    `UPDATE definitions SET withdrawn_at = max(?, coalesce(
       (SELECT calculated_to + 1 FROM standings WHERE kind = ? AND ticker = ?), 0)) WHERE definition_key = ?`,
    now,
    kind,
    ticker,
    definition_key,
  );
}

// Without the body, which is long and mostly known.
const ROW = 'definition_key, kind, ticker, digest, position, adopted_at, withdrawn_at, takes_effect_at';

function selectRows(reader: Reader, kind: SeriesKind): readonly DefinitionRow[] {
  return reader.once(`definitions ${kind}`, () =>
    reader.all<DefinitionRow>(
      `SELECT ${ROW} FROM definitions WHERE kind = ? AND withdrawn_at IS NULL ORDER BY position, ticker`,
      kind,
    ),
  );
}

// A body never changes under its digest, and every request asks for the same few.
const parsed = new Map<string, unknown>();

function adopted<Definition>(reader: Reader, row: DefinitionRow): Adopted<Definition> {
  let definition = parsed.get(row.digest);
  if (definition === undefined) {
    const sql = 'SELECT body FROM definitions WHERE definition_key = ?';
    definition = JSON.parse(reader.value<string>(sql, row.definition_key) ?? 'null');
    parsed.set(row.digest, definition);
  }
  const { definition_key, position, adopted_at } = row;
  return { definition_key, position, adopted_at, definition: definition as Definition };
}

/** The index definitions that were adopted last, in presentation order. One may not have taken effect yet. */
export function listIndexDefinitions(reader: Reader): Adopted<IndexDefinition>[] {
  return selectRows(reader, 'index').map((row) => adopted(reader, row));
}

/** The index definitions that say what is priced at an instant, in presentation order. */
export function listIndexDefinitionsAt(reader: Reader, at: Instant): Adopted<IndexDefinition>[] {
  return selectRows(reader, 'index').map((row) => ({
    ...adopted<IndexDefinition>(reader, inForceAt(reader, row, at)),
    position: row.position,
  }));
}

// A version that was replaced before it took effect never took effect.
const VERSIONS = `SELECT ${ROW} FROM definitions WHERE kind = 'index' AND ticker = ?
  AND (withdrawn_at IS NULL OR withdrawn_at >= takes_effect_at)`;

/** The version of an index that is in force at an instant; before its first, the oldest. */
function inForceAt(reader: Reader, newest: DefinitionRow, at: Instant): DefinitionRow {
  if (newest.takes_effect_at <= at) return newest;
  const sql = `${VERSIONS} AND takes_effect_at <= ? ORDER BY definition_key DESC LIMIT 1`;
  return reader.get<DefinitionRow>(sql, newest.ticker, at) ?? newest;
}

/** The rate definitions in force, in presentation order. */
export function listRateDefinitions(reader: Reader): Adopted<RateDefinition>[] {
  return selectRows(reader, 'rate').map((row) => adopted(reader, row));
}

/** A definition with the stretch of time in which it was in force. */
export interface InForce extends DefinitionRow {
  definition: IndexDefinition | RateDefinition;
}

/** Every definition that ever was in force, by ticker, the oldest first. */
export function listDefinitionHistory(reader: Reader): InForce[] {
  const rows = reader.all<DefinitionRow>(
    `SELECT ${ROW} FROM definitions ORDER BY kind, ticker, definition_key`,
  );
  return rows.map((row) => ({ ...row, ...adopted<InForce['definition']>(reader, row) }));
}

/** A version of an index definition with the instant from which on it says what is priced. */
export interface Version extends Adopted<IndexDefinition> {
  takes_effect_at: Instant;
}

/** The versions of an index that took or will take effect, the oldest first. */
export function listVersions(reader: Reader, ticker: string): Version[] {
  const rows = reader.all<DefinitionRow>(`${VERSIONS} ORDER BY definition_key`, ticker);
  return rows.map((row) => ({
    ...adopted<IndexDefinition>(reader, row),
    takes_effect_at: row.takes_effect_at,
  }));
}

/** A definition by the key that a print names, in force or not. */
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
export function findNewestDefinition(
  reader: Reader,
  kind: SeriesKind,
  ticker: string,
): IndexDefinition | RateDefinition | undefined {
  const row = selectNewest(reader, kind, ticker);
  return row && adopted<IndexDefinition | RateDefinition>(reader, row).definition;
}

function selectNewest(reader: Reader, kind: SeriesKind, ticker: string): DefinitionRow | undefined {
  return reader.get<DefinitionRow>(
    `SELECT ${ROW} FROM definitions WHERE kind = ? AND ticker = ? ORDER BY definition_key DESC LIMIT 1`,
    kind,
    ticker,
  );
}

/** The instant at which a ticker was adopted first, or undefined when it never was. */
export function findFirstAdoption(reader: Reader, kind: SeriesKind, ticker: string): Instant | undefined {
  return reader.value('SELECT min(adopted_at) FROM definitions WHERE kind = ? AND ticker = ?', kind, ticker);
}

/** The markets that a definition names. */
function marketsOf(definition: IndexDefinition | RateDefinition): string[] {
  const members = 'sources' in definition ? definition.sources : definition.constituents;
  return members.map((each) => each.market_id);
}
