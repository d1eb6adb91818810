import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { controlProblem } from './control-characters.ts';
import { firstPlaceThat } from './first-place.ts';

/** A problem in a settings file or definition, with its path. */
export interface WrittenProblem {
  path: PropertyKey[];
  message: string;
}

/**
 * Parses a JSON file. A byte order mark, which some editors put before it, is ignored.
 *
 * @throws SyntaxError when the file is not JSON, with the line unless the end is missing
 * @throws Error when the file is not UTF-8, which would turn some of its letters into others, or when an object has a key
 *   twice: JSON.parse would silently ignore one of the two
 */
export function parseWritten(file: Buffer): unknown {
  if (!isUtf8(file)) throw new Error(`must be UTF-8, and line ${otherLineOf(file)} is not`);
  const json = file.toString('utf8').replace(/^\uFEFF/, '');
  const value = parseJson(json);
  refuseRepeatedKeys(json);
  return value;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (thrown) {
    const token = unexpectedToken(thrown);
    throw token === undefined
      ? thrown
      : new SyntaxError(`${token} in line ${lineOf(json, indexOfToken(json))}`);
  }
}

/** What V8 says of a character where a value should begin, the only failure whose place it does not tell. */
function unexpectedToken(thrown: unknown): string | undefined {
  return thrown instanceof SyntaxError
    ? /^Unexpected token '.+?'(?=, )/su.exec(thrown.message)?.[0]
    : undefined;
}

/** Where JSON has an unexpected token: the beginnings of the text that fail for this reason are those that contain it. */
function indexOfToken(json: string): number {
  return firstPlaceThat(json.length, (place) => hasUnexpectedToken(json.slice(0, place + 1)));
}

function hasUnexpectedToken(json: string): boolean {
  try {
    JSON.parse(json);
    return false;
  } catch (thrown) {
    return unexpectedToken(thrown) !== undefined;
  }
}

/** The first line of a file that is not UTF-8. */
function otherLineOf(file: Buffer): number {
  const lines = file.toString('latin1').split('\n');
  return 1 + lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
}

// Matches runs of plain characters at once: matching a long string one by one would overflow the stack.
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/g;

/** @param json well-formed JSON, so that a string before a colon is a key, and other braces belong to objects */
function refuseRepeatedKeys(json: string): void {
  const open: Set<string>[] = [];
  for (const { 0: token, 1: colon, index } of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const key: string = JSON.parse(token.slice(0, -colon.length));
      if (open.at(-1)?.has(key))
        throw new Error(
          `the key ${JSON.stringify(key)} occurs twice in one object, the second time in line ${lineOf(json, index)}`,
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
 * @param once whether the schema is used only once, so that compiling it would take longer than interpreting it
 * @returns the value, or undefined with all problems: the path, what is allowed there, and what was found
 */
export function readWritten<Schema extends z.ZodType>(
  schema: Schema,
  written: unknown,
  { once = false } = {},
): { value: z.output<Schema> | undefined; problems: WrittenProblem[] } {
  const result = schema.safeParse(written, { error: sayProblem, jitless: once, reportInput: true });
  const unseen = controlProblems(written);
  if (result.success && unseen.length === 0) return { value: result.data, problems: [] };
  const problems = (result.error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: issue.message }))
      : [{ path: issue.path, message: withFound(issue) }],
  );
  return { value: undefined, problems: [...problems, ...unseen] };
}

/** A value with its place in a written one. */
interface Placed {
  value: unknown;
  key?: string;
  within?: Placed;
}

/** Problems of texts and keys with characters that nobody sees but that act on what shows them. */
function controlProblems(written: unknown): WrittenProblem[] {
  const problems: WrittenProblem[] = [];
  // The list grows while it is iterated.
  const all: Placed[] = [{ value: written }];
  for (const within of all) {
    const { value, key = '' } = within;
    const message = controlProblem(key) ?? (typeof value === 'string' ? controlProblem(value) : undefined);
    if (message !== undefined) problems.push({ path: pathOf(within), message });
    if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) all.push({ value: each, key, within });
  }
  return problems;
}

function pathOf(placed: Placed): string[] {
  const path: string[] = [];
  for (let each: Placed | undefined = placed; each?.key !== undefined; each = each.within)
    path.unshift(each.key);
  return path;
}

/** The message of a problem, with the value found appended unless that is an object or already in the message. */
function withFound({ message, input }: z.core.$ZodIssue): string {
  const hasValue = message.includes('got ') || typeof input === 'object' || input === undefined;
  return hasValue ? message : `${message}, got ${found(input)}`;
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

/** The message of a problem; undefined for zod's default. */
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

/** The message for a number beyond its limit, or a string or list with a length beyond its limit. */
function beyond(side: string, limit: unknown, input: unknown): string {
  if (typeof input === 'string') return `must have ${side} ${limit} characters, got ${input.length}`;
  if (Array.isArray(input)) return `must have ${side} ${limit} entries, got ${input.length}`;
  return `must be ${side} ${limit}, got ${found(input)}`;
}

/** The value found, for a message. Users and passwords in addresses are left out, because problems are logged. */
function found(input: unknown): string {
  if (typeof input === 'string') return JSON.stringify(input.replace(/:\/\/[^/?#]*@/g, '://…@'));
  if (typeof input !== 'object' || input === null) return JSON.stringify(input);
  return Array.isArray(input) ? 'a list' : 'an object';
}

/** The value found for the discriminator of a union, for a message; empty when it is missing. */
function foundAt({ input, discriminator }: z.core.$ZodRawIssue): string {
  const given = new Map(Object.entries(input ?? {})).get(String(discriminator));
  return given === undefined ? '' : `, got ${found(given)}`;
}

/** The keys that an object may have. */
function keysOf(schema: unknown): string[] {
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum)
    return schema.keyType.options.map(String);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map((each) => JSON.stringify(each));
  return words.length === 1 ? words.join('') : `one of ${words.join(', ')}`;
}
