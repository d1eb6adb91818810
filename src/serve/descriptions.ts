import { OPENAPI_KEY } from '../routes/page-files.ts';
import type { ApiDescription } from '../routes/shapes/openapi-description.ts';
import type { CompressedBodies } from './answers/compression.ts';
import { digestOf } from './answers/entity-tag.ts';
import { REFERENCE } from './answers/link-headers.ts';
import { send } from './answers/send.ts';
import type { Mount } from './request-context.ts';

const HEADERS = { 'Cache-Control': 'public, max-age=300', Vary: 'Accept-Encoding' };

/** Adds the routes that describe the interface to programs, to people and to language models. */
export function addDescriptions(mount: Mount, bodies: CompressedBodies): void {
  // Made on the first request, to keep the start of the server short.
  const document = once(async () => (await import('../routes/description/openapi.ts')).openApiDocument());
  const json = async () => JSON.stringify(await document());
  const html = async () => (await import('./reference-page.ts')).referencePage(await document());
  const style = async () => (await import('./reference-page.ts')).STYLE;
  const summary = async () => summaryText(await document());
  const described = (path: string, text: () => Promise<string>, type: string) => {
    const sendable = once(async () => {
      const body = await text();
      return { body, digest: digestOf(body), type };
    });
    mount(path, async (context) => send(context, bodies, await sendable(), HEADERS));
  };
  described(`/${OPENAPI_KEY}`, json, 'application/json');
  described(REFERENCE, html, 'text/html; charset=utf-8');
  described(`${REFERENCE}/style.css`, style, 'text/css; charset=utf-8');
  described('/llms.txt', summary, 'text/plain; charset=utf-8');
}

function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** One line for each path, in the format of https://llmstxt.org. */
function summaryText({ info, paths }: ApiDescription): string {
  const lines = Object.entries(paths).flatMap(([path, { get }]) => {
    if (get.tags.includes('server')) return [];
    const names = (get.parameters ?? []).map((each) => each.name).filter((name) => name !== 'id');
    const taking = names.length > 0 ? ` Parameters: ${names.join(', ')}.` : '';
    const besides = get.description ? ` ${get.description}` : '';
    return [`- [GET ${path}](${REFERENCE}#${get.operationId}): ${get.summary}.${besides}${taking}`];
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
    `- [OpenAPI 3.1](/${OPENAPI_KEY}): every parameter, limit, shape and error`,
    '',
  ].join('\n');
}
