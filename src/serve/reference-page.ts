import { html } from 'hono/html';
import { OPENAPI_KEY } from '../routes/page-files.ts';
import { type ReferencePath, referenceOf } from '../routes/reference.ts';
import type { ApiDescription } from '../routes/shapes/openapi-description.ts';

/** The style of the page, a file of its own so that the page needs no script and no inline style. */
export const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 3rem; border-bottom: 1px solid #ccc; }
details { border: 1px solid #ddd; border-radius: 4px; margin: .5rem 0; padding: .5rem .8rem; }
summary { cursor: pointer; } summary code { font-weight: 600; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; } td, th { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; border-top: 1px solid #eee; }
code, pre { font: 13px/1.45 ui-monospace, monospace; } pre { overflow-x: auto; background: #f6f6f4; padding: .8rem; }
@media (prefers-color-scheme: dark) { body { background: #16181b; color: #e6e6e6; } pre { background: #202328; } details, h2 { border-color: #444; } td, th { border-color: #333; } a { color: #8ab4ff; } }
`.trim();

/** The API description as a page without scripts: every path with its parameters, answers and errors. */
export async function referencePage(description: ApiDescription): Promise<string> {
  const { info, components } = description;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} ${info.version}</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<main>
<h1>${info.title} ${info.version}</h1>
<p>${info.description}</p>
<p>Machine-readable: <a href="/${OPENAPI_KEY}">openapi.json</a>, <a href="/llms.txt">llms.txt</a>.</p>
${referenceOf(description).map(
  ({ name, description, paths }) => html`<h2 id="${name}">${name}</h2>
<p>${description}</p>
${paths.map(pathDetails)}`,
)}
<h2 id="schemas">Shapes</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<details id="schema-${name}"><summary><code>${name}</code></summary>
<pre tabindex="0">${JSON.stringify(schema, null, 2)}</pre></details>`,
)}
</main>
</body>
</html>
`;
  return String(await page);
}

function pathDetails({ path, operationId, summary, description, parameters, answers }: ReferencePath) {
  return html`<details id="${operationId}"><summary><code>GET ${path}</code> ${summary}</summary>
${description ? html`<p>${description}</p>` : ''}
${parameters.length > 0 ? parameterTable(parameters) : ''}
<table><tr><th scope="col">status</th><th scope="col">meaning</th><th scope="col">shape</th></tr>${answers.map(
    ({ status, description, shape }) =>
      html`<tr><td>${status}</td><td>${description}</td><td>${shape ? html`<a href="#schema-${shape}">${shape}</a>` : ''}</td></tr>`,
  )}</table>
</details>
`;
}

function parameterTable(parameters: ReferencePath['parameters']) {
  return html`<table><tr><th scope="col">parameter</th><th scope="col">meaning</th><th scope="col">allowed</th></tr>${parameters.map(
    ({ name, description, allowed }) =>
      html`<tr><td><code>${name}</code></td><td>${description}</td><td>${allowed}</td></tr>`,
  )}</table>`;
}
