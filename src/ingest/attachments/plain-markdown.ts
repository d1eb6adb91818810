import { withoutControls } from '../../model/control-characters.ts';

/**
 * Escapes lines of a document as Markdown: nothing in them becomes a heading, a link or HTML. Invisible characters are
 * removed, and runs of empty lines become one.
 */
export function linesToMarkdown(text: string): string {
  return withoutControls(text)
    .split(/\r\n?|\n/)
    .map((line) => lineToMarkdown(line.trim().replace(/[ \t]+/g, ' ')))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * Escapes one line of text as Markdown. A line of only `=` or `-` would make a heading of the one before it, and a list
 * item may begin with a heading, as in `1. # of contracts`.
 *
 * @example lineToMarkdown('[terms](javascript:x)') // '[terms]\\(javascript:x)'
 */
export function lineToMarkdown(line: string): string {
  return line
    .replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'))
    .replace(/\](?=[(:[])/g, ']\\')
    .replace(/^((?:(?:[-+*]|\d{1,9}[.)]) )*)(?=#|=+$|-+$)/, '$1\\');
}
