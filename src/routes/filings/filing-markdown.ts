import type { FilingTextRow } from '../../store/filings/filing-documents.ts';

/** The text of a filing's attachments: a section for each, with its address, or why there is no text. */
export function filingMarkdown(documents: readonly FilingTextRow[]): string {
  return documents
    .map(({ title, url, markdown, problem }) => {
      const body = markdown ?? `*No text: ${problem ?? 'the attachment was not read yet'}.*`;
      return `## ${plain(title)}\n\n<${url}>\n\n${body}\n`;
    })
    .join('\n');
}

// Titles are shown literally, not as links, emphasis or HTML.
function plain(title: string): string {
  return title.replaceAll(/[\\`*_[\]<>]/g, '\\$&');
}
