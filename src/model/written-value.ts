import { z } from 'zod';

/** A problem in a settings file or definition, with its place. */
export interface WrittenProblem {
  path: PropertyKey[];
  message: string;
}

/**
 * The value of JSON text. Editors of some systems put a byte order mark before it, which is no part of it.
 *
 * @throws Error when it is no JSON, or an object has a key twice: one of the two would go unheard
 */
export function parseWritten(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  const value: unknown = JSON.parse(json);
  refuseRepeatedKeys(json);
  return value;
}

// Runs of plain characters are passed over as such: one by one, a long text takes more than the stack holds.
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/g;

/** @param json that is well formed: a text before a colon is a key, and braces stand for objects alone */
function refuseRepeatedKeys(json: string): void {
  const open: Set<string>[] = [];
  for (const { 0: token, 1: colon, index } of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const key: string = JSON.parse(token.slice(0, -colon.length));
      if (open.at(-1)?.has(key))
        throw new Error(
          `the key ${JSON.stringify(key)} stands twice in one object, again in line ${lineOf(json, index)}`,
        );
      open.at(-1)?.add(key);
    }
  }
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/**
 * Validates a hand-written value against its schema.
 *
 * @param once whether the schema is used only once: compiling it would then take longer than interpreting it
 * @returns the value; undefined with every problem: its place, what is allowed there, what was found
 */
export function readWritten<Schema extends z.ZodType>(
  schema: Schema,
  written: unknown,
  { once = false } = {},
): { value: z.output<Schema> | undefined; problems: WrittenProblem[] } {
  const result = schema.safeParse(written, { error: sayProblem, jitless: once, reportInput: true });
  if (result.success) return { value: result.data, problems: [] };
  const problems = result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: issue.message }))
      : [{ path: issue.path, message: withFound(issue) }],
  );
  return { value: undefined, problems };
}

/** The message of a problem, with what was found where that is one value and the message does not tell it. */
function withFound({ message, input }: z.core.$ZodIssue): string {
  const told = message.includes('got ') || typeof input === 'object' || input === undefined;
  return told ? message : `${message}, got ${found(input)}`;
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

/** The message of a problem; undefined leaves zod's own. */
function sayProblem(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  if (input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS.get(issue.expected)}, got ${found(input)}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}, got ${found(input)}`;
    case 'unrecognized_keys':
      return `there is no such key, only ${keysOf(issue.inst).join(', ')}`;
    case 'invalid_union':
      return Array.isArray(issue.options) ? `must be ${oneOf(issue.options)}${foundAt(issue)}` : undefined;
    case 'too_small':
      return beyond(issue.inclusive ? 'at least' : 'above', issue.minimum, input);
    case 'too_big':
      return beyond(issue.inclusive ? 'at most' : 'below', issue.maximum, input);
    case 'invalid_format':
      return issue.format === 'url' ? `must be an http(s) address, got ${found(input)}` : undefined;
    default:
      return undefined;
  }
}

/** The message for a number, or a length of a text or list, beyond its limit. */
function beyond(side: string, limit: unknown, input: unknown): string {
  if (typeof input === 'string') return `must have ${side} ${limit} characters, got ${input.length}`;
  if (Array.isArray(input)) return `must have ${side} ${limit} entries, got ${input.length}`;
  return `must be ${side} ${limit}, got ${found(input)}`;
}

/** What was found, without the user and the password that an address may hold: problems are logged. */
function found(input: unknown): string {
  if (typeof input === 'string') return JSON.stringify(input.replace(/:\/\/[^/?#]*@/g, '://…@'));
  if (typeof input !== 'object' || input === null) return JSON.stringify(input);
  return Array.isArray(input) ? 'a list' : 'an object';
}

/** What was found as the key that says which of several shapes an object has. */
function foundAt({ input, discriminator }: z.core.$ZodRawIssue): string {
  const given = new Map(Object.entries(input ?? {})).get(String(discriminator));
  return given === undefined ? '' : `, got ${found(given)}`;
}

/** The keys that an object may have. */
function keysOf(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map((each) => JSON.stringify(each));
  return words.length === 1 ? words.join('') : `one of ${words.join(', ')}`;
}
