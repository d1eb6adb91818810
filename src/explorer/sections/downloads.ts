import { html, nothing, type TemplateResult } from 'lit-html';
import { type Documents, encodeId } from '../documents.ts';
import type { IndexDetail, RateDetail } from '../public-documents.ts';
import { titled } from '../words.ts';

const OF_ALL = ['history', 'restatements', 'constituents', 'definitions'];
const TABLES = { indices: [...OF_ALL, 'steps'], rates: OF_ALL };
const FORMATS = [
  { ending: 'csv', text: 'CSV' },
  { ending: 'parquet', text: 'Parquet' },
];

/** The files of an index or rate to download: its histories, and a card to embed. */
export async function downloads(
  { outlet, addressOfFile }: Documents,
  kind: 'indices' | 'rates',
  { ticker, name, latest_print_at }: Pick<IndexDetail | RateDetail, 'ticker' | 'name' | 'latest_print_at'>,
): Promise<TemplateResult | typeof nothing> {
  const bulk = outlet.bulk && latest_print_at !== undefined;
  if (!bulk && !outlet.cards) return nothing;
  const own = `${kind}/${await encodeId(ticker)}`;
  const card = addressOfFile(`cards/${own}.svg`);
  const embed = `<img src="${card}" alt="${name.replaceAll('"', '&quot;')}" width="600" height="315">`;
  return html`<section>
    <h2>Take it away</h2>
    ${
      bulk
        ? html`<p class="faint">Every print, every revision of one, and what entered each daily close, through the last completed day; and what it was made by.</p>
            <ul>
              ${TABLES[kind].map((table) => html`<li>${titled(table)}: ${FORMATS.map(({ ending, text }) => html` <a href="bulk/${own}/${table}.${ending}" download>${text}</a>`)}</li>`)}
            </ul>`
        : nothing
    }
    ${
      outlet.cards
        ? html`<details>
            <summary>Chart card to embed</summary>
            <img class="card" src=${card} alt="Chart card of ${name}" width="600" height="315" loading="lazy" />
            <p><a href=${card}>SVG</a> · <a href=${card.replace(/svg$/, 'png')}>PNG</a></p>
            <code class="embed" tabindex="0">${embed}</code>
          </details>`
        : nothing
    }
  </section>`;
}
