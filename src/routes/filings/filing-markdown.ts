import { easternDay } from '../../model/time.ts';
import type { FilingTextRow } from '../../store/filings/filing-documents.ts';

/**
 * The text of a filing's attachments: a section for each, with its address, or why there is no text. The title of one that
 * was replaced says when.
 */
export function filingMarkdown(documents: readonly FilingTextRow[]): string {
  return documents
    .map(({ title, url, replaced_at, markdown, problem }) => {
      const until = replaced_at === null ? '' : ` (replaced ${easternDay(replaced_at)})`;
      const body = markdown ?? `*No text: ${problem ?? 'the attachment was not read yet'}.*`;
      return `## ${plain(title)}${until}\n\n<${url}>\n\n${body}\n`;
    })
    .join('\n');
}

// Titles are shown literally, not as links, emphasis or HTML.
function plain(title: string): string {
  return title.replaceAll(/[\\`*_[\]<>]/g, '\\$&');
}
