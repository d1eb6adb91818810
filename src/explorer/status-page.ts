import { html, nothing } from 'lit-html';
import type { Page } from './page.ts';
import { moment } from './parts.ts';
import { counted } from './words.ts';

/** What publication.json says of the documents that lie here. */
interface Publication {
  generation: number;
  as_of: string;
  checked_at: string;
  label: string;
  documents: number;
}

/** What is published here, as of when, and what can be asked. */
export const statusPage: Page = {
  name: 'status',
  label: 'Status',
  needs: [],
  async open({ documents, show }) {
    const publication = await documents.findFile<Publication>('publication.json');
    const { answered_by, label, paths } = documents.outlet;
    show(html`
      <h1>Status</h1>
      <section>
        <dl class="figures">
          <div><dt>answered by</dt><dd>${answered_by === 'server' ? 'the server' : 'published files'}</dd></div>
          ${label ? html`<div><dt>data</dt><dd>${label}</dd></div>` : nothing}
          ${
            publication
              ? html`<div><dt>generation</dt><dd><data value=${publication.generation}>${publication.generation}</data></dd></div>
                  <div><dt>documents</dt><dd>${counted(publication.documents, 'document')}</dd></div>
                  <div><dt>as of</dt><dd>${moment(publication.as_of)}</dd></div>
                  <div><dt>last looked at</dt><dd>${moment(publication.checked_at)}</dd></div>`
              : nothing
          }
        </dl>
      </section>
      <section>
        <h2>What can be asked</h2>
        <ul class="paths">${paths.map(({ path }) => html`<li><code>/api/v1/public${path}</code></li>`)}</ul>
      </section>
    `);
  },
};
