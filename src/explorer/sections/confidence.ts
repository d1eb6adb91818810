import { html, nothing, type TemplateResult } from 'lit-html';
import { formatCents } from '../../charts/wording.ts';
import { counted } from '../../model/counted.ts';
import type { IndexDetail, RateDetail } from '../public-documents.ts';
import { gradeInWords, spanInWords } from '../words.ts';

const DAY_SECONDS = 86_400;

type Confident = Pick<IndexDetail, 'coverage' | 'latest_print_at' | 'latest_price'> & {
  constituent_count?: number;
  confidence?: (Partial<Confidence<IndexDetail> & Confidence<RateDetail>> & { grade: string }) | undefined;
};
type Confidence<Detail extends IndexDetail | RateDetail> = NonNullable<Detail['confidence']>;

/**
 * The grade of a value, and marks for what readers should know about it: quiet, partly held, ended, names halted, not
 * published yet, or days older than the newest print beside it.
 */
export function marks(
  { confidence, constituent_count: names, coverage, latest_print_at, latest_price }: Confident,
  { halted = 0, newest }: { halted?: number | undefined; newest?: string | undefined } = {},
): TemplateResult {
  const ended = names === 0 && latest_print_at !== undefined;
  const held = ended || coverage === undefined ? 0 : Math.round(100 * (1 - coverage));
  const behind = newest && latest_print_at ? (Date.parse(newest) - Date.parse(latest_print_at)) / 1000 : 0;
  return html`<span class="marks">
    ${
      confidence
        ? html`<abbr class="grade" title="Confidence ${confidence.grade}: ${gradeInWords(confidence.grade, basisOf(confidence))}">${confidence.grade}</abbr>`
        : nothing
    }
    ${ended ? html`<span class="mark" title="All its names have settled or left: the last level stands">ended</span>` : nothing}
    ${held > 0 ? html`<span class="mark" title="Share of the value whose books fail a check and which is held at its last good mark">${held}% held</span>` : nothing}
    ${halted > 0 ? html`<span class="mark" title="Names whose trading is halted at the venue">${halted} halted</span>` : nothing}
    ${
      latest_price === undefined
        ? html`<span class="mark">${latest_print_at === undefined ? 'not published yet' : 'quiet'}</span>`
        : behind >= DAY_SECONDS
          ? html`<span class="mark" title="How much older its last print is than the newest here">${spanInWords(behind)} old</span>`
          : nothing
    }
  </span>`;
}

/** A grade with the figures that it is based on, in words. */
export function confidenceInWords({ confidence }: Confident): TemplateResult | typeof nothing {
  if (!confidence) return nothing;
  const { grade, oldest_input_age_seconds: age, median_spread: spread } = confidence;
  const inputs = confidence.effective_names ?? confidence.effective_sources;
  return html`<p>
    Confidence ${grade}: ${gradeInWords(grade, basisOf(confidence))}.
    ${inputs === undefined ? nothing : html`It rests on the equivalent of ${counted(Number(inputs.toFixed(1)), 'equal input')}.`}
    ${age === undefined ? nothing : html`The oldest input was ${spanInWords(age)} old at the print.`}
    ${spread === undefined ? nothing : html`The median spread of the books is ${formatCents(spread)}.`}
  </p>`;
}

/** What a grade counts first: how much of an index is priced, or the sources of a rate. */
function basisOf({ effective_sources }: NonNullable<Confident['confidence']>): 'coverage' | 'sources' {
  return effective_sources === undefined ? 'coverage' : 'sources';
}
