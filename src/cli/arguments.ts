import { InvalidArgumentError } from 'commander';
import { controlProblem } from '../model/control-characters.ts';
import { dividesDay, parseInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';

/** Parsers of arguments and option values. Each throws what the command line then reports. */

export function instantArgument(text: string): Instant {
  const at = parseInstant(text);
  if (at === undefined) throw new InvalidArgumentError('must be an instant such as 2024-11-05T00:00:00Z');
  return at;
}

export function generationArgument(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('must be the number of a generation');
  return Number(text);
}

export function countArgument(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

export function keptArgument(text: string): number {
  const generations = countArgument(text);
  if (generations < 2) throw new InvalidArgumentError('must be 2 or more');
  return generations;
}

export function textArgument(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('must not be blank');
  return text;
}

/** A text that is published. */
export function publishedTextArgument(text: string): string {
  const problem = controlProblem(text);
  if (problem) throw new InvalidArgumentError(problem);
  return textArgument(text);
}

export function shareArgument(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share <= 1)) throw new InvalidArgumentError('must be 0 to 1');
  return share;
}

export function intervalArgument(text: string): number {
  const minutes = countArgument(text);
  if (!dividesDay(minutes)) throw new InvalidArgumentError('must divide a day of 1440 minutes');
  return minutes;
}

export function portArgument(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('must be 0 to 65535');
  return Number(text);
}
