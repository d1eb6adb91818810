/**
 * The API description, arranged for reference pages. The explorer's is made in the browser, so this file imports nothing
 * from Node.
 */
import type {
  ApiDescription,
  ApiOperation,
  ApiResponse,
  ParameterSchema,
} from './shapes/openapi-description.ts';

export interface ReferenceGroup {
  name: string;
  description: string;
  paths: ReferencePath[];
}

/** A path with its parameters and answers. */
export interface ReferencePath extends Pick<ApiOperation, 'operationId' | 'summary' | 'description'> {
  path: string;
  needsKey: boolean;
  /** Each parameter, with its allowed values in one line. */
  parameters: { name: string; description: string; allowed: string }[];
  /** The answers by status, with the name of the shape if there is one. */
  answers: { status: string; description: string; shape: string | undefined }[];
}

/** The paths of a description, grouped by their tags. */
export function referenceOf({ tags, paths, components }: ApiDescription): ReferenceGroup[] {
  const all = Object.entries(paths).map(([path, { get }]) => ({
    get,
    read: readPath(path, get, components),
  }));
  return tags.map((tag) => ({
    ...tag,
    paths: all.filter(({ get }) => get.tags.includes(tag.name)).map(({ read }) => read),
  }));
}

function readPath(
  path: string,
  { operationId, summary, description, security, parameters = [], responses }: ApiOperation,
  { responses: shared }: ApiDescription['components'],
): ReferencePath {
  return {
    path,
    operationId,
    summary,
    ...(description ? { description } : {}),
    needsKey: security.length > 0,
    parameters: parameters.map((each) => ({
      name: each.name,
      description: each.description,
      allowed: allowedBy(each.schema),
    })),
    answers: Object.entries(responses).map(([status, response]) => ({
      status,
      description: response.description ?? shared[nameOf(response.$ref) ?? '']?.description ?? '',
      shape: shapeOf(response),
    })),
  };
}

function allowedBy({
  type,
  enum: words,
  minimum,
  maximum,
  maxLength,
  default: usual,
}: ParameterSchema): string {
  const kind = words ? words.join(', ') : (type ?? 'text');
  const span = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}–${maximum ?? ''}`;
  const length = maxLength === undefined ? '' : ` of up to ${maxLength} characters`;
  return `${kind}${span}${length}${usual === undefined ? '' : `, ${String(usual)} when left out`}`;
}

function shapeOf({ content }: ApiResponse): string | undefined {
  return nameOf(content?.['application/json']?.schema.$ref);
}

function nameOf(reference: string | undefined): string | undefined {
  return reference?.slice(reference.lastIndexOf('/') + 1);
}
