import { z } from 'zod';
import { OPENAPI_KEY } from '../page-files.ts';
import { EXPORT_FORMATS, type ExportRoute, type Route, type Tier } from '../route.ts';
import type {
  ApiOperation,
  ApiParameter,
  ApiResponse,
  ParameterSchema,
} from '../shapes/openapi-description.ts';
import { answerShape } from '../shapes/shapes.ts';
import { jsonSchema } from './json-schema.ts';
import { describeHeaders, EXAMPLE_IDS, type HeaderName, PARAMETERS } from './openapi-texts.ts';

/** The description of a path on a tier: its parameters and answers. */
export function operationOf(route: Route, tier: Tier): ApiOperation {
  const name = route.path.replace(/[{}]/g, '').split(/[/-]/).filter(Boolean);
  const schema = { $ref: `#/components/schemas/${answerShape(route.path, tier).name}` };
  const isKept = tier === 'public' && route.documents !== undefined;
  return {
    ...operationHead(tier, name, route),
    parameters: [
      ...(route.path.includes('{id}') ? [idParameter(route.path)] : []),
      ...queryParameters(route),
      ...(isKept ? [AS_OF] : []),
    ],
    responses: {
      200: {
        description: 'The answer',
        headers: describeHeaders([
          'ETag',
          'X-As-Of',
          ...when(isKept, 'X-Generation'),
          ...commonHeaders(route, tier),
        ]),
        content: { 'application/json': { schema } },
      },
      304: KNOWN,
      ...errorsOf({
        401: tier === 'authenticated',
        403: tier === 'authenticated' && route.scope !== 'any',
        404: route.path.includes('{id}') || isKept,
        503: isKept || waitsForCatalog(route) || route.caching === 'related',
      }),
    },
  };
}

export function exportOperation(route: ExportRoute): ApiOperation {
  const name = route.path.replace('/{ext}', '').split('/').filter(Boolean);
  const schema = { type: 'string' };
  return {
    ...operationHead('authenticated', name, route),
    parameters: [
      {
        name: 'ext',
        in: 'path',
        required: true,
        description: 'Format of the file',
        schema: { type: 'string', enum: EXPORT_FORMATS },
      },
      ...queryParameters(route),
    ],
    responses: {
      200: {
        description: 'The rows',
        headers: describeHeaders(commonHeaders(route, 'authenticated')),
        content: {
          'text/csv': { schema },
          'text/tab-separated-values': { schema },
          'application/x-ndjson': { schema },
          'application/json': {
            schema: { type: 'object', properties: { data: { type: 'array', items: { type: 'object' } } } },
          },
        },
      },
      ...errorsOf({ 401: true, 403: true, 404: true, 503: waitsForCatalog(route) }),
    },
  };
}

/** The headers of lists and exports alike. */
function commonHeaders({ query, deprecates }: Pick<Route, 'query' | 'deprecates'>, tier: Tier): HeaderName[] {
  return [
    'X-Request-Id',
    ...when('page' in query.shape || deprecates !== undefined, 'Link'),
    ...when(deprecates !== undefined, 'Deprecation'),
    ...when(tier === 'authenticated', 'RateLimit', 'RateLimit-Policy'),
  ];
}

function when(is: boolean, ...names: HeaderName[]): HeaderName[] {
  return is ? names : [];
}

const KNOWN = { description: 'Not modified: the answer with this ETag is still current' };

type OwnPath = readonly [path: string, summary: string, type: string, besides?: 304 | 503];

/** The paths of the server itself, with their summaries and media types. */
export const OWN_PATHS: readonly OwnPath[] = [
  ['/livez', 'Whether the server is alive', 'application/json'],
  ['/readyz', 'Whether the server can answer requests', 'application/json', 503],
  ['/metrics', 'Counters of the server, in the format of Prometheus', 'text/plain'],
  ['/docs', 'This description as a page to read', 'text/html', 304],
  ['/docs/style.css', 'Style sheet of that page', 'text/css', 304],
  ['/llms.txt', 'This description, shortened for language models', 'text/plain', 304],
  [`/${OPENAPI_KEY}`, 'This description as OpenAPI 3.1', 'application/json', 304],
];

