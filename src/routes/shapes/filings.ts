import { z } from 'zod';
import { FILING_CHANGE_KINDS, FILING_FEEDS } from '../../model/filing.ts';
import { count, day, instant, searchedMeta, shortText } from './scalars.ts';

/** Filings and what happens to them as they are answered. */

const filing_id = z
  .int()
  .positive()
  .meta({ description: "The registry's own number", examples: [48213] });
const feed = z.enum(FILING_FEEDS);
const status = z.string().meta({ description: "In the registry's words", examples: ['Certified'] });

export const filing = z.strictObject({
  filing_id,
  feed,
  org: shortText,
  title: shortText,
  description: shortText.optional(),
  product_name: shortText.optional(),
  product_type: shortText.optional(),
  category: shortText.optional(),
  subcategory: shortText.optional(),
  products_affected: shortText.optional(),
  remarks: shortText.optional(),
  received: day.optional(),
  status,
  status_date: day.optional(),
  document_count: count.meta({ description: 'Attachments', examples: [2] }).optional(),
  first_seen: day,
  last_seen: day,
  source_url: z.string().meta({ description: 'The page at the registry' }),
});

const documents = z.array(z.strictObject({ title: shortText, url: z.string() }));

export const filingList = z.strictObject({ data: z.array(filing), meta: searchedMeta });

export const filingDetail = filing.extend({ documents });

export const filingText = z.strictObject({
  filing_id,
  markdown: z.string().meta({ description: 'Text of the attachments' }),
});

export const filingValues = z.strictObject({
  feed: z.array(feed),
  org: z.array(shortText),
  status: z.array(status),
});

const change = z.strictObject({
  seq: z.int().positive().meta({ description: 'Grows with each change' }),
  kind: z.enum(FILING_CHANGE_KINDS),
  date: day.optional(),
  observed_at: instant,
  status,
  previous_status: status.optional(),
  documents: documents.optional(),
  backfill: z
    .literal(true)
    .optional()
    .meta({ description: 'It was there before the registry was first read whole' }),
});

export const filingChanges = z.strictObject({
  data: z.array(change.extend({ filing })),
  meta: z.strictObject({
    per_page: z.int().min(1),
    has_next: z.boolean(),
    last_seq: count.meta({ description: 'What to pass as since_seq for what comes after' }),
  }),
});

export const filingActions = z.strictObject({ data: z.array(change.extend({ date: day })) });
