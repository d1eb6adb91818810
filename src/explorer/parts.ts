import { html, nothing, type TemplateResult } from 'lit-html';
import { unsafeHTML } from 'lit-html/directives/unsafe-html.js';
import {
  formatCents,
  formatChange,
  formatDay,
  formatLevel,
  formatMoment,
  formatShare,
  wayOf,
} from '../charts/wording.ts';
import { counted, formatCount } from '../model/counted.ts';
import type { Market } from './public-documents.ts';
import { statusInWords } from './words.ts';

type Part = TemplateResult | typeof nothing;

/** A picture drawn by charts: our own markup, with all text escaped. */
export function drawing(svg: string | undefined): Part {
  return svg === undefined ? nothing : html`${unsafeHTML(svg)}`;
}

/** A published number, formatted for people. */
export function figure(value: number, text: string): TemplateResult {
  return html`<data value=${value}>${text}</data>`;
}

/** A change, coloured by the sign that is shown; a dash where there is none. */
export function change(value: number | undefined, unit: string): TemplateResult {
  if (value === undefined) return dash;
  const text = formatChange(value, unit);
  return html`<data class=${wayOf(text) ?? 'faint'} value=${value}>${text}</data>`;
}

/** An instant, readable by people and machines. */
export function moment(instant: string | undefined): Part {
  return instant === undefined ? nothing : html`<time datetime=${instant}>${formatMoment(instant)}</time>`;
}

/** A day, readable by people and machines. */
export function day(of: string | undefined): Part {
  return of === undefined ? nothing : html`<time datetime=${of}>${formatDay(of)}</time>`;
}

/** A price in cents; a dash where there is none. */
export function price(cents: number | undefined): TemplateResult {
  return cents === undefined ? dash : figure(cents, formatCents(cents));
}

/** A level; a dash where there is none. */
export function level(value: number | undefined): TemplateResult {
  return value === undefined ? dash : figure(value, formatLevel(value));
}

/** A fraction in percent; a dash where there is none. */
export function share(fraction: number | undefined): TemplateResult {
  return fraction === undefined ? dash : figure(fraction, formatShare(fraction));
}

/** A count to the nearest whole; a dash where there is none. */
export function count(of: number | undefined): TemplateResult | string {
  return of === undefined ? dash : formatCount(Math.round(of));
}

/** The lifetime volume of a market in its venue's unit; a dash where it is unknown. */
export function volumeOf({ volume, volume_unit }: Market): TemplateResult {
  return html`${count(volume)} ${volume === undefined ? nothing : volume_unit}`;
}

/** Shown where there is no figure. */
const dash = html`<span class="faint">–</span>`;

/** Figures under their names; those without a value are left out. */
export function figures(rows: readonly (readonly [name: string, value: unknown])[]): TemplateResult {
  return html`<dl class="figures">
    ${rows.map(([name, value]) => (value === undefined ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
  </dl>`;
}

/** A figure for each of some numbers of days. */
export function overDays(spans: readonly number[], figureOf: (days: number) => unknown) {
  return spans.map((days) => [counted(days, 'day'), figureOf(days)] as const);
}

/** A mark beside a market that is not trading. */
export function statusMark(status: string): Part {
  return status === 'active' ? nothing : html`<span class="mark">${statusInWords(status)}</span>`;
}
