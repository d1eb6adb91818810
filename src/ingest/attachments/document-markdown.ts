import { messageOf } from '../../model/errors.ts';
import type { DocumentText } from '../../store/filings/filing-documents.ts';

/** The longest text that is kept of one document, in characters. */
const LONGEST = 5 * 1024 * 1024;

const NO_READER = 'it is not a PDF, xlsx or docx file';

/** The text of a document as Markdown; its first bytes tell the file type. */
export async function documentToMarkdown(bytes: Uint8Array): Promise<DocumentText> {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  try {
    // Some programs write a few bytes before the signature, which readers tolerate.
    // Each parser is loaded with the first document of its kind, since a process reads only a few.
    if (head.includes('%PDF-')) {
      const { pdfToMarkdown } = await import('./pdf-markdown.ts');
      return bounded(await pdfToMarkdown(bytes));
    }
    if (head.startsWith('PK\x03\x04')) {
      const { docxToMarkdown, findDocxParts } = await import('./docx-markdown.ts');
      const parts = findDocxParts(bytes);
      if (parts !== undefined) return bounded(docxToMarkdown(parts));
      const { isXlsx } = await import('./xlsx-cells.ts');
      if (!isXlsx(bytes)) return { problem: NO_READER };
      const { xlsxToMarkdown } = await import('./xlsx-markdown.ts');
      return bounded(await xlsxToMarkdown(bytes));
    }
    return { problem: NO_READER };
  } catch (thrown) {
    return { problem: `could not be read: ${messageOf(thrown).slice(0, 200).replace(/\.+$/, '')}` };
  }
}

function bounded(text: DocumentText): DocumentText {
  if ('problem' in text || text.markdown.length <= LONGEST) return text;
  return { ...text, markdown: `${text.markdown.slice(0, LONGEST)}\n\n(The rest was left out.)` };
}
