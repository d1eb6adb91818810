import { hash } from 'node:crypto';
import { REGISTRY_FEEDS } from '../../../model/filing.ts';
import { addDays, DAY_MS, easternDay } from '../../../model/time.ts';
import {
  type DocumentDue,
  type DocumentMiss,
  noteDocumentBytes,
  noteDocumentMissed,
  noteDocumentUnchanged,
  selectDocumentsDue,
  selectDocumentsToCheck,
} from '../../../store/filings/document-bytes.ts';
import { selectTextsDue, upsertText } from '../../../store/filings/filing-documents.ts';
import { findPayload } from '../../../store/payloads.ts';
import type { Reader } from '../../../store/store.ts';
import { AttachmentReader, EXTRACTOR } from '../../attachments/attachment-reader.ts';
import type { CollectorRun } from '../../collector.ts';
import type { Feed } from '../../feed.ts';
import { failsForGood, isTooLong, wasAsked } from '../../wire/venue-trouble.ts';
import { fetchAddress } from './places.ts';

/** An attachment is asked for again when its last answer is this many days old. */
const ASK_AGAIN_DAYS = 7;

/**
 * Fetches missing attachments, asks whether others were replaced under their address, and extracts the text of those not
 * yet read. The bytes are stored, so that a new version of the extractor can read them again without fetching them.
 */
export async function collectAttachments(run: CollectorRun): Promise<void> {
  const { cftc } = run.config.registries;
  const due = run.store.read((reader) => selectDue(reader, run));
  await run.feed('cftc/attachments', async (feed) => {
    for (const [i, document] of due.entries()) {
      try {
        await askForDocument(run, feed, document);
      } catch (thrown) {
        feed.failPart(thrown);
        if (wasAsked(thrown))
          run.store.write((writer) => noteDocumentMissed(writer, document.url, missOf(thrown), run.now));
      }
      feed.progress(i + 1, due.length);
    }
  });
  await readTexts(run, cftc.attachments_a_run + cftc.attachment_checks_a_run);
}

/** The attachments that this run asks for, the missing ones first; each once. */
function selectDue(reader: Reader, { config, now }: CollectorRun): DocumentDue[] {
  const { cftc } = config.registries;
  const feeds = REGISTRY_FEEDS.cftc;
  const missing = selectDocumentsDue(reader, feeds, cftc.attachments_a_run);
  const urls = new Set(missing.map((each) => each.url));
  const known = selectDocumentsToCheck(reader, {
    feeds,
    sinceDay: addDays(easternDay(now), -cftc.attachment_days),
    askedUntil: now - ASK_AGAIN_DAYS * DAY_MS,
    limit: cftc.attachment_checks_a_run,
  });
  return [...missing, ...known.filter((each) => !urls.has(each.url))];
}

async function askForDocument(run: CollectorRun, feed: Feed, { url, unless }: DocumentDue): Promise<void> {
  const address = fetchAddress(url, run.config.registries.cftc);
  const answer = await feed.fetch({ url: address, format: 'file', ...(unless && { unless }) });
  if (answer.unchanged) {
    feed.report.rows_read++;
    run.store.write((writer) => noteDocumentUnchanged(writer, url, run.now));
    return;
  }
  const digest = hash('sha256', answer.body, 'buffer');
  feed.keep(answer, { read: 1, rejections: [] }, (writer) => ({
    rows_changed: noteDocumentBytes(writer, url, digest, run.now, answer.validators) ? 1 : 0,
  }));
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
