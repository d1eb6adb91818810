import { extractText, getDocumentProxy } from 'unpdf';
import type { DocumentText } from '../../store/filings/filing-documents.ts';
import { linesToMarkdown } from './plain-markdown.ts';

const MOST_PAGES = 500;

/** The text of a PDF, page by page. Scanned pages have none. */
export async function pdfToMarkdown(bytes: Uint8Array): Promise<DocumentText> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false });
  if (pdf.numPages > MOST_PAGES) return { problem: `it has ${pdf.numPages} pages, more than ${MOST_PAGES}` };
  const { text, totalPages } = await extractText(pdf);
  const markdown = text
    .map(linesToMarkdown)
    .filter((page) => page !== '')
    .join('\n\n');
  return markdown === '' ? { problem: 'its pages hold no text' } : { markdown, pages: totalPages };
}
