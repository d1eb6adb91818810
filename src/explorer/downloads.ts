import { html, nothing, type TemplateResult } from 'lit-html';
import { type Documents, encodeId } from './documents.ts';

/** Files of an index or rate to take away: its histories, and a card to embed. */
export async function downloads(
  { outlet }: Documents,
  kind: 'indices' | 'rates',
  { ticker, name }: { ticker: string; name: string },
): Promise<TemplateResult | typeof nothing> {
  if (!outlet.bulk && !outlet.cards) return nothing;
  const own = `${kind}/${await encodeId(ticker)}`;
  const card = new URL(`cards/${own}.svg`, new URL('.', location.href)).href;
  const embed = `<img src="${card}" alt="${name.replaceAll('"', '&quot;')}" width="600" height="315">`;
  const files = ['history', 'constituents'].flatMap((table) =>
    ['csv', 'parquet'].map((format) => ({
      href: `bulk/${own}/${table}.${format}`,
      text: `${table}, ${format}`,
    })),
  );
  return html`<section>
    <h2>Take it away</h2>
    ${
      outlet.bulk
        ? html`<p>Through the last completed day: ${files.map(({ href, text }, i) => html`${i > 0 ? ' · ' : ''}<a href=${href} download>${text}</a>`)}</p>`
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
