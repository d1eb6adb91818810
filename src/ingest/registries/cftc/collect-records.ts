import { REGISTRY_FEEDS } from '../../../model/filing.ts';
import { addDays, easternDay } from '../../../model/time.ts';
import {
  noteDocuments,
  noteRecordMissed,
  selectRecordsDue,
} from '../../../store/filings/filing-documents.ts';
import type { CollectorRun } from '../../collector.ts';
import { hasHeldUp, readInTime } from '../../wire/read-in-time.ts';
import { wasAsked } from '../../wire/venue-trouble.ts';
import { parseRecordPage } from './parse-record.ts';
import { fetchAddress } from './places.ts';

/** A filing's page is read again daily while its status is younger than this. */
const YOUNG_DAYS = 30;
/** If this many pages name none of the attachments that the lists count, the format has changed. */
const DRIFT_FROM_PAGES = 5;
/** A run stops after this many pages that take too long to parse, since each blocks everything else meanwhile. */
const MOST_HELD_UP = 2;

/** Reads the pages of filings that are new, changed, young or open, for the attachments that they name. */
export async function collectRecords(run: CollectorRun): Promise<void> {
  const { registries, ingest } = run.config;
  const { cftc } = registries;
  const today = easternDay(run.now);
  const due = run.store.read((reader) =>
    selectRecordsDue(reader, {
      feeds: REGISTRY_FEEDS.cftc,
      sinceDay: addDays(today, -cftc.attachment_days),
      youngSince: addDays(today, -YOUNG_DAYS),
      now: run.now,
      limit: cftc.pages_a_run,
    }),
  );
  await run.feed('cftc/records', async (feed) => {
    let counted = 0;
    let named = 0;
    let heldUp = 0;
    for (const [i, { filing_id, source_url, document_count }] of due.entries()) {
      try {
        const url = fetchAddress(source_url, cftc);
        const answer = await feed.find({ url, format: 'html' });
        if (!answer) {
          feed.leaveIncomplete(`the registry has no page of filing ${filing_id}`);
          run.store.write((writer) => noteDocuments(writer, filing_id, [], run.now));
          continue;
        }
        const page = readInTime(ingest.parse_timeout_seconds, () =>
          parseRecordPage(answer.body, filing_id, url, cftc),
        );
        if ((document_count ?? 0) > 0) counted++;
        if (page.read > 0) named++;
        feed.keep(answer, page, (writer) => ({
          rows_changed: noteDocuments(writer, filing_id, page.documents, run.now),
        }));
      } catch (thrown) {
        feed.failPart(thrown);
        if (wasAsked(thrown)) run.store.write((writer) => noteRecordMissed(writer, filing_id, run.now));
        if (hasHeldUp(thrown) && ++heldUp === MOST_HELD_UP) break;
      }
      feed.progress(i + 1, due.length);
    }
    if (counted >= DRIFT_FROM_PAGES && named === 0)
      feed.leaveIncomplete(
        `none of ${counted} pages names the attachments that its list counts; has the format changed?`,
      );
  });
}
