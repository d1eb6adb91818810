/** Holds answers to the OpenAPI document: their status, their kind and their shape. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../src/routes/description/openapi.ts';
import type { ApiOperation, ApiParameter } from '../../src/routes/shapes/openapi-description.ts';
import type { SmallApp } from '../helpers/small-app.ts';

export interface Operation extends ApiOperation {
  path: string;
  tier: string;
  parameters: ApiParameter[];
}

/** The document and all that it describes. */
export const DOCUMENT = openApiDocument();

export const OPERATIONS: Operation[] = Object.entries(DOCUMENT.paths).map(([path, { get }]) => ({
  ...get,
  path,
  tier: get.tags[0] ?? '',
  parameters: get.parameters ?? [],
}));

const KEY = 'openapi.json';
const ajv = new Ajv2020({ strict: false, allErrors: false });
formats.default(ajv);
ajv.addSchema(DOCUMENT, KEY);
const checks = new Map<string, ValidateFunction>();

function checkOf(pointer: string): ValidateFunction {
  let check = checks.get(pointer);
  if (!check) {
    check = ajv.compile({ $ref: `${KEY}${pointer}` });
    checks.set(pointer, check);
  }
  return check;
}

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * What an answer does that the document does not say; empty when it keeps to it.
 *
 * @param app answers the request
 */
export async function problemsOf(
  app: SmallApp['app'],
  { path, responses }: Operation,
  url: string,
  headers: Record<string, string>,
): Promise<string[]> {
  const response = await app.request(url, { headers });
  const text = await response.text();
  const status = String(response.status);
  const described = responses[status] ?? responses[`${status[0]}XX`];
  if (!described) return [`${url}: status ${status} is not described: ${text.slice(0, 200)}`];
  if (response.status >= 500 && response.status !== 503) return [`${url}: status ${status}: ${text}`];
  if (response.status === 304) return [];
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const name = described.$ref?.split('/').at(-1);
  const content = name ? DOCUMENT.components.responses[name]?.content : described.content;
  if (!content || !Object.hasOwn(content, type)) return [`${url}: ${type} is not described for ${status}`];
  if (type !== 'application/json') return [];
  const at = name ? `#/components/responses/${name}` : `#/paths/${escaped(path)}/get/responses/${status}`;
  const check = checkOf(encodeURI(`${at}/content/${escaped(type)}/schema`));
  if (check(JSON.parse(text))) return [];
  const [error] = check.errors ?? [];
  return [`${url}: ${status} ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`];
}
