/**
 * The shape of the OpenAPI document, for the code that makes it and for the reference pages, on the server and in the
 * browser.
 */
export interface ApiDescription {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string; license: object };
  servers: object[];
  tags: { name: string; description: string }[];
  security: object[];
  paths: Record<string, { get: ApiOperation }>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, ApiResponse & { description: string }>;
    securitySchemes: object;
  };
}

/** A path with its parameters and answers. */
export interface ApiOperation {
  tags: string[];
  operationId: string;
  summary: string;
  description?: string;
  security: object[];
  parameters?: ApiParameter[];
  /** By status. */
  responses: Record<string, ApiResponse>;
}

export interface ApiParameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  deprecated?: true;
  schema: ParameterSchema;
  example?: unknown;
}

/** An answer of one status; a shared one is named by its reference. */
export interface ApiResponse {
  $ref?: string;
  description?: string;
  headers?: object;
  /** By media type. */
  content?: Record<string, { schema: { $ref?: string; [keyword: string]: unknown } }>;
}

/** The schema of a parameter: a word, a text or a number. */
export interface ParameterSchema {
  type?: string;
  enum?: readonly string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}
