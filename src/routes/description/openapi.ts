import { z } from 'zod';
import { BASE } from '../route.ts';
import { exportRoutes, routes } from '../routes.ts';
import type { ApiDescription } from '../shapes/openapi-description.ts';
import { answerShape } from '../shapes/shapes.ts';
import { jsonSchema } from './json-schema.ts';
import { exportOperation, OWN_PATHS, operationOf, ownOperation } from './openapi-operations.ts';
import { describeHeaders, ERROR_HEADERS, ERRORS } from './openapi-texts.ts';

/** The version of the interface, as paths carry it. */
const VERSION = '1';

const ERROR_SHAPE = z.strictObject({
  error: z.string().meta({ description: 'Stable code of the error', examples: ['invalid_parameter'] }),
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
    .describe('The parameter at fault, if there is one')
    .optional(),
});

/**
 * The OpenAPI 3.1 description of every path, made from the route records that answer: it describes the parameters that
 * are read and the shapes that tests hold answers to.
 */
export function openApiDocument(): ApiDescription {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Foremark',
      version: VERSION,
      summary: 'Indices, reference rates and market data of prediction markets',
      description:
        'Paths under /api/v1/public are open to everybody. All others need a key (Authorization: Bearer <key>, or ' +
        'X-API-Key: <key>) and return everything that the key can read. They need its scope markets:read, which is the ' +
        'usual one, unless they name another; usage needs none. All paths are read with GET; HEAD and OPTIONS ' +
        'work too. Unknown parameters are ignored. Prices are in cents, 0 to 100; weights are fractions of 1; instants ' +
        'are RFC 3339 in UTC. To read a whole list, go on while has_next is true: its total may be null. An error is ' +
        '{error, message, request_id}.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: TAGS,
    security: [],
    paths: allPaths(),
    components: allComponents(),
  };
}

const TAGS = [
  { name: 'public', description: 'Open to everybody, within a request budget per address' },
  { name: 'authenticated', description: 'For holders of an API key' },
  { name: 'server', description: 'About the server itself' },
];

function allPaths(): ApiDescription['paths'] {
  const paths: ApiDescription['paths'] = {};
  for (const route of routes)
    for (const tier of route.tiers) paths[`${BASE[tier]}${route.path}`] = { get: operationOf(route, tier) };
  for (const route of exportRoutes)
    paths[`${BASE.authenticated}${route.path}`] = { get: exportOperation(route) };
  for (const own of OWN_PATHS) paths[own[0]] = { get: ownOperation(own) };
  return paths;
}

function allComponents(): ApiDescription['components'] {
  const answers = routes.flatMap(({ path, tiers }) => tiers.map((tier) => answerShape(path, tier)));
  const shapes = new Map([
    ['Error', ERROR_SHAPE],
    ...answers.map(({ name, shape }) => [name, shape] as const),
  ]);
  return {
    schemas: Object.fromEntries([...shapes].map(([name, shape]) => [name, jsonSchema(shape)])),
    responses: Object.fromEntries(
      Object.entries(ERRORS).map(([status, description]) => [
        `Error${status}`,
        {
          description,
          headers: describeHeaders(ERROR_HEADERS[status] ?? []),
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
        description: 'The same key in another header',
      },
    },
  };
}
