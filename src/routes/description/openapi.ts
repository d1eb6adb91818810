import { z } from 'zod';
import { BASE, EXPORT_FORMATS, type ExportRoute, type Route, type Tier } from '../route.ts';
import { exportRoutes, routes } from '../routes.ts';
import { answerShape, type NamedShape } from '../shapes/shapes.ts';
import {
  BUDGET_HEADERS,
  DEPRECATION_HEADER,
  ERRORS,
  EXAMPLE_IDS,
  HEADERS,
  PARAMETERS,
} from './openapi-texts.ts';

/** A JSON object. */
type Json = Record<string, unknown>;

/** The version of the interface, as paths carry it. */
const VERSION = '1';

const ERROR_SHAPE = z.strictObject({
  error: z.string().meta({ description: 'Its token', examples: ['invalid_parameter'] }),
  message: z.string().meta({
    description: 'What is wrong, and what is allowed',
    examples: ['per_page must be a whole number from 1 to 500, got "0"'],
  }),
  request_id: z.string().describe('Id of the request, as in X-Request-Id'),
  details: z
    .array(
      z.strictObject({
        param: z.string().describe('Name of the parameter'),
        reason: z.string().describe('What is wrong with it'),
      }),
    )
    .describe('The parameter that is at fault, where one is')
    .optional(),
});

/**
 * The OpenAPI 3.1 description of every path, made of the route records that answer: what is described is what
 * is read, and the shapes are those that answers are held to.
 */
export function openApiDocument(): Json {
  const components = new Map<string, z.ZodType>([['Error', ERROR_SHAPE]]);
  const paths: Json = {};
  for (const route of routes)
    for (const tier of route.tiers) {
      const shape = answerShape(route.path, tier);
      if (shape) components.set(shape.name, shape.shape);
      paths[`${BASE[tier]}${route.path}`] = { get: operationOf(route, tier, shape) };
    }
  for (const route of exportRoutes)
    paths[`${BASE.authenticated}${route.path}`] = { get: exportOperation(route) };
  for (const own of OWN_PATHS) paths[own[0]] = { get: ownOperation(own) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Foremark',
      version: VERSION,
      summary: 'Indices, reference rates and market data of prediction markets',
      description:
        'Paths under /api/v1/public are for anybody; the others take a key (Authorization: Bearer <key>, or ' +
        'X-API-Key: <key>) and list all that it can read. Everything is read with GET; HEAD and OPTIONS work too. ' +
        'Prices are cents, 0 to 100; weights are fractions; instants are RFC 3339. A list is paged by has_next, its ' +
        'total may be null. An error is {error, message, request_id}.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: TAGS,
    security: [],
    paths,
    components: {
      schemas: Object.fromEntries([...components].map(([name, shape]) => [name, jsonSchema(shape)])),
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [
          `Error${status}`,
          {
            description,
            headers:
              status === '429' || status === '503' ? { 'Retry-After': { schema: { type: 'integer' } } } : {},
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer fmk_live_…' },
        header: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'The same key in a header of its own',
        },
      },
    },
  };
}

const TAGS = [
  { name: 'public', description: 'For anybody, within a budget of requests by address' },
  { name: 'authenticated', description: 'For holders of a key' },
  { name: 'server', description: 'About the server itself' },
];

function operationOf(route: Route, tier: Tier, shape: NamedShape | undefined): Json {
  const name = route.path.replace(/[{}]/g, '').split(/[/-]/).filter(Boolean);
  const schema = shape ? { $ref: `#/components/schemas/${shape.name}` } : { type: 'object' };
  const isKept = tier === 'public' && route.documents !== undefined;
  return {
    ...operationHead(tier, [...name], route),
    parameters: [
      ...(route.path.includes('{id}') ? [idParameter(route.path)] : []),
      ...queryParameters(route),
      ...(isKept ? [AS_OF] : []),
    ],
    responses: {
      200: {
        description: 'The answer',
        headers: {
          ...HEADERS,
          ...(tier === 'authenticated' ? BUDGET_HEADERS : {}),
          ...(route.deprecates ? DEPRECATION_HEADER : {}),
        },
        content: { 'application/json': { schema } },
      },
      304: KNOWN,
      ...errorsOf(tier, route.path.includes('{id}') || isKept, {
        unavailable: Boolean(
          isKept || route.needsCatalog || route.needsSearch || route.keeping === 'related',
        ),
      }),
    },
  };
}

