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
  .describe('The registry: of rules or products of contract markets, or of clearing organizations');
const org = shortText.describe('The organization that filed');
const status = z.string().meta({ description: "In the registry's words", examples: ['Certified'] });

export const filing = z.strictObject({
  filing_id,
  feed,
  org,
  title: shortText.describe('What it is shown under: its description, product, remarks or organization'),
  description: shortText.describe('What it is about, in the words of the list').optional(),
  product_name: shortText.describe('The product that it certifies').optional(),
  product_type: shortText.describe('Kind of that product').optional(),
  category: shortText.describe('Category in the list').optional(),
  subcategory: shortText.describe('Category within it').optional(),
  products_affected: shortText.describe('Products that a rule is about').optional(),
  remarks: shortText.describe('Remarks of the registry').optional(),
  received: day.describe('The day on which the registry received it').optional(),
  status,
  status_date: day.describe('The day of the present status').optional(),
  document_count: count.meta({ description: 'Attachments', examples: [2] }).optional(),
  first_seen: day.describe('The day on which it was first seen on a list, US Eastern'),
  last_seen: day.describe('The day on which it was last seen on a list, US Eastern'),
  source_url: z.string().meta({ description: 'The page at the registry' }),
});

const documents = rowsOf(
  z.strictObject({
    title: shortText.describe('Name of the attachment'),
    url: text.describe('Where it lies at the registry'),
  }),
  'Attachments',
);

export const filingList = z.strictObject({
  data: rowsOf(filing, 'The filings of the page'),
  meta: searchedMeta,
});

export const filingDetail = filing.extend({ documents });

export const filingText = z.strictObject({
  filing_id,
  markdown: z.string().meta({ description: 'Text of the attachments' }),
});

export const filingValues = z.strictObject({
  feed: rowsOf(feed, 'The registries that have any'),
  org: rowsOf(org, 'The organizations that filed any'),
  status: rowsOf(status, 'The statuses that any has'),
});

const change = z.strictObject({
  seq: z.int().positive().meta({ description: 'Grows with each change' }),
  kind: z.enum(FILING_CHANGE_KINDS).describe('What happened'),
  date: day.describe('The day of it by the registry; left out where it gives none').optional(),
  observed_at: instant.describe('When it was seen, RFC 3339, UTC'),
  status: status.describe("The status from then on, in the registry's words"),
  previous_status: status.describe('The status before').optional(),
  documents: documents.describe('The attachments that came').optional(),
  backfill: z
    .literal(true)
    .optional()
    .meta({ description: 'It was there before the registry was first read whole' }),
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
      last_seq: count.describe('What to pass as since_seq for what comes after'),
    })
    .describe('Where the page stands in the feed'),
});

export const filingActions = z.strictObject({
  data: rowsOf(
    change.extend({ date: day.describe('The day of it by the registry, else that on which it was seen') }),
    'What happened to it, oldest first',
  ),
});
