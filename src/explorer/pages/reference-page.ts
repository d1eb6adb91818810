import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../model/counted.ts';
import { OPENAPI_KEY } from '../../routes/page-files.ts';
import type {
  ApiDescription,
  ApiOperation,
  ParameterSchema,
} from '../../routes/shapes/openapi-description.ts';
import type { Documents } from '../documents.ts';
import type { Page } from '../page.ts';
import { requestLine } from '../requests.ts';
import { titled } from '../words.ts';

/** How a request shows its key. */
const KEY = 'Authorization: Bearer YOUR_KEY';

/** Every path with its parameters, answers and shapes, from the OpenAPI document. */
export const referencePage: Page = {
  name: 'api',
  label: 'API',
  needs: [],
  async open({ documents, show }) {
    const described = await documents.findFile(OPENAPI_KEY);
    if (!described) return show(html`<h1>API</h1><p class="note">No description is published here.</p>`);
    const { info, tags, paths, components } = described;
    const operations = Object.entries(paths).map(([path, { get }]) => ({ path, get }));
    show(html`
      <h1>API reference</h1>
      <p>${info.description}</p>
      <p class="faint">Version ${info.version} · <a href=${documents.addressOfFile(OPENAPI_KEY)}>the OpenAPI document</a> · ${counted(operations.length, 'path')}</p>
      ${tags.map(
        (tag) => html`<section>
          <h2>${titled(tag.name)}</h2>
          <p>${tag.description}.</p>
          ${operations.filter(({ get }) => get.tags.includes(tag.name)).map(({ path, get }) => operation(documents, path, get, components))}
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
      <section class="requests">
        <h2>The JSON behind this page</h2>
        ${requestLine(documents.addressOfFile(OPENAPI_KEY))}
      </section>
    `);
  },
};

function operation(
  documents: Documents,
  path: string,
  { summary, description, parameters = [], responses, security }: ApiOperation,
  components: ApiDescription['components'],
): TemplateResult {
  const address = documents.addressOfFile(path.slice(1));
  return html`<details class="operation">
    <summary><code>${path}</code> <span class="faint">${summary}</span></summary>
    ${description ? html`<p>${description}</p>` : nothing}
    ${documents.outlet.answered_by === 'server' ? requestLine(address, security.length > 0 ? KEY : undefined) : nothing}
    ${
      parameters.length > 0
        ? html`<h3>Parameters</h3>
            <dl>
              ${parameters.map(
                (
                  each,
                ) => html`<dt><code>${each.name}</code> <span class="faint">${kindOf(each.schema)}</span></dt>
                  <dd>${each.description}</dd>`,
              )}
            </dl>`
        : nothing
    }
    <h3>Answers</h3>
    <dl>
      ${Object.entries(responses).map(([status, response]) => {
        const shape = nameOf(response.content?.['application/json']?.schema.$ref);
        const shared = components.responses[nameOf(response.$ref) ?? ''];
        return html`<dt><code>${status}</code></dt>
          <dd>${response.description ?? shared?.description ?? nothing} ${shape ? html`<code>${shape}</code>` : nothing}</dd>`;
      })}
    </dl>
  </details>`;
}

/** What a parameter may be, in a line. */
function kindOf({ type, enum: allowed, minimum, maximum, default: usual }: ParameterSchema): string {
  const kind = allowed ? allowed.join(', ') : (type ?? 'text');
  const span = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}–${maximum ?? ''}`;
  return `${kind}${span}${usual === undefined ? '' : `, ${String(usual)} when left out`}`;
}

function nameOf(reference: string | undefined): string | undefined {
  return reference?.slice(reference.lastIndexOf('/') + 1);
}
