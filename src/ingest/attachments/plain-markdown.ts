import { withoutControls } from '../wire/html.ts';

/**
 * Lines of a document as Markdown that shows just them: nothing in them becomes a heading, a link or HTML, and
 * characters that are not seen are gone. Runs of empty lines become one.
 */
export function linesToMarkdown(text: string): string {
  return withoutControls(text)
    .split(/\r?\n/)
    .map((line) => plainText(line.trim().replace(/[ \t]+/g, ' ')))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * A text of one line as Markdown that shows just it. A line of `=` or `-` alone makes a heading of the one before it.
 *
 * @example plainText('[terms](javascript:x)') // '[terms]\\(javascript:x)'
 */
export function plainText(line: string): string {
  return line
    .replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'))
    .replace(/\](?=[(:[])/g, ']\\')
    .replace(/^(?=#|=+$|-+$)/, '\\');
}
