import { z } from 'zod';
import { memoized } from '../../model/memoized.ts';

// A missing key is passed on as undefined, so that each scalar decides what that means.
const wire = z.unknown().optional();

/** Why a value is refused. */
export class Refusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const READERS = new WeakMap<z.ZodType, (value: unknown) => unknown>();

/** A schema made of one function, which {@link readScalars} calls directly. */
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
 * Reads a record by calling the functions of its scalars directly, since parsing by the schema takes several times as
 * long. Only fields that are no scalars are parsed by their schemas.
 *
 * @returns undefined when something is refused; parsing by the schema then tells what and why
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

const fieldsOf = memoized(
  (schema: z.ZodObject): readonly FieldReader[] =>
    Object.entries<z.ZodType>(schema.shape).map(([name, field]) => ({
      name,
      read: READERS.get(field) ?? ((value) => readBySchema(field, value)),
    })),
  new WeakMap(),
);

function readBySchema(field: z.ZodType, value: unknown): unknown {
  const result = field.safeParse(value);
  return result.success ? result.data : new Refusal('cannot be read');
}
