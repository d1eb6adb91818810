import { extractText, getDocumentProxy } from 'unpdf';
import type { DocumentText } from '../../store/filings/filing-documents.ts';
import { linesToMarkdown } from './plain-markdown.ts';

const MOST_PAGES = 500;

/** The text of a PDF, page by page. Scanned pages have none, and are counted at the end. */
export async function pdfToMarkdown(bytes: Uint8Array): Promise<DocumentText> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false });
  if (pdf.numPages > MOST_PAGES) return { problem: `it has ${pdf.numPages} pages, more than ${MOST_PAGES}` };
  const { text, totalPages } = await extractText(pdf);
  const pages = text.map(linesToMarkdown).filter((page) => page !== '');
  if (pages.length === 0) return { problem: 'its pages hold no text' };
  const without = totalPages - pages.length;
  const note = `(${without} of ${totalPages} pages ${without === 1 ? 'holds' : 'hold'} no text.)`;
  return { markdown: [...pages, ...(without > 0 ? [note] : [])].join('\n\n'), pages: totalPages };
}
