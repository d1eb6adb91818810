import type { Context } from 'hono';
import { openApiDocument } from '../routes/openapi.ts';
import { digestOf, isKnown } from './entity-tag.ts';
import { REFERENCE } from './prefixes.ts';
import { referencePage, STYLE } from './reference-page.ts';
import { type Env, type Handler, reply } from './request-context.ts';

/** Adds what describes the interface: to programs, to people, and to language models. */
export function addDescriptions(mount: (path: string, handler: Handler) => void): void {
  // Made when somebody asks: a server that starts has other things to do.
  const document = once(openApiDocument);
  const json = once(() => JSON.stringify(document()));
  const page = once(() => referencePage(document()));
  const summary = once(() => summaryText(document()));
  mount('/api/v1/openapi.json', (context) => describe(context, json(), 'application/json'));
  mount(REFERENCE, async (context) => describe(context, await page(), 'text/html; charset=utf-8'));
  mount(`${REFERENCE}/style.css`, (context) => describe(context, STYLE, 'text/css; charset=utf-8'));
  mount('/llms.txt', (context) => describe(context, summary(), 'text/plain; charset=utf-8'));
}

function once<Made>(make: () => Made): () => Made {
  let made: { made: Made } | undefined;
  return () => {
    made ??= { made: make() };
    return made.made;
  };
}

function describe(context: Context<Env>, body: string, type: string): Response {
  const digest = digestOf(body);
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=300',
    'Access-Control-Allow-Origin': '*',
    ETag: `"${digest}"`,
  };
  return isKnown(context, digest) ? reply(context, null, 304, headers) : reply(context, body, 200, headers);
}

/** The paths in a line each, as https://llmstxt.org has it. */
function summaryText(document: object): string {
  const { info, paths } = document as {
    info: { title: string; summary: string; description: string };
    paths: Record<string, { get: { summary: string; tags: string[]; parameters?: { name: string }[] } }>;
  };
  const lines = Object.entries(paths).flatMap(([path, { get }]) => {
    if (get.tags.includes('server')) return [];
    const names = (get.parameters ?? []).map((each) => each.name).filter((name) => name !== 'id');
    const taking = names.length > 0 ? ` Parameters: ${names.join(', ')}.` : '';
    return [`- [GET ${path}](${REFERENCE}): ${get.summary}.${taking}`];
  });
  return [
    `# ${info.title}`,
    '',
    `> ${info.summary}. ${info.description}`,
    '',
    '## Paths',
    '',
    ...lines,
    '',
    '## Optional',
    '',
    '- [OpenAPI 3.1](/api/v1/openapi.json): every parameter, limit, shape and error',
    '',
  ].join('\n');
}
