import { hash } from 'node:crypto';
import type { SeriesId, SeriesKind } from '../../model/constituent-id.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../store.ts';
import { PRINTS } from './known-prints.ts';

/** Finds alterations of records that no print's hash covers, by what they must be consistent with. */

/**
 * When the first altered definition of a ticker was adopted, found by its digest and by the ticker that its text has;
 * undefined if none was altered.
 */
export function findAlteredDefinition(reader: Reader, { kind, ticker }: SeriesId): Instant | undefined {
  const sql = `SELECT adopted_at, ticker, digest, body FROM definitions
    WHERE kind = @kind AND @ticker IN (ticker, iif(json_valid(body), body ->> 'ticker', NULL)) ORDER BY definition_key`;
  type Row = { adopted_at: Instant; ticker: string; digest: string; body: string };
  const rows = reader.all<Row>(sql, { kind, ticker });
  const isAltered = (row: Row) => row.ticker !== ticker || row.digest !== hash('sha256', row.body, 'hex');
  return rows.find(isAltered)?.adopted_at;
}

/**
 * Selects the first instant at which revised prints and restatements disagree. The old value of a restatement is that
 * of the previous revision or, for an instant without one, the value in force then, if there was one.
 */
const altered = ({ table, value }: (typeof PRINTS)[SeriesKind]) =>
  `SELECT coalesce(print.at, said.at) AS at
  FROM (SELECT * FROM ${table} WHERE ticker = @ticker AND revision > 0) AS print
  FULL JOIN (SELECT * FROM restatements WHERE kind = @kind AND ticker = @ticker) AS said
    ON said.at = print.at AND said.revision = print.revision
  WHERE said.new_value IS NOT print.${value} OR said.recorded_at IS NOT print.recorded_at
    OR said.old_value IS NOT coalesce((
      SELECT earlier.${value} FROM ${table} AS earlier WHERE earlier.ticker = @ticker
        AND (earlier.at = print.at AND earlier.revision = print.revision - 1
          OR earlier.at < print.at AND earlier.recorded_at < print.recorded_at)
      ORDER BY earlier.at DESC, earlier.revision DESC LIMIT 1), print.${value})
    OR said.reason <> 'half_cent_replaced' AND NOT EXISTS (
      SELECT 1 FROM recalculations AS done WHERE done.kind = @kind AND done.ticker = @ticker
        AND done.recorded_at = said.recorded_at AND done.reason = said.reason
        AND said.at BETWEEN done.from_at AND done.until_at)
  ORDER BY 1 LIMIT 1`;

/** The first instant at which the revised prints and the restatements of a ticker disagree; undefined if none. */
export function findAlteredRestatement(reader: Reader, { kind, ticker }: SeriesId): Instant | undefined {
  return reader.value(altered(PRINTS[kind]), { kind, ticker });
}
