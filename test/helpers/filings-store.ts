import { hash } from 'node:crypto';
import type { Filing } from '../../src/model/filing.ts';
import { DAY_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { noteDocumentBytes } from '../../src/store/filings/document-bytes.ts';
import { listDocuments, noteDocuments, upsertText } from '../../src/store/filings/filing-documents.ts';
import { upsertFiling } from '../../src/store/filings/filings.ts';
import type { Store } from '../../src/store/store.ts';

/** The first status date that the public tier shows on 15 April 2026, and the day before. */
export const FIRST_PUBLIC_DAY = '2026-01-15';
export const DAY_BEFORE = '2026-01-14';

const SOURCE = 'https://registry.example';

/** A filing with the required fields; the rest as given. */
export function filing(filing_id: number, given: Partial<Filing> = {}): Filing {
  return {
    filing_id,
    feed: 'ptc_dcm_rules',
    org: 'KEX',
    title: given.description ?? given.product_name ?? `Filing ${filing_id}`,
    status: 'Certified',
    status_day: '2026-04-01',
    source_url: `${SOURCE}/${filing_id}`,
    ...given,
  };
}

/** Filings by number, in the order they are first seen. */
const filingsSeen = (now: Instant): [Filing, Instant][] => [
  [
    filing(100, { description: 'Old rule', status_day: DAY_BEFORE, received_day: '2026-01-02' }),
    now - 95 * DAY_MS,
  ],
  [filing(101, { description: 'Edge of the window', status_day: FIRST_PUBLIC_DAY }), now - 90 * DAY_MS],
  [
    filing(102, {
      feed: 'dcm_products',
      org: 'QCEX',
      product_name: 'Rainfall in Seattle',
      product_type: 'Swap',
      category: 'Event Contracts',
      status_day: '2026-03-20',
    }),
    now - 20 * DAY_MS,
  ],
  [
    filing(103, {
      feed: 'dco_rules',
      org: 'KKL',
      description: 'Clearing of rainfall contracts',
      received_day: '2026-04-10',
      status: '10 Day Review',
      status_day: '2026-04-10',
      products_affected: 'See filing.',
    }),
    now - 5 * DAY_MS,
  ],
  [
    filing(104, { feed: 'dco', org: 'Registered House', status: 'Registered', status_day: '2001-12-13' }),
    now,
  ],
];

/**
 * Puts filings into a store: one older than the public window, one on its first day, a product, a rule in
 * review that was certified since with a late letter, and a registered organization.
 */
export function fillFilings(store: Store, now: Instant): void {
  const filings = filingsSeen(now);
  store.write((writer) => {
    for (const [each, at] of filings) upsertFiling(writer, each, at, each.filing_id < 103);
    const document = (name: string) => ({ url: `${SOURCE}/${name}.pdf`, title: `Rule [${name}]` });
    noteDocuments(writer, 103, [document('terms')], now - 5 * DAY_MS);
    const [terms] = listDocuments(writer, 103);
    if (terms) {
      const digest = hash('sha256', 'terms', 'buffer');
      noteDocumentBytes(writer, terms.url, digest, now - 5 * DAY_MS);
      upsertText(writer, digest, 'test', {
        markdown: 'The clearing house clears\n\\--\nat &lt; 5 % [as told]\\(above).',
        pages: 1,
      });
    }
    const [review] = filings[3] ?? [];
    if (review)
      upsertFiling(writer, { ...review, status: 'Certified', status_day: '2026-04-14' }, now - DAY_MS, false);
    noteDocuments(writer, 103, [document('terms'), document('letter')], now);
  });
}
