import { z } from 'zod';

/** What a shape allows, as JSON Schema. @param io whether of what it reads or of what it gives */
export function jsonSchema(shape: z.ZodType, io: 'input' | 'output' = 'output') {
  const { $schema: _version, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' });
  return schema;
}
