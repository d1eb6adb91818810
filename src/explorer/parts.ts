import { html, nothing, type TemplateResult } from 'lit-html';
import { unsafeHTML } from 'lit-html/directives/unsafe-html.js';
import { formatChange, formatMoment } from '../charts/wording.ts';
import type { Documents } from './documents.ts';
import type { IndexDetail, RateDetail } from './public-documents.ts';
import { counted, gradeInWords, spanInWords } from './words.ts';

type Part = TemplateResult | typeof nothing;

/** A picture that charts drew: markup of our own, all text in it escaped. */
export function drawing(svg: string | undefined): Part {
  return svg === undefined ? nothing : html`${unsafeHTML(svg)}`;
}

/** A number as it is published, with how it is written for people. */
export function figure(value: number, text: string): TemplateResult {
  return html`<data value=${value}>${text}</data>`;
}

/** A change, coloured by its sign; a dash where there is none. */
export function change(value: number | undefined, unit: string): TemplateResult {
  if (value === undefined) return html`<span class="faint">–</span>`;
  const side = value > 0 ? 'rise' : value < 0 ? 'fall' : 'faint';
  return html`<data class=${side} value=${value}>${formatChange(value, unit)}</data>`;
}

/** An instant, readable by people and machines. */
export function moment(instant: string | undefined): Part {
  return instant === undefined ? nothing : html`<time datetime=${instant}>${formatMoment(instant)}</time>`;
}

type Confident = Pick<IndexDetail, 'coverage' | 'latest_print_at' | 'latest_price'> & {
  confidence?: (Partial<Confidence<IndexDetail> & Confidence<RateDetail>> & { grade: string }) | undefined;
};
type Confidence<Detail extends IndexDetail | RateDetail> = NonNullable<Detail['confidence']>;

/** The grade of a value, and marks for what readers should know of it: quiet, partly held, not published yet. */
export function marks({ confidence, coverage, latest_print_at, latest_price }: Confident): TemplateResult {
  const held = coverage === undefined ? 0 : Math.round(100 * (1 - coverage));
  return html`<span class="marks">
    ${
      confidence
        ? html`<abbr class="grade grade-${confidence.grade}" title="Confidence ${confidence.grade}: ${gradeInWords(confidence.grade)}">${confidence.grade}</abbr>`
        : nothing
    }
    ${held > 0 ? html`<span class="mark" title="Share of the value whose books fail a check and which is held at its last good mark">${held}% held</span>` : nothing}
    ${
      latest_price === undefined
        ? html`<span class="mark">${latest_print_at === undefined ? 'not published yet' : 'quiet'}</span>`
        : nothing
    }
  </span>`;
}

/** A grade with all that earns it, in words. */
export function confidenceInWords({ confidence }: Confident): Part {
  if (!confidence) return nothing;
  const { grade, oldest_input_age_seconds: age, median_spread: spread } = confidence;
  const inputs = confidence.effective_names ?? confidence.effective_sources;
  return html`<p>
    Confidence ${grade}: ${gradeInWords(grade)}.
    ${inputs === undefined ? nothing : html`It rests on as much as ${counted(Number(inputs.toFixed(1)), 'equal input')}.`}
    ${age === undefined ? nothing : html`The oldest input was ${spanInWords(age)} old at the print.`}
    ${spread === undefined ? nothing : html`The median spread of the books is ${spread.toFixed(2)}¢.`}
  </p>`;
}

/** The requests that give the JSON behind a page, each with a button that copies it. */
export async function requestLines(
  documents: Documents,
  asked: readonly { path: string; id?: string; parameters?: Record<string, string> }[],
): Promise<TemplateResult> {
  const offered = asked.filter((each) => documents.offers(each.path));
  const addresses = await Promise.all(
    offered.map(({ path, id, parameters }) => documents.addressOf(path, id, parameters)),
  );
  return html`<section class="requests">
    <h2>The JSON behind this page</h2>
    ${addresses.map(requestLine)}
  </section>`;
}

/** One request, to copy or to follow. */
export function requestLine(address: string): TemplateResult {
  const command = `curl -s '${address.replaceAll("'", '%27')}'`;
  return html`<div class="request">
    <code tabindex="0">${command}</code>
    <button type="button" aria-label="Copy ${command}" @click=${(event: Event) => copy(event, command)}>Copy</button>
    <a href=${address}>Open</a>
  </div>`;
}

/** Copies a text; where the browser does not allow that, marks it, so that the reader can. */
async function copy(event: Event, text: string): Promise<void> {
  const button = event.currentTarget as HTMLButtonElement;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    const code = button.previousElementSibling;
    if (code) getSelection()?.selectAllChildren(code);
    button.textContent = 'Selected';
  }
}
