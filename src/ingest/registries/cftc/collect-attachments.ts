import { hash } from 'node:crypto';
import { REGISTRY_FEEDS } from '../../../model/filing.ts';
import {
  type DocumentMiss,
  noteDocumentBytes,
  noteDocumentMissed,
  selectDocumentsDue,
  selectTextsDue,
  upsertText,
} from '../../../store/filings/filing-documents.ts';
import { findPayload } from '../../../store/payloads.ts';
import { AttachmentReader, EXTRACTOR } from '../../attachments/attachment-reader.ts';
import type { CollectorRun } from '../../collector.ts';
import { failsForGood, isTooLong, wasAsked } from '../../wire/venue-trouble.ts';
import { fetchAddress } from './places.ts';

/**
 * Fetches missing attachments and extracts the text of those not yet read. The bytes are stored, so that a new version
 * of the extractor can read them again without fetching them.
 */
export async function collectAttachments(run: CollectorRun): Promise<void> {
  const { cftc } = run.config.registries;
  const due = run.store.read((reader) =>
    selectDocumentsDue(reader, REGISTRY_FEEDS.cftc, cftc.attachments_a_run),
  );
  await run.feed('cftc/attachments', async (feed) => {
    for (const [i, url] of due.entries()) {
      try {
        const answer = await feed.fetch({ url: fetchAddress(url, cftc), format: 'file' });
        const digest = hash('sha256', answer.body, 'buffer');
        feed.keep(answer, { read: 1, rejections: [] }, (writer) => ({
          rows_changed: noteDocumentBytes(writer, url, digest, run.now) ? 1 : 0,
        }));
      } catch (thrown) {
        feed.failPart(thrown);
        if (wasAsked(thrown)) run.store.write((writer) => noteDocumentMissed(writer, url, missOf(thrown)));
      }
      feed.progress(i + 1, due.length);
    }
  });
  await readTexts(run, cftc.attachments_a_run);
}

function missOf(thrown: unknown): DocumentMiss {
  if (isTooLong(thrown)) return 'too_long';
  return failsForGood(thrown) ? 'refused' : 'failed';
}

async function readTexts(run: CollectorRun, limit: number): Promise<void> {
  const reader = new AttachmentReader();
  try {
    for (const digest of run.store.read((from) => selectTextsDue(from, EXTRACTOR, limit))) {
      if (run.signal.aborted) return;
      const bytes = run.store.read((from) => findPayload(from, digest));
      const text = bytes ? await reader.read(bytes) : { problem: 'its bytes are no longer kept' };
      run.store.write((writer) => upsertText(writer, digest, EXTRACTOR, text));
    }
  } finally {
    reader.close();
  }
}
