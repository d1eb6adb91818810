import { load } from 'cheerio/slim';
import { strFromU8, unzipSync } from 'fflate';
import type { DocumentText } from '../../store/filings/filing-documents.ts';
import { linesToMarkdown } from './plain-markdown.ts';

const BODY = 'word/document.xml';
/** Duplicates: drawings for older programs, and moved passages at their former place. */
const REPEATED = 'mc\\:Fallback, w\\:moveFrom';
/** Paragraphs and the parts of text runs; deleted text and field codes have other elements. */
const PIECES = ['w:p', 'w:r > w:t', 'w:r > w:tab', 'w:r > w:br', 'w:r > w:cr'].join().replaceAll(':', '\\:');

/** The body of a docx file; undefined if the zip file is something else. */
export function findDocxBody(bytes: Uint8Array): string | undefined {
  const body = unzipSync(bytes, { filter: ({ name }) => name === BODY })[BODY];
  return body && strFromU8(body);
}

/** The text of a docx file's body, one line per paragraph, also in table cells, with tracked changes accepted. */
export function docxToMarkdown(body: string): DocumentText {
  const $ = load(body, { xml: true });
  $(REPEATED).remove();
  let text = '';
  for (const piece of $(PIECES)) {
    const name = 'name' in piece ? piece.name : '';
    if (name === 'w:t') text += $(piece).text();
    else text += name === 'w:tab' ? '\t' : '\n';
  }
  const markdown = linesToMarkdown(text);
  return markdown === '' ? { problem: 'its paragraphs hold no text' } : { markdown, pages: null };
}