function exportOperation(route: ExportRoute): Json {
  const name = route.path.replace('/{ext}', '').split('/').filter(Boolean);
  const schema = { type: 'string' };
  return {
    ...operationHead('authenticated', name, route),
    parameters: [
      {
        name: 'ext',
        in: 'path',
        required: true,
        description: 'Form of the file',
        schema: { type: 'string', enum: EXPORT_FORMATS },
      },
      ...queryParameters(route),
    ],
    responses: {
      200: {
        description: 'The rows',
        content: {
          'text/csv': { schema },
          'text/tab-separated-values': { schema },
          'application/x-ndjson': { schema },
          'application/json': {
            schema: { type: 'object', properties: { data: { type: 'array', items: { type: 'object' } } } },
          },
        },
      },
      ...errorsOf('authenticated', true, { unavailable: true }),
    },
  };
}

const KNOWN = { description: 'The asker has the answer already' };

type OwnPath = readonly [path: string, summary: string, type: string, besides?: 304 | 503];

/** The paths of the server itself, with what they tell and in which form. */
const OWN_PATHS: readonly OwnPath[] = [
  ['/livez', 'Whether the process lives', 'application/json'],
  ['/readyz', 'Whether to send requests here', 'application/json', 503],
  ['/metrics', 'What the server counts, as Prometheus reads it', 'text/plain'],
  ['/docs', 'This description, to be read', 'text/html', 304],
  ['/docs/style.css', 'How the reference looks', 'text/css', 304],
  ['/llms.txt', 'This description in short, for language models', 'text/plain', 304],
  ['/api/v1/openapi.json', 'This description', 'application/json', 304],
];

function ownOperation([path, summary, type, besides]: OwnPath): Json {
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
      ...(besides === 503 ? { 503: { description: 'Not ready, or about to end', content } } : {}),
      500: { $ref: '#/components/responses/Error500' },
      '4XX': {
        description: 'No such thing',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function operationHead(
  tier: Tier,
  name: readonly string[],
  { summary, scope, refuses = {} }: Pick<Route, 'summary' | 'scope' | 'refuses'>,
): Json {
  const needed = scope && tier === 'authenticated' ? [`Needs the scope ${scope}.`] : [];
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

const AS_OF: Json = {
  name: 'as_of',
  in: 'query',
  required: false,
  description: 'The whole document as it was published by this instant; beside no other parameter.',
  schema: { type: 'string', maxLength: 40 },
  example: '2026-11-03T21:00:00Z',
};

function idParameter(path: string): Json {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of the resource, percent-encoded',
    schema: { type: 'string', minLength: 1 },
    example: EXAMPLE_IDS[path.split('/')[1] ?? ''] ?? '1',
  };
}

function queryParameters({ query, deprecates = {} }: Pick<Route, 'query' | 'deprecates'>): Json[] {
  return Object.entries(query.shape).map(([name, shape]) => {
    const instead = Object.hasOwn(deprecates, name) ? deprecates[name]?.instead : undefined;
    const { examples, ...schema } = { ...defaultOf(shape), ...jsonSchema(shape as z.ZodType, 'input') };
    const example = Array.isArray(examples) ? { example: examples[0] } : {};
    return {
      name,
      in: 'query',
      required: false,
      description: instead ? `Deprecated: use ${instead}.` : (PARAMETERS[name] ?? name),
      ...(instead ? { deprecated: true } : {}),
      schema,
      ...example,
    };
  });
}

/** What stands for a parameter that is left out, which the schema of its text does not tell of a number. */
function defaultOf(shape: unknown): Json {
  return shape instanceof z.ZodDefault ? { default: shape.def.defaultValue } : {};
}

function errorsOf(tier: Tier, mayBeMissing: boolean, { unavailable }: { unavailable: boolean }): Json {
  const statuses = [
    400,
    ...(tier === 'authenticated' ? [401, 403] : []),
    ...(mayBeMissing ? [404] : []),
    429,
    500,
    ...(unavailable ? [503] : []),
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}

function jsonSchema(shape: z.ZodType, io: 'input' | 'output' = 'output'): Json {
  const { $schema: _version, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' });
  return schema;
}
