import { strFromU8, unzipSync } from 'fflate';
import type { DocumentText } from '../../store/filings/filing-documents.ts';
import { linesToMarkdown } from './plain-markdown.ts';

const BODY = 'word/document.xml';
/**
 * Text, the end of a paragraph, breaks, and where something begins or ends that stands there twice: a drawing for older
 * programs, a passage where it was before it was moved. Struck out text and fields have elements of their own.
 */
const PIECES =
  /<w:t(?:\s[^<>]*)?>([^<]*)<\/w:t>|<\/w:p>|<w:(?:tab|br|cr)(?:\s[^<>]*)?\/>|<(\/?)(?:mc:Fallback|w:moveFrom)(?:\s[^<>]*[^<>/])?>/g;
const ENTITIES = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi;
const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The body of a docx file, or undefined where a zip file is another one. */
export function findDocxBody(bytes: Uint8Array): string | undefined {
  const body = unzipSync(bytes, { filter: ({ name }) => name === BODY })[BODY];
  return body && strFromU8(body);
}

/** The text of a docx file's body, a line a paragraph, cells of tables too, with its tracked changes made. */
export function docxToMarkdown(body: string): DocumentText {
  let text = '';
  let repeats = 0;
  for (const [piece, run, slash] of body.matchAll(PIECES)) {
    if (slash !== undefined) repeats += slash === '' ? 1 : -1;
    else if (repeats === 0) text += run === undefined ? breakOf(piece) : decodeEntities(run);
  }
  const markdown = linesToMarkdown(text);
  return markdown === '' ? { problem: 'its paragraphs hold no text' } : { markdown, pages: null };
}

function breakOf(piece: string): string {
  return piece.startsWith('<w:tab') ? '\t' : '\n';
}

function decodeEntities(text: string): string {
  return text.replace(ENTITIES, (entity, hex?: string, decimal?: string, name = '') => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return NAMED[name] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : entity);
  });
}
