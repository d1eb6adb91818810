import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../model/counted.ts';
import { OPENAPI_KEY } from '../../routes/page-files.ts';
import { type ReferencePath, referenceOf } from '../../routes/reference.ts';
import type { Documents } from '../documents.ts';
import type { ListPage } from '../page.ts';
import { requestLine, requestSection } from '../requests.ts';
import { titled } from '../words.ts';

/** How a request shows its key. */
const KEY = 'Authorization: Bearer YOUR_KEY';

/** Every path with its parameters, answers and shapes, from the OpenAPI document. */
export const referencePage: ListPage = {
  name: 'api',
  label: 'API',
  needs: [],
  async open({ documents, show }) {
    const described = await documents.findFile(OPENAPI_KEY);
    if (!described) return show(html`<h1>API</h1><p class="note">No description is published here.</p>`);
    const { info, paths, components } = described;
    show(html`
      <h1>API reference</h1>
      <p>${info.description}</p>
      <p class="faint">Version ${info.version} · <a href=${documents.addressOfFile(OPENAPI_KEY)}>the OpenAPI document</a> · ${counted(Object.keys(paths).length, 'path')}</p>
      ${referenceOf(described).map(
        (group) => html`<section>
          <h2>${titled(group.name)}</h2>
          <p>${group.description}.</p>
          ${group.paths.map((path) => pathDetails(documents, path))}
        </section>`,
      )}
      <section>
        <h2>Shapes</h2>
        ${Object.entries(components.schemas).map(
          ([name, schema]) => html`<details class="operation">
            <summary><code>${name}</code></summary>
            <pre tabindex="0">${JSON.stringify(schema, null, 2)}</pre>
          </details>`,
        )}
      </section>
      ${requestSection(documents)}
    `);
  },
};

function pathDetails(
  documents: Documents,
  { path, summary, description, needsKey, parameters, answers }: ReferencePath,
): TemplateResult {
  const address = documents.addressOfFile(path.slice(1));
  return html`<details class="operation">
    <summary><code>${path}</code> <span class="faint">${summary}</span></summary>
    ${description ? html`<p>${description}</p>` : nothing}
    ${documents.outlet.answered_by === 'server' ? requestLine(address, needsKey ? KEY : undefined) : nothing}
    ${parameters.length > 0 ? parameterList(parameters) : nothing}
    <h3>Answers</h3>
    <dl>
      ${answers.map(
        ({ status, description, shape }) => html`<dt><code>${status}</code></dt>
          <dd>${description} ${shape ? html`<code>${shape}</code>` : nothing}</dd>`,
      )}
    </dl>
  </details>`;
}

function parameterList(parameters: ReferencePath['parameters']): TemplateResult {
  return html`<h3>Parameters</h3>
    <dl>
      ${parameters.map(
        ({
          name,
          description,
          allowed,
        }) => html`<dt><code>${name}</code> <span class="faint">${allowed}</span></dt>
          <dd>${description}</dd>`,
      )}
    </dl>`;
}
