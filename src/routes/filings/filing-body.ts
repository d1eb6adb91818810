import type { FilingChange } from '../../model/filing.ts';
import { easternDay, formatInstant } from '../../model/time.ts';
import { type FilingRow, findFiling } from '../../store/filings/filings.ts';
import type { Reader } from '../../store/store.ts';
import { present } from '../present.ts';

/**
 * The filing that a path's id names, or undefined; only the registry's number, written as the registry does,
 * is an id.
 */
export function filingWithId(reader: Reader, id: string): FilingRow | undefined {
  return /^[1-9]\d{0,11}$/.test(id) ? findFiling(reader, Number(id)) : undefined;
}

/**
 * A filing as lists and the detail show it. Sightings are US Eastern days, where the registry is: with the hour, every
 * document would change in every run.
 *
 * @see Spec 2.7
 */
export function filingBody(filing: FilingRow) {
  return {
    filing_id: filing.filing_id,
    feed: filing.feed,
    org: filing.org,
    title: filing.title,
    description: present(filing.description),
    product_name: present(filing.product_name),
    product_type: present(filing.product_type),
    category: present(filing.category),
    subcategory: present(filing.subcategory),
    products_affected: present(filing.products_affected),
    remarks: present(filing.remarks),
    received: present(filing.received_day),
    status: filing.status,
    status_date: present(filing.status_day),
    document_count: filing.document_count ?? undefined,
    first_seen: easternDay(filing.first_seen_at),
    last_seen: easternDay(filing.last_seen_at),
    source_url: filing.source_url,
  };
}

/** The fields that rows of the change feed and of a filing's history share. */
export function changeBody(change: FilingChange) {
  return {
    seq: change.seq,
    kind: change.kind,
    date: present(change.day),
    observed_at: formatInstant(change.observed_at),
    status: change.status,
    previous_status: present(change.status_before),
    documents: change.kind === 'documents_added' ? change.documents : undefined,
    backfill: change.backfill || undefined,
  };
}
