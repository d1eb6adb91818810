import { eachRow, type ReadPage, readEnvelope } from '../../wire/wire-rows.ts';
import { type Fields, shownField } from './fields.ts';
import * as wire from './wire.ts';

/** A template of the texts of an outcome or question, with placeholders for the fields of its description. */
export interface Template {
  title: string;
  rules?: string | undefined;
}

/** The venue's templates, by the name that an outcome or question has after `template:`. */
export type Templates = ReadonlyMap<string, Template>;

export interface TemplatesPage extends ReadPage {
  templates: Map<string, Template>;
}

/** Parses the venue's registry of templates. */
export function parseTemplates(json: unknown): TemplatesPage {
  const values = readEnvelope(wire.templates, json);
  const page: TemplatesPage = { read: values.length, rejections: [], templates: new Map() };
  for (const { row } of eachRow(page, wire.template, values, 'id'))
    page.templates.set(row.id, { title: row.name, rules: row.description });
  return page;
}

/**
 * Fills the placeholders of a template with fields; one without a field becomes empty.
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
