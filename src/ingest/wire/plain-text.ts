import { withoutControls } from '../../model/control-characters.ts';

/** A text on one line: runs of white space become one space; control and direction characters are removed. */
export function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** The first half of a surrogate pair at the end of a text. */
const HALF = /[\ud800-\udbff]$/;

/** A text cut to at most so many characters, with an ellipsis if something is cut off. */
export function cut(text: string, longest: number): string {
  return text.length > longest
    ? `${text
        .slice(0, longest - 1)
        .replace(HALF, '')
        .trimEnd()}…`
    : text;
}
