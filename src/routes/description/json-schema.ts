import { z } from 'zod';

/** A shape as JSON Schema. @param io whether of its input or its output */
export function jsonSchema(shape: z.ZodType, io: 'input' | 'output' = 'output') {
  const { $schema: _version, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' });
  return schema;
}
