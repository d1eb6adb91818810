import { hash } from 'node:crypto';
import type { SeriesKind } from '../../model/constituent-id.ts';
import { type Definition, isRate, membersOf } from '../../model/definitions/definition.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { EarlierVersions } from '../../model/definitions/index-versions.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { given } from '../../model/given.ts';
import type { Instant } from '../../model/units.ts';
import { marketKey } from '../catalog/market-names.ts';
import { findLastRun } from '../prints/calculations.ts';
import { findCalculatedTo } from '../prints/standings.ts';
import { linkRecord } from '../record-links.ts';
import type { Reader, Writer } from '../store.ts';
import { adopted, type DefinitionRow, inForceAt, selectNewest, selectRows } from './definitions.ts';

/** The tickers that an adoption added, changed or withdrew. */
export interface AdoptionReport {
  added: string[];
  changed: string[];
  withdrawn: string[];
}

/** A definition as read from the files. */
interface Defined {
  kind: SeriesKind;
  definition: Definition;
  /** Position in the presentation order. */
  position: number;
}

interface AdoptionOptions {
  keepMissing: boolean;
  /** Decides when a changed index definition takes effect; at once when left out. */
  effectOf?: (earlier: EarlierVersions, after: IndexDefinition) => Instant;
}

/**
 * Adopts definitions. A changed definition gets a new key, and the earlier version is kept, since prints refer to it. A
 * missing one is withdrawn: its prints stay, but it is no longer calculated or listed. With `keepMissing` nothing is
 * withdrawn, because a file that could not be read has not been deleted.
 *
 * @returns the tickers that are new, changed or withdrawn
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

/** Adopts one definition. @returns undefined when it is unchanged */
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
  for (const id of membersOf(definition)) marketKey(writer, id);
  // A definition that returns after a withdrawal continues from its last version.
  const earlier = before ?? selectNewest(writer, kind, definition.ticker);
  const takesEffectAt = earlier ? effectOf(writer, earlier, definition, now, options) : 0;
  if (before) withdraw(writer, before, now);
  const { key } = writer.run(
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
  linkRecord(writer, 'definition', key);
  return earlier ? 'changed' : 'added';
}

function effectOf(
  reader: Reader,
  newest: DefinitionRow,
  after: Definition,
  now: Instant,
  options: AdoptionOptions,
): Instant {
  if (isRate(after) || !options.effectOf) return now;
  return options.effectOf(earlierVersions(reader, newest, now), after);
}

/** The versions of an index that a changed definition follows. @param newest the last version, withdrawn or not */
export function earlierVersions(reader: Reader, newest: DefinitionRow, now: Instant): EarlierVersions {
  const { definition } = adopted<IndexDefinition>(reader, newest);
  const pending = { definition, takes_effect_at: newest.takes_effect_at };
  const inForce = inForceAt(reader, newest, newest.withdrawn_at ?? now);
  const isPending = inForce !== newest && newest.withdrawn_at === null;
  return {
    inForce: adopted<IndexDefinition>(reader, inForce).definition,
    ...(isPending ? { pending } : {}),
    ...given({ calculated_to: findCalculatedTo(reader, newest) }),
  };
}

// A withdrawn definition stays in force through the last instant that was calculated with it, and through that of a run
// that has begun with it, which may have been cut off.
function withdraw(writer: Writer, { kind, ticker, definition_key }: DefinitionRow, now: Instant): void {
  writer.run(
    `UPDATE definitions SET withdrawn_at = max(?, coalesce(
       (SELECT calculated_to + 1 FROM standings WHERE kind = ? AND ticker = ?), 0)) WHERE definition_key = ?`,
    findLastRun(writer) === now ? now + 1 : now,
    kind,
    ticker,
    definition_key,
  );
  linkRecord(writer, 'withdrawal', definition_key);
}
