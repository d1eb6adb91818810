import { given } from '../../../model/given.ts';
import type { Instant } from '../../../model/units.ts';
import { yesName } from '../../catalog/yes-side.ts';
import { closesAt, type Fields, fieldsOf, shownField, shownTime } from './fields.ts';
import { fill, type Template, type Templates } from './templates.ts';
import type { Outcome, Parent } from './wire.ts';

/** The title, description, categories and closing time of an outcome or a question, as far as the venue gives them. */
export interface Text {
  title: string;
  description: string | undefined;
  category: string | undefined;
  tags: string[];
  closes_at: Instant | undefined;
}

/** The text of an outcome, and what its Yes side stands for, such as a team; undefined if it is just called Yes. */
export interface OutcomeText extends Text {
  yes: string | undefined;
  /** The names of both sides as they are shown. */
  sides: readonly (string | undefined)[];
}

/** The text of a question. */
export function questionText(row: Parent, templates: Templates): Text {
  return textOf(row, fieldsOf(row.description), templates);
}

/**
 * The text of an outcome. The title of one that answers a question names both. Recurring markets are coded, as in
 * `class:priceBinary|underlying:BTC|…`: known codes are put into words, unknown ones are left as they are.
 *
 * @param parent the question that the outcome answers
 */
export function outcomeText(row: Outcome, parent: Parent | undefined, templates: Templates): OutcomeText {
  const fields = new Map([...fieldsOf(parent?.description), ...fieldsOf(row.description)]);
  const sides = [0, 1].map((side) => sideName(row.sideSpecs?.[side]?.name ?? '', fields));
  const text = { ...textOf(row, fields, templates), yes: yesName(sides, 0), sides };
  if (!parent) return text;
  const asked = questionText(parent, templates);
  return {
    ...text,
    title: fields.has('index') ? text.title : `${asked.title} – ${text.title}`,
    description: text.description ?? asked.description,
  };
}

type Row = Pick<Parent, 'name' | 'description'>;

const TEMPLATE = 'template:';
/** Name of the outcome that pays if no named answer does. */
const FALLBACK = /\bfallback$/i;
const METADATA = 'metadata=';
const NONE = 'N/A';

function textOf(row: Row, fields: Fields, templates: Templates): Text {
  const { title, rules } = wordsOf(row, fields, templates);
  return { title, ...filedUnder(rules), closes_at: closesAt(fields) };
}

function wordsOf({ name, description }: Row, fields: Fields, templates: Templates): Template {
  if (FALLBACK.test(name)) return { title: 'Other' };
  const own = fieldsOf(description);
  if (name.startsWith(TEMPLATE)) {
    const id = name.slice(TEMPLATE.length);
    const template = templates.get(id);
    if (!template) return { title: plainTitle(id, own) };
    return { title: fill(template.title, fields), rules: fill(template.rules ?? '', fields) };
  }
  if (name === 'Recurring' || own.has('class') || own.has('index'))
    return { title: priceWords(fields) ?? description ?? name };
  return { title: name, ...given({ rules: description }) };
}

// A side of a templated outcome is one of the template's words, or a placeholder: `template:{shortNameA}`.
function sideName(name: string, fields: Fields): string | undefined {
  return (name.startsWith(TEMPLATE) ? fill(name.slice(TEMPLATE.length), fields) : name) || undefined;
}

/** The title for an unknown template: its name and the values of the fields. */
function plainTitle(id: string, fields: Fields): string {
  const name = id.replace(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase();
  const values = [...fields.values()].filter((each) => each !== '').map(shownField);
  return values.length > 0 ? `${name}: ${values.join(', ')}` : name;
}

function priceWords(fields: Fields): string | undefined {
  const { class: kind, underlying, targetPrice, index } = Object.fromEntries(fields);
  const at = closesAt(fields);
  const time = at === undefined ? '' : ` at ${shownTime(at)}`;
  if (!underlying) return undefined;
  if (kind === 'priceBinary' && targetPrice) return `${underlying} above ${targetPrice}${time}?`;
  if (kind !== 'priceBucket') return undefined;
  if (index === undefined) return `${underlying}${time}`;
  const bucket = bucketWords(fields);
  return bucket === undefined ? undefined : `${underlying} ${bucket}${time}?`;
}

function bucketWords(fields: Fields): string | undefined {
  const thresholds = (fields.get('priceThresholds') ?? '').split(',').filter((each) => each !== '');
  const index = Number(fields.get('index') ?? Number.NaN);
  const [low, high] = [thresholds[index - 1], thresholds[index]];
  if (low !== undefined && high !== undefined) return `between ${low} and ${high}`;
  if (high !== undefined && index === 0) return `below ${high}`;
  return low === undefined ? undefined : `above ${low}`;
}

/** Splits rules into the description and the categories at its end: `metadata=category:sports|subCategory:football`. */
function filedUnder(rules = ''): Pick<Text, 'description' | 'category' | 'tags'> {
  const [words = '', metadata] = rules.split(METADATA);
  const fields = fieldsOf(metadata);
  const [category, tag] = ['category', 'subCategory'].map((name) => fields.get(name) || undefined);
  return {
    description: words.trim() || undefined,
    category: category === NONE ? undefined : category,
    tags: tag === undefined || tag === NONE ? [] : [tag],
  };
}
