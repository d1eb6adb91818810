/** What reference pages show of the OpenAPI document, on the server and in the browser. */
export interface ApiDescription {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, { get: ApiOperation }>;
  components: { schemas: Record<string, object>; responses: Record<string, { description: string }> };
}

/** A path with what may be asked of it and what it answers. */
export interface ApiOperation {
  tags: string[];
  operationId: string;
  summary: string;
  description?: string;
  security?: object[];
  parameters?: {
    name: string;
    in: string;
    description?: string;
    deprecated?: boolean;
    schema: ParameterSchema;
  }[];
  /** By status; a shared one is named by its reference. */
  responses: Record<
    string,
    { description?: string; $ref?: string; content?: Record<string, { schema: { $ref?: string } }> }
  >;
}

/** What a parameter may be. */
export interface ParameterSchema {
  type?: string;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
}
