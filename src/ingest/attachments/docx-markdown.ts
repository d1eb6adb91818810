import { load } from 'cheerio/slim';
import { strFromU8, unzipSync } from 'fflate';
import type { DocumentText } from '../../store/filings/filing-documents.ts';
import { linesToMarkdown } from './plain-markdown.ts';

/** The body, which some programs number. */
const BODY = /^word\/document\d*\.xml$/;
const NOTES = /^word\/(?:footnotes|endnotes)\d*\.xml$/;
/** Duplicates: drawings for older programs, and moved passages at their former place. */
const REPEATED = 'mc\\:Fallback, w\\:moveFrom';
/** Paragraphs and the parts of text runs; deleted text and field codes have other elements. */
const PIECES = ['w:p', 'w:r > w:t', 'w:r > w:tab', 'w:r > w:br', 'w:r > w:cr', 'w:r > w:noBreakHyphen']
  .join()
  .replaceAll(':', '\\:');
/** What a piece that is neither text nor the end of a line stands for. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['w:tab', '\t'],
  ['w:noBreakHyphen', '-'],
]);

/** The body of a docx file, then its footnotes and endnotes; undefined if the zip file is something else. */
export function findDocxParts(bytes: Uint8Array): string[] | undefined {
  const parts = unzipSync(bytes, { filter: ({ name }) => BODY.test(name) || NOTES.test(name) });
  const [bodies, notes] = [BODY, NOTES].map((kind) => Object.keys(parts).filter((name) => kind.test(name)));
  if (!bodies?.length) return undefined;
  return [...bodies, ...(notes ?? []).toSorted().reverse()].map((name) =>
    strFromU8(parts[name] as Uint8Array),
  );
}

/**
 * The text of the parts of a docx file, one line per paragraph, also in table cells, with tracked changes accepted.
 * Notes come at the end.
 */
export function docxToMarkdown(parts: readonly string[]): DocumentText {
  const markdown = linesToMarkdown(parts.map(textOf).join('\n\n'));
  return markdown === '' ? { problem: 'its paragraphs hold no text' } : { markdown, pages: null };
}

function textOf(part: string): string {
  const $ = load(part, { xml: true });
  $(REPEATED).remove();
  let text = '';
  for (const piece of $(PIECES)) {
    const name = 'name' in piece ? piece.name : '';
    text += name === 'w:t' ? $(piece).text() : (SIGNS.get(name) ?? '\n');
  }
  return text;
}
