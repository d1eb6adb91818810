import { html, raw } from 'hono/html';
import type { ApiDescription, ApiOperation, ApiParameter } from '../routes/shapes/openapi-description.ts';

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

/** The description as a page: every path with its parameters, answers and errors; no script, nothing from elsewhere. */
export async function referencePage({ info, tags, paths, components }: ApiDescription): Promise<string> {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} ${info.version}</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<h1>${info.title} ${info.version}</h1>
<p>${info.description}</p>
<p>Machine-readable: <a href="/api/v1/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a>.</p>
${tags.map(
  (tag) => html`<h2 id="${tag.name}">${tag.name}</h2>
<p>${tag.description}</p>
${Object.entries(paths)
  .filter(([, { get }]) => get.tags.includes(tag.name))
  .map(([path, { get }]) => operation(path, get, components))}`,
)}
<h2 id="schemas">Shapes</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<details id="schema-${name}"><summary><code>${name}</code></summary>
<pre>${JSON.stringify(schema, null, 2)}</pre></details>`,
)}
</body>
</html>
`;
  return String(await page);
}

function operation(path: string, get: ApiOperation, components: ApiDescription['components']) {
  const answers = Object.entries(get.responses).map(([status, response]) => {
    const name = response.$ref?.split('/').at(-1);
    const text = response.description ?? (name && components.responses[name]?.description) ?? '';
    return html`<tr><td>${status}</td><td>${text}</td><td>${shapeLink(response.content)}</td></tr>`;
  });
  return html`<details id="${get.operationId}"><summary><code>GET ${path}</code> ${get.summary}</summary>
${get.description ? html`<p>${get.description}</p>` : raw('')}
${parameters(get.parameters ?? [])}
<table><tr><th>status</th><th></th><th>shape</th></tr>${answers}</table>
</details>
`;
}

function parameters(list: readonly ApiParameter[]) {
  if (list.length === 0) return raw('');
  return html`<table><tr><th>parameter</th><th></th><th>allowed</th></tr>${list.map(
    ({ name, in: place, description, deprecated, schema }) =>
      html`<tr><td><code>${name}</code>${place === 'path' ? ' (path)' : ''}${deprecated ? ' (deprecated)' : ''}</td>
<td>${description}</td><td><code>${JSON.stringify(schema)}</code></td></tr>`,
  )}</table>`;
}

function shapeLink(content: ApiOperation['responses'][string]['content']) {
  const schema = Object.values(content ?? {})[0]?.schema;
  const ref = schema?.$ref?.split('/').at(-1);
  return ref ? html`<a href="#schema-${ref}">${ref}</a>` : raw('');
}
