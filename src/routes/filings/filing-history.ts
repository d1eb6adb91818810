import { z } from 'zod';
import { FILING_CHANGE_KINDS, FILING_FEEDS } from '../../model/filing.ts';
import { easternDay } from '../../model/time.ts';
import {
  findNewestChangeSeq,
  listChangesOfFiling,
  listFilingChanges,
} from '../../store/filings/filing-changes.ts';
import { type FilingRow, findFiling } from '../../store/filings/filings.ts';
import { instantParameter, oneOf, perPage, wholeNumber } from '../parameters.ts';
import { route } from '../route.ts';
import { changeBody, filingBody, filingWithId } from './filing-body.ts';

const filingChanges = route({
  path: '/filings/events',
  summary: 'Every observed change of any filing, oldest first',
  tiers: ['authenticated'],
  scope: 'org:filings:read',
  query: z.object({
    per_page: perPage,
    since_seq: wholeNumber(0, 999_999_999_999).optional(),
    kind: oneOf(FILING_CHANGE_KINDS),
    feed: oneOf(FILING_FEEDS),
    since: instantParameter,
  }),
  answer({ reader, query }) {
    const { per_page, since_seq, kind, feed, since } = query;
    const changes = listFilingChanges(reader, { sinceSeq: since_seq, since, kind, feed }, per_page + 1);
    const shown = changes.slice(0, per_page);
    return {
      data: shown.map((change) => ({
        ...changeBody(change),
        filing: filingBody(findFiling(reader, change.filing_id) as FilingRow),
      })),
      meta: {
        per_page,
        has_next: changes.length > per_page,
        // Nothing matched: continue after the newest change, also where that is one of a restored copy.
        last_seq: shown.at(-1)?.seq ?? findNewestChangeSeq(reader),
      },
    };
  },
});

const filingActions = route({
  path: '/filings/{id}/actions',
  summary: 'History of one filing, oldest first',
  tiers: ['authenticated'],
  scope: 'org:filings:read',
  answer({ reader, id }) {
    const filing = filingWithId(reader, id);
    if (!filing) return undefined;
    const data = listChangesOfFiling(reader, filing.filing_id).map((change) => ({
      ...changeBody(change),
      date: change.day ?? easternDay(change.observed_at),
    }));
    return { data };
  },
});

export const filingHistoryRoutes = [filingChanges, filingActions];
