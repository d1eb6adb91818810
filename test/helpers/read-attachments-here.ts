import { beforeEach, vi } from 'vitest';
import { AttachmentReader } from '../../src/ingest/attachments/attachment-reader.ts';
import { documentToMarkdown } from '../../src/ingest/attachments/document-markdown.ts';

/**
 * Has the tests of a file or group read attachments within their own process, by the function that the reader's process calls:
 * a process for each run takes longer than the run. That process itself is tested in attachments.test.ts.
 */
export function readAttachmentsHere(): void {
  beforeEach(() => {
    const spy = vi.spyOn(AttachmentReader.prototype, 'read').mockImplementation(documentToMarkdown);
    return () => spy.mockRestore();
  });
}
