import { z } from 'zod';
import { FILING_FEEDS, publicFilingsSince } from '../../model/filing.ts';
import { DAY_MS, easternDay } from '../../model/time.ts';
import { listDocuments, listTexts } from '../../store/filings/filing-documents.ts';
import {
  countFilings,
  eachFilingSince,
  FILING_SORTS,
  type FilingFilter,
  findNewestSighting,
  listFilings,
  listFilingValues,
} from '../../store/filings/filing-lists.ts';
import type { FilingRow } from '../../store/filings/filings.ts';
import type { Reader } from '../../store/store.ts';
import { pageMeta, rowsOf, uncountedMeta } from '../paging.ts';
import { oneOf, page, perPage, searchText, sortDirection, text, wholeNumber } from '../parameters.ts';
import { type RouteRequest, route, routesOf, TIERS } from '../route.ts';
import { filingBody, filingWithId } from './filing-body.ts';
import { filingHistoryRoutes } from './filing-history.ts';
import { filingMarkdown } from './filing-markdown.ts';

const query = z.object({
  page,
  per_page: perPage,
  feed: oneOf(FILING_FEEDS),
  org: text,
  status: text,
  search: searchText,
  sort: oneOf(FILING_SORTS),
  sort_dir: sortDirection,
  last_seen_days: wholeNumber(1, 100_000).optional(),
});

const filingList = route({
  path: '/filings',
  summary:
    'Filings, newest status first; on the public tier only those with a status date in the last 90 days',
  tiers: TIERS,
  scope: 'org:filings:read',
  query,
  answer({ reader, query: wanted, now, tier }) {
    const { feed, org, status, search, sort, sort_dir, last_seen_days, per_page } = wanted;
    const filter: FilingFilter = {
      feed,
      org: org || undefined,
      status: status || undefined,
      search,
      sinceDay: tier === 'public' ? publicFilingsSince(now) : undefined,
      unseenSince: last_seen_days === undefined ? undefined : now - last_seen_days * DAY_MS,
    };
    const order =
      sort || (sort_dir && search === undefined)
        ? { sort: sort ?? 'status_date', direction: sort_dir ?? (sort === 'org' ? 'asc' : 'desc') }
        : undefined;
    const rows = listFilings(reader, filter, order, rowsOf(wanted));
    return {
      data: rows.slice(0, per_page).map(filingBody),
      meta:
        search === undefined
          ? pageMeta(countFilings(reader, filter), wanted)
          : uncountedMeta(wanted, rows.length > per_page),
    };
  },
  documents: () => [''],
});

const filingValues = route({
  path: '/filings/filters',
  summary: 'Lists, organizations and statuses of the filings with a status date in the last 90 days',
  tiers: ['public'],
  answer: ({ reader, now }) => listFilingValues(reader, publicFilingsSince(now)),
  documents: () => [''],
});

const filingRoute = routesOf(requestedFiling, { scope: 'org:filings:read', documents: publicFilings });

const filingDetail = filingRoute({
  path: '/filings/{id}',
  summary: 'One filing with its attachments',
  answer(filing, { reader }) {
    const documents = listDocuments(reader, filing.filing_id).map(({ title, url, digest, replaced_at }) => ({
      title,
      url,
      sha256: digest?.toString('hex'),
      replaced: replaced_at === null ? undefined : easternDay(replaced_at),
    }));
    return { ...filingBody(filing), documents };
  },
});

const filingText = filingRoute({
  path: '/filings/{id}/markdown',
  summary: 'Extracted text of the attachments of a filing',
  answer: ({ filing_id }, { reader }) => ({
    filing_id,
    markdown: filingMarkdown(listTexts(reader, filing_id)),
  }),
});

/** The filing that a request names, or undefined when the asker may not see it or there is none. */
function requestedFiling({ reader, id, tier, now }: RouteRequest): FilingRow | undefined {
  const filing = filingWithId(reader, id);
  const isShown = tier === 'authenticated' || (filing?.status_day ?? '') >= publicFilingsSince(now);
  return isShown ? filing : undefined;
}

// The window is that of the newest sighting. A filing that has left it since has no answer, and so no document.
function* publicFilings(reader: Reader): Generator<string> {
  const newest = findNewestSighting(reader);
  if (newest === undefined) return;
  for (const filingId of eachFilingSince(reader, publicFilingsSince(newest))) yield String(filingId);
}

// These come before the detail, whose {id} would match their names too.
export const filingRoutes = [filingList, filingValues, ...filingHistoryRoutes, filingDetail, filingText];
