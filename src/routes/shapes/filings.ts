import { z } from 'zod';
import { FILING_CHANGE_KINDS, FILING_FEEDS } from '../../model/filing.ts';
import { count, day, hasNext, instant, perPage, rowsOf, searchedMeta, shortText, text } from './scalars.ts';

/** Filings and what happens to them as they are answered. */

const filing_id = z
  .int()
  .positive()
  .meta({ description: "The registry's own number", examples: [48213] });
const feed = z
  .enum(FILING_FEEDS)
  .describe(
    'List of the registry: rules or products of contract markets, clearing organizations, or their rules',
  );
const org = shortText.describe('Filing organization');
const status = z
  .string()
  .meta({ description: "Status, in the registry's own words", examples: ['Certified'] });

export const filing = z.strictObject({
  filing_id,
  feed,
  org,
  title: shortText.describe('Title to show: the description, product, remarks or organization'),
  description: shortText.describe("Description, in the registry's own words").optional(),
  product_name: shortText.describe('Product that is certified').optional(),
  product_type: shortText.describe('Type of that product').optional(),
  category: shortText.describe('Category in the list of the registry').optional(),
  subcategory: shortText.describe('Category within that category').optional(),
  products_affected: shortText.describe('Products that the rule affects').optional(),
  remarks: shortText.describe('Remarks of the registry').optional(),
  received: day.describe('Day on which the registry received it').optional(),
  status,
  status_date: day.describe('Day of the current status').optional(),
  document_count: count
    .meta({ description: 'Number of attachments, as the list of the registry counts them', examples: [2] })
    .optional(),
  first_seen: day.describe('First day, US Eastern, on which a list showed it'),
  last_seen: day.describe('Last day, US Eastern, on which a list showed it'),
  source_url: z.string().describe('Its page at the registry'),
});

const document = z.strictObject({
  title: shortText.describe('Name of the attachment'),
  url: text.describe('Address of the attachment at the registry'),
  sha256: text
    .describe('Digest of its bytes, in hexadecimal; left out of an attachment that was not fetched yet')
    .optional(),
});

export const filingList = z.strictObject({
  data: rowsOf(filing, 'The filings of the page'),
  meta: searchedMeta,
});

export const filingDetail = filing.extend({
  documents: rowsOf(
    document.extend({
      replaced: day
        .describe('Day, US Eastern, on which other bytes were found in its place; left out of those of now')
        .optional(),
    }),
    'Attachments that its page names, and behind them those that were replaced under the same address; empty beside a ' +
      'document_count if that page was not read: not yet, or because the status date lay too far back',
  ),
});

export const filingText = z.strictObject({
  filing_id,
  markdown: z.string().describe('Extracted text of the attachments, as Markdown; empty if none was read'),
});

export const filingValues = z.strictObject({
  feed: rowsOf(feed, 'Lists that have filings'),
  org: rowsOf(org, 'Organizations that have filings'),
  status: rowsOf(status, 'Statuses that filings have'),
});

const change = z.strictObject({
  seq: z.int().positive().describe('Sequence number: increases with each change'),
  kind: z.enum(FILING_CHANGE_KINDS).describe('Kind of the change'),
  date: day.describe("Day of the change by the registry's own dates; left out if it gives none").optional(),
  observed_at: instant.describe('When the change was observed'),
  status: status.describe("Status after the change, in the registry's own words"),
  previous_status: status.describe('Status before the change').optional(),
  documents: rowsOf(
    document,
    'Attachments that were added; those that replaced another under the same address have their digest',
  ).optional(),
  backfill: z
    .literal(true)
    .optional()
    .describe('Set if the filing was found before the registry was first read completely'),
});

export const filingChanges = z.strictObject({
  data: rowsOf(
    change.extend({ filing: filing.describe('The filing as it is now') }),
    'The changes, oldest first',
  ),
  meta: z
    .strictObject({
      per_page: perPage,
      has_next: hasNext,
      last_seq: count.describe(
        'Pass this as since_seq to get the changes that follow. It is below the since_seq of the request only if the service was restored from a copy: then read the feed again',
      ),
    })
    .describe('Position of the page in the change feed'),
});

export const filingActions = z.strictObject({
  data: rowsOf(
    change.extend({
      date: day.describe(
        "Day of the change by the registry's own dates, else the day on which it was observed",
      ),
    }),
    'The changes of the filing, oldest first',
  ),
});
