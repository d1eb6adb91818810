import { z } from 'zod';

// A missing key comes as undefined, so that each scalar says for itself what that means.
const wire = z.unknown().optional();

/** Why a value is refused. */
export class Refusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const READERS = new WeakMap<z.ZodType, (value: unknown) => unknown>();

/** A schema that is one function: {@link readScalars} calls that without going through the schema. */
export function scalar<Value>(read: (value: unknown) => Value | Refusal) {
  const schema = wire.transform((value, context): Value => {
    const found = read(value);
    if (!(found instanceof Refusal)) return found;
    context.addIssue({ code: 'custom', message: found.message });
    return z.NEVER;
  });
  READERS.set(schema, read);
  return schema;
}

/**
 * Reads a record by the scalars of its schema without going through the schema, which takes several times as
 * long; only what is no scalar goes through its own.
 *
 * @returns undefined when something is refused: then the schema says what and why
 */
export function readScalars<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> | undefined {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return undefined;
  const row: Record<string, unknown> = {};
  for (const { name, read } of fieldsOf(schema)) {
    const found = read(Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined);
    if (found instanceof Refusal) return undefined;
    row[name] = found;
  }
  return row as z.output<Schema>;
}

interface FieldReader {
  name: string;
  read(value: unknown): unknown;
}

const FIELDS = new WeakMap<z.ZodObject, FieldReader[]>();

function fieldsOf(schema: z.ZodObject): readonly FieldReader[] {
  let fields = FIELDS.get(schema);
  if (!fields) {
    fields = Object.entries<z.ZodType>(schema.shape).map(([name, field]) => ({
      name,
      read: READERS.get(field) ?? ((value) => readBySchema(field, value)),
    }));
    FIELDS.set(schema, fields);
  }
  return fields;
}

function readBySchema(field: z.ZodType, value: unknown): unknown {
  const result = field.safeParse(value);
  return result.success ? result.data : new Refusal('cannot be read');
}
