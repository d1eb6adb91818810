import { parseInstant } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import type { Outcome, Parent } from './wire.ts';

/** What an outcome asks, and until when, as far as its coded description says. */
export interface OutcomeText {
  question: string;
  /** Absent where the description is a code and not a text. */
  description: string | undefined;
  closes_at: Instant | undefined;
}

/**
 * The text of an outcome. Recurring markets and templates come as codes, `class:priceBinary|underlying:BTC|…`,
 * of which the known ones are put into words; an unknown one passes as it stands.
 *
 * @param parent the question that it is an answer to
 */
export function outcomeText(row: Outcome, parent: Parent | undefined): OutcomeText {
  const own = fieldsOf(row.description);
  const fields = new Map([...fieldsOf(parent?.description), ...own]);
  const coded = isCode(row.name) || own.has('class') || own.has('index');
  const closes_at = timeOf(fields);
  if (!coded) {
    const question = parent ? `${questionTitle(parent)} – ${row.name}` : row.name;
    return { question, description: row.description ?? parent?.description, closes_at };
  }
  const words = priceWords(row, fields);
  const question = words === undefined ? (row.description ?? row.name) : `${words}${atTime(closes_at)}?`;
  return { question, description: undefined, closes_at };
}

/** The title of a question. */
export function questionTitle(row: Parent): string {
  const fields = fieldsOf(row.description);
  const underlying = fields.get('underlying') ?? fields.get('perp');
  if (!isCode(row.name)) return row.name;
  return underlying === undefined ? (row.description ?? row.name) : `${underlying}${atTime(timeOf(fields))}`;
}

/** When a question's answer is known, if its description says. */
export function questionCloses(row: Parent): Instant | undefined {
  return timeOf(fieldsOf(row.description));
}

function isCode(name: string): boolean {
  return name === 'Recurring' || name.startsWith('template:');
}

// Values may hold a colon themselves: perp:xyz:SILVER.
function fieldsOf(description: string | undefined): Map<string, string> {
  const fields = new Map<string, string>();
  for (const part of (description ?? '').split('|')) {
    const match = /^(\w+):(.*)$/s.exec(part);
    if (!match) return new Map();
    fields.set(match[1] ?? '', match[2] ?? '');
  }
  return fields;
}

function timeOf(fields: ReadonlyMap<string, string>): Instant | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)$/.exec(fields.get('expiry') ?? fields.get('time') ?? '');
  return match ? parseInstant(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:00Z`) : undefined;
}

function atTime(at: Instant | undefined): string {
  return at === undefined ? '' : ` at ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function priceWords(row: Outcome, fields: ReadonlyMap<string, string>): string | undefined {
  const { underlying, targetPrice, perp, threshold } = Object.fromEntries(fields);
  if (fields.get('class') === 'priceBinary' && underlying && targetPrice)
    return `${underlying} above ${targetPrice}`;
  if (row.name === 'template:binaryPrice' && perp && threshold) return `${perp} above ${threshold}`;
  return fields.get('class') === 'priceBucket' && underlying ? bucketWords(underlying, fields) : undefined;
}

function bucketWords(underlying: string, fields: ReadonlyMap<string, string>): string | undefined {
  const thresholds = (fields.get('priceThresholds') ?? '').split(',').filter((each) => each !== '');
  const index = Number(fields.get('index') ?? Number.NaN);
  const [low, high] = [thresholds[index - 1], thresholds[index]];
  if (low !== undefined && high !== undefined) return `${underlying} between ${low} and ${high}`;
  if (high !== undefined && index === 0) return `${underlying} below ${high}`;
  return low === undefined ? undefined : `${underlying} above ${low}`;
}
