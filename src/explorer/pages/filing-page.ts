import { html, nothing } from 'lit-html';
import type { PublicDocuments } from '../../routes/shapes/shapes.ts';
import { markdown } from '../markdown.ts';
import { linkTo, type Page } from '../page.ts';
import { day } from '../parts.ts';
import { requestSection } from '../requests.ts';
import { feedInWords } from '../words.ts';

/** One filing: its fields, its status, its attachments and their text. */
export const filingPage: Page = {
  name: 'filings',
  async open({ documents, id, show }) {
    const filing = await documents.find('/filings/{id}', id);
    if (!filing)
      return show(
        html`<h1>No filing ${id}</h1><p class="note">The last 90 days are published. <a href=${linkTo('filings')}>Filings</a></p>`,
      );
    const text = await documents.find('/filings/{id}/markdown', id);
    const { title, org, feed, status, source_url } = filing;
    const said = new Set([filing.description, filing.product_name, filing.products_affected]);
    said.delete(title);
    show(html`
      <h1>${title}</h1>
      <p class="faint">${org} · ${feedInWords(feed)} · no. ${filing.filing_id} · <a href=${source_url} rel="noreferrer">at the registry</a></p>
      <p><span class="grade">${status}</span></p>
      ${[...said].map((line) => (line ? html`<p class="prose">${line}</p>` : nothing))}
      ${history(filing)} ${attachments(filing)}
      ${text?.markdown ? html`<section><h2>Text of the attachments</h2><div class="text" tabindex="0" role="region" aria-label="Text of the attachments">${markdown(text.markdown)}</div></section>` : nothing}
      ${requestSection(documents)}
    `);
  },
};

type Filing = PublicDocuments['/filings/{id}'];

/** The history of a filing, oldest first. */
function history({ received, status, status_date, first_seen, last_seen }: Filing) {
  const steps: [string, string | undefined][] = [
    ['received by the regulator', received],
    [status, status_date],
    ['first seen on the list', first_seen],
    ['last seen on the list', last_seen],
  ];
  const dated = steps.flatMap(([what, on]) => (on === undefined ? [] : [{ what, on }]));
  dated.sort((a, b) => a.on.localeCompare(b.on));
  return html`<section>
    <h2>History</h2>
    <ol class="timeline">${dated.map(({ what, on }) => html`<li>${day(on)} <span>${what}</span></li>`)}</ol>
  </section>`;
}

function attachments({ documents }: Filing) {
  if (documents.length === 0) return nothing;
  return html`<section>
    <h2>Attachments</h2>
    <ul>${documents.map(({ url, title, replaced }) => html`<li><a href=${url} rel="noreferrer">${title}</a> ${replaced ? html`<span class="faint">replaced ${day(replaced)}</span>` : nothing}</li>`)}</ul>
  </section>`;
}
