// The slim entry point: the main one also loads an HTTP client.
import { load } from 'cheerio/slim';
import { oneLine } from './plain-text.ts';

export type HtmlPage = ReturnType<typeof load>;

const BLOCKS = 'p, br, div, li, ul, ol, tr, td, th, table, section, h1, h2, h3, h4, h5, h6, blockquote, pre';
/** Elements whose text is not displayed. */
const UNSEEN = 'script, style, template, noscript, iframe, svg';

/** Parses HTML, however broken. */
export function readHtml(text: string): HtmlPage {
  return load(text);
}

/** The bytes of a page decoded as UTF-8, with invalid sequences replaced. */
export function decodeText(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

/**
 * Reduces a page to the text that a browser shows: lines and blocks are set apart, and scripts and the like are
 * removed.
 */
export function asShown(page: HtmlPage): HtmlPage {
  page(UNSEEN).remove();
  page(BLOCKS).before(' ').after(' ');
  return page;
}

/** The longest piece of HTML that is parsed; much less of an article is shown. */
const LONGEST = 100_000;

/** The text of a piece of HTML, without its markup, on one line. */
export function htmlToText(html: string): string {
  const page = asShown(readHtml(html.slice(0, LONGEST)));
  return oneLine(textIn(page.root().toArray()));
}

/** A node of a page: text, or an element with children. */
interface HtmlNode {
  type: string;
  data?: string;
  children?: readonly HtmlNode[];
}

// Not recursive: a few thousand nested elements would overflow the stack.
function textIn(nodes: readonly HtmlNode[]): string {
  const left = nodes.toReversed();
  let text = '';
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.type === 'text') text += node.data ?? '';
    for (const child of node.children?.toReversed() ?? []) left.push(child);
  }
  return text;
}
