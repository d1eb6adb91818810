import { eachRow, type ReadPage, readEnvelope } from '../../wire/wire-rows.ts';
import { type Fields, shownField } from './fields.ts';
import * as wire from './wire.ts';

/** What those who list outcomes may ask, in words with places for the fields of a description. */
export interface Template {
  title: string;
  rules?: string | undefined;
}

/** The templates of the venue, by the name that an outcome or question bears behind `template:`. */
export type Templates = ReadonlyMap<string, Template>;

/** The venue's registry of templates, read. */
export interface TemplatesPage extends ReadPage {
  templates: Map<string, Template>;
}

/** Reads the venue's registry of templates. */
export function parseTemplates(json: unknown): TemplatesPage {
  const values = readEnvelope(wire.templates, json);
  const page: TemplatesPage = { read: values.length, rejections: [], templates: new Map() };
  for (const { row } of eachRow(page, wire.template, values, 'id'))
    page.templates.set(row.id, { title: row.name, rules: row.description });
  return page;
}

/**
 * Words with fields in their places. A place without a field stays empty.
 *
 * @example fill('{a} v {b}', new Map([['a', 'Spain'], ['b', 'Italy']])) // 'Spain v Italy'
 */
export function fill(words: string, fields: Fields): string {
  return words
    .replace(/\{(\w+)\}/g, (_place, name: string) => shownField(fields.get(name) ?? ''))
    .replaceAll('UTC UTC', 'UTC')
    .replace(/ +(?=[ .,:;?!])/g, '')
    .trim();
}
