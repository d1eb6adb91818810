/** What editors do to a definition, rightly or wrongly. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import type { Workplace } from './workplace.ts';

type Named = Record<string, unknown>;

/** An index or a rate as its file has it. */
interface Written extends Named {
  ticker: string;
  constituents?: Named[];
  sources?: Named[];
}

/** Changes a definition; `pick` chooses among what it has, `now` is the instant of the edit. */
type Edit = (definition: Written, pick: number, now: number) => unknown;

const listOf = ({ constituents, sources }: Written): Named[] => constituents ?? sources ?? [];
const one = (definition: Written, pick: number): Named => {
  const list = listOf(definition);
  return list[pick % Math.max(1, list.length)] ?? {};
};

const MARKETS = ['FED-26DEC-C25', 'FED-27JAN-H0', 'ECB-26DEC-H0', 'BOE-26DEC-C50', 'NONE-26DEC-X'];

const INDICES = ['SIMBOEEASE', 'SIMFEDEASE.TR', 'SIMEASE.G', 'SIMMACRO.1'];
const RATES = ['SIM.FED.2026-12.HOLD', 'SIM.FED.NEXT.HOLD', 'SIM.ECB.2026-12.CUT25'];

const OF_DEFINITIONS: Record<string, Edit> = {
  rename: (definition, pick) => (definition.name = `Name ${pick}`),
  'leave one out': (definition, pick) => listOf(definition).splice(pick % listOf(definition).length, 1),
  'add one': (definition, pick) =>
    listOf(definition).push({ market_id: `venue_a:SIM${MARKETS[pick % MARKETS.length]}` }),
  'contain another': (definition, pick) =>
    listOf(definition).push(
      definition.methodology === 'composite'
        ? { index: INDICES[pick % INDICES.length], category: 'policy' }
        : { rate: RATES[pick % RATES.length] },
    ),
  weigh: (definition, pick) => (one(definition, pick).weight = 1 + (pick % 5)),
  stage: (definition, pick) => (one(definition, pick).status = 'staged'),
  reverse: (definition) => listOf(definition).reverse(),
  'take effect later': (definition, pick, now) =>
    (definition.effective_at = formatInstant(now + (pick % 40) * HOUR_MS)),
  'take effect when announced': (definition) => delete definition.effective_at,
  delete: (definition, pick, now) =>
    (definition.deletions = [
      {
        market_id: one(definition, pick).market_id,
        at: formatInstant(now + ((pick % 9) - 3) * HOUR_MS),
        price_cents: pick % 100,
      },
    ]),
  'delete nothing': (definition) => delete definition.deletions,
  close: (definition) => Object.assign(definition, { visibility: 'organization', organization: 'desk' }),
  open: (definition) => {
    definition.visibility = 'public';
    delete definition.organization;
  },
  rebalance: (definition, pick) =>
    (definition.weighting = {
      ...(definition.weighting as object),
      rebalances: { every: 'month', day: 29 + (pick % 3), time: '10:00' },
    }),
  'check books': (definition, pick) =>
    (definition.book_check = { max_spread_cents: 1 + (pick % 20), max_quote_age_hours: 1 + (pick % 30) }),
  'print at other times': (definition, pick) => (definition.interval_minutes = [15, 30, 60, 120][pick % 4]),
  'begin elsewhere': (definition, pick, now) =>
    (definition[definition.constituents ? 'base_at' : 'start_at'] = formatInstant(
      now + ((pick % 90) - 60) * HOUR_MS,
    )),
  'take another methodology': (definition) => (definition.methodology = 'gauge'),
  misspell: (definition) => (definition.nmae = 'x'),
};

/** What is done to a file, whatever is in it. */
const OF_FILES: Record<string, (file: string, pick: number, place: Workplace) => void> = {
  remove: (file) => rmSync(file),
  empty: (file) => writeFileSync(file, ''),
  break(file, pick) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, pick % Math.max(1, text.length)));
  },
  copy(file, pick) {
    const definition = read(file);
    if (!definition) return;
    const ticker = `${definition.ticker}.${pick % 7}`;
    const copy = join(dirname(file), `${ticker.toLowerCase()}.json`);
    writeFileSync(copy, JSON.stringify({ ...definition, ticker }));
  },
  restore(_file, pick, { first }) {
    const { path, text } = first[pick % first.length] ?? {};
    if (path !== undefined && text !== undefined) writeFileSync(path, text);
  },
};

/** Edits that a run refuses, for which the definition in force stays in force. */
export const MISTAKES = ['begin elsewhere', 'take another methodology', 'misspell', 'empty', 'break'];

/** All other edits, though some do not fit every definition. */
export const EDITS = [...Object.keys(OF_DEFINITIONS), ...Object.keys(OF_FILES)].filter(
  (name) => !MISTAKES.includes(name),
);

/** Edits one of the files, if there is any. */
export function edit(place: Workplace, name: string, pick: number): void {
  const files = place.definitionFiles();
  const file = files[pick % Math.max(1, files.length)] ?? '';
  if (file === '' && name !== 'restore') return;
  OF_FILES[name]?.(file, pick, place);
  const change = OF_DEFINITIONS[name];
  const definition = change && read(file);
  if (!definition) return;
  change(definition, pick, place.now);
  writeFileSync(file, JSON.stringify(definition));
}

/** A definition, unless its file is broken. */
function read(file: string): Written | undefined {
  try {
    const definition: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof definition === 'object' && definition !== null ? (definition as Written) : undefined;
  } catch {
    return undefined;
  }
}
