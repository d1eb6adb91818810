// Without the loaders of the main entry: they bring an HTTP client along.
import { load } from 'cheerio/slim';

/** A page of HTML that can be asked with selectors. */
export type HtmlPage = ReturnType<typeof load>;

const BLOCKS = 'p, br, div, li, ul, ol, tr, td, th, table, section, h1, h2, h3, h4, h5, h6, blockquote, pre';
/** What a reader never sees. */
const UNSEEN = 'script, style, template, noscript, iframe, svg';

/** Reads HTML, however broken. */
export function readHtml(text: string): HtmlPage {
  return load(text);
}

/** The bytes of a page as text: UTF-8, with invalid sequences replaced. */
export function decodeText(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

/** A text on one line: runs of white space become one blank; control and direction characters go. */
export function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** A text without the characters that are not seen but do something. Line ends and tabs stay. */
export function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u200b\ufeff]/gu, (character) =>
    /[\n\r\t]/.test(character) ? character : '',
  );
}

/** The first half of a character that takes two, at the end of a text. */
const HALF = /[\ud800-\udbff]$/;

/** A text of at most so many characters; what is cut off is told by a sign. */
export function cut(text: string, longest: number): string {
  return text.length > longest
    ? `${text
        .slice(0, longest - 1)
        .replace(HALF, '')
        .trimEnd()}…`
    : text;
}

/** The longest piece of HTML that is read: an article is shown by much less of it. */
const LONGEST = 100_000;

/** The text of a piece of HTML, without its markup, on one line. */
export function htmlToText(html: string): string {
  const page = readHtml(html.slice(0, LONGEST));
  page(UNSEEN).remove();
  page(BLOCKS).after(' ');
  return oneLine(textIn(page.root().toArray()));
}

/** A node of a page: text, or an element with parts. */
interface HtmlNode {
  type: string;
  data?: string;
  children?: readonly HtmlNode[];
}

// With a list instead of a call a part: a few thousand in each other are more than the stack holds.
function textIn(nodes: readonly HtmlNode[]): string {
  const left = nodes.toReversed();
  let text = '';
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.type === 'text') text += node.data ?? '';
    for (const child of node.children?.toReversed() ?? []) left.push(child);
  }
  return text;
}