export function ownOperation([path, summary, type, besides]: OwnPath): ApiOperation {
  const schema = type === 'application/json' ? { type: 'object' } : { type: 'string' };
  const content = { [type]: { schema } };
  return {
    tags: ['server'],
    operationId: `server${path.split(/[/.]/).map(capital).join('')}`,
    summary,
    security: [],
    responses: {
      200: { description: 'The answer', content },
      ...(besides === 304 ? { 304: KNOWN } : {}),
      ...(besides === 503 ? { 503: { description: 'Not ready, or shutting down', content } } : {}),
      500: { $ref: '#/components/responses/Error500' },
      '4XX': {
        description: 'The request is refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function operationHead(
  tier: Tier,
  name: readonly string[],
  { summary, scope, refuses = {} }: Pick<Route, 'summary' | 'scope' | 'refuses'>,
): Omit<ApiOperation, 'parameters' | 'responses'> {
  const needed = scope && scope !== 'any' && tier === 'authenticated' ? [`Needs the scope ${scope}.`] : [];
  const refused = Object.entries(refuses).map(
    ([parameter, reason]) => `${parameter} is refused: it ${reason}.`,
  );
  const besides = [...needed, ...refused].join(' ');
  return {
    tags: [tier],
    operationId: [tier, ...name].map((part, i) => (i === 0 ? part : capital(part))).join(''),
    summary,
    ...(besides ? { description: besides } : {}),
    security: tier === 'public' ? [] : [{ bearer: [] }, { header: [] }],
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const AS_OF: ApiParameter = {
  name: 'as_of',
  in: 'query',
  required: false,
  description:
    'Answers with the document that was published last at or before this instant. No other parameter may be given with it.',
  schema: { type: 'string', maxLength: 40 },
  example: '2026-11-03T21:00:00Z',
};

function idParameter(path: string): ApiParameter {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of the resource, percent-encoded',
    schema: { type: 'string', minLength: 1 },
    example: EXAMPLE_IDS[path.split('/')[1] ?? ''] ?? '1',
  };
}

function queryParameters({ query, deprecates = {} }: Pick<Route, 'query' | 'deprecates'>): ApiParameter[] {
  return Object.entries(query.shape).map(([name, shape]) => {
    const instead = Object.hasOwn(deprecates, name) ? deprecates[name]?.instead : undefined;
    const { examples, ...schema } = { ...defaultOf(shape), ...jsonSchema(shape as z.ZodType, 'input') };
    const example = Array.isArray(examples) ? { example: examples[0] } : {};
    return {
      name,
      in: 'query',
      required: false,
      description: instead
        ? `Deprecated: use ${instead}, which counts if both are given.`
        : (PARAMETERS[name] ?? name),
      ...(instead ? { deprecated: true } : {}),
      schema: schema as ParameterSchema,
      ...example,
    };
  });
}

/** The default of a parameter, which JSON Schema leaves out for numbers, since they are read from text. */
function defaultOf(shape: unknown): { default?: unknown } {
  return shape instanceof z.ZodDefault ? { default: shape.def.defaultValue } : {};
}

/** Whether an operation waits for the end of a rebuild. */
function waitsForCatalog({
  needsCatalog,
  needsSearch,
}: Pick<Route, 'needsCatalog' | 'needsSearch'>): boolean {
  return needsCatalog === true || needsSearch !== undefined;
}

/** The errors of an operation. @param may which it can have, besides those that all can */
function errorsOf(may: Readonly<Record<number, boolean>>): Record<string, ApiResponse> {
  const statuses = Object.entries({ 400: true, 429: true, 500: true, ...may }).filter(([, can]) => can);
  return Object.fromEntries(
    statuses.map(([status]) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}
