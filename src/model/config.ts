import { z } from 'zod';
import { FILING_FEEDS } from './filing.ts';

const url = z.url({ protocol: /^https?$/ }).describe('Base address, without a slash at the end');
const enabled = z.boolean().default(true).describe('Whether it is asked at all');
const requestTimeout = z.number().positive().default(30).describe('How long one request may take');
const perSecond = (requests: number) => z.number().positive().default(requests).describe('Requests a second');

const embeddings = z.strictObject({
  base_url: url.describe('Address before /embeddings, e.g. https://api.openai.com/v1'),
  model: z.string().min(1).describe('Name of the model, as the endpoint calls it'),
  api_key: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Sent as a bearer token; belongs into FOREMARK_RELATIONS__EMBEDDINGS__API_KEY, not into a file',
    ),
  dimensions: z
    .int()
    .positive()
    .optional()
    .describe('Length of the vectors, for models that can shorten them'),
  weight: z.number().min(0).max(1).default(0.5).describe('Of meaning against words'),
  batch: z.int().min(1).max(2048).default(128).describe('Texts of one request'),
  requests_per_second: perSecond(5),
});

const floor = (similarity: number) =>
  z.number().min(0).max(1).default(similarity).describe('Similarity, 0 to 1');

const s3 = z.strictObject({
  bucket: z.string().min(1).describe('Name of the bucket'),
  prefix: z.string().default('').describe('Part of the bucket that is ours, without a slash at the end'),
  endpoint: url.optional().describe('Address of a store that is not AWS: R2, MinIO, Ceph'),
  region: z.string().default('us-east-1').describe('"auto" for R2'),
  path_style: z.boolean().default(false).describe('Bucket in the path, not in the host name: MinIO, Ceph'),
  checksums: z
    .enum(['when_supported', 'when_required'])
    .default('when_supported')
    .describe('when_required for stores that do not know the checksums of AWS'),
  width: z.int().min(1).max(512).default(64).describe('Requests under way at once'),
  request_timeout_seconds: requestTimeout,
  usd_per_1000_writes: z.number().nonnegative().default(0.005).describe('For the cost estimate of --dry-run'),
  usd_per_1000_reads: z.number().nonnegative().default(0.0004).describe('For the cost estimate of --dry-run'),
});

/**
 * All settings with their defaults. Read from foremark.json (or --config), each overridable by an
 * environment variable: FOREMARK_VENUES__VENUE_A__BASE_URL sets venues.venue_a.base_url.
 */
export const config = z.strictObject({
  $schema: z.string().optional(),
  store: z.string().min(1).default('foremark.db').describe('SQLite file'),
  definitions: z
    .string()
    .min(1)
    .default('definitions')
    .describe('Folder with indices/*.json, rates/*.json and leagues/*.json'),
  data_label: z.string().default('').describe('Shown beside every document, e.g. "simulated"'),
  publish: z
    .strictObject({
      folder: z.string().min(1).default('public').describe('Folder that the documents are written to'),
      s3: s3.optional().describe('Bucket that the documents are written to instead of the folder'),
      variants: z
        .array(z.enum(['gz', 'br']))
        .default([])
        .describe('Encodings that documents lie ready in beside their plain form'),
      bulk: z
        .boolean()
        .default(true)
        .describe('Whether histories and catalogs are published as CSV and Parquet'),
      cards: z
        .boolean()
        .default(true)
        .describe('Whether a chart card of each index and rate is, as SVG and PNG'),
      explorer: z
        .boolean()
        .default(true)
        .describe('Whether the explorer is: index.html at the top, the rest in explorer/'),
      keep_generations: z.int().min(2).default(2016).describe('What prune keeps at least'),
      keep_days: z.number().nonnegative().default(90).describe('What prune keeps at least'),
      deadline_seconds: z
        .number()
        .positive()
        .default(900)
        .describe('A publish that takes longer is given up'),
    })
    .prefault({}),
  serve: z
    .strictObject({
      host: z.string().default('127.0.0.1').describe('Address to listen at; 0.0.0.0 is every one'),
      port: z.int().min(0).max(65535).default(8787).describe('0 takes a free one'),
      budget_requests: z.int().positive().default(100).describe('Public requests per address and window'),
      key_budget_requests: z.int().positive().default(1000).describe('Requests per key and window'),
      budget_window_seconds: z.number().positive().default(10).describe('Of both budgets'),
      trusted_hops: z
        .int()
        .min(0)
        .max(16)
        .default(0)
        .describe('Proxies in front of the server that add to X-Forwarded-For'),
      drain_seconds: z
        .number()
        .min(0)
        .max(300)
        .default(1)
        .describe('How long requests are still taken after SIGTERM, while /readyz says no'),
      export_seconds: z
        .number()
        .positive()
        .max(86_400)
        .default(1800)
        .describe('An export that is not read to its end by then is cut off'),
    })
    .prefault({}),
  relations: z
    .strictObject({
      floors: z
        .strictObject({
          markets: floor(0.1),
          news: floor(0.15),
          filings: floor(0.15),
        })
        .prefault({})
        .describe('Similarity from which a record is shown as related, by what is shown'),
      budget_ms: z
        .int()
        .positive()
        .default(1000)
        .describe('A related list that takes longer to read is given up; the caller is asked to retry'),
      compare_seconds: z
        .int()
        .positive()
        .default(600)
        .describe('A run compares texts that are new for so long; what is left waits for the next'),
      embeddings: embeddings
        .optional()
        .describe('An endpoint like that of OpenAI, asked what texts mean; without it words alone count'),
    })
    .prefault({}),
  scope: z
    .strictObject({
      categories: z
        .array(z.string())
        .default([])
        .describe('Only events of these categories, or with these tags, in any letter case; empty: all'),
      without_categories: z
        .array(z.string())
        .default([])
        .describe('No events of these categories, or with these tags'),
      series: z.array(z.string()).default([]).describe('Only events of these series; empty: all'),
      min_volume: z
        .number()
        .nonnegative()
        .default(0)
        .describe("Only markets with this lifetime volume, in the venue's own unit"),
    })
    .prefault({})
    .describe('What is taken into the catalog of what the venues answer; named markets always are'),
  ingest: z
    .strictObject({
      contact: z
        .string()
        .regex(/^[\x21-\x7e]{1,200}$/, 'must be an address in ASCII without blanks')
        .optional()
        .describe('Mail or web address that is sent with each request, for who wants to write to its sender'),
      deadline_seconds: z
        .number()
        .positive()
        .default(600)
        .describe('A venue that takes longer is given up; its listings have three quarters of it'),
      full_crawl_minutes: z
        .number()
        .nonnegative()
        .default(50)
        .describe('A run this long after the last full crawl is one again; others ask for what changed'),
      accepted_losses: z
        .array(z.enum(['bid', 'ask', 'last', 'volume', 'open_interest', 'closes_at']))
        .default([])
        .describe('Fields that a venue has really given up: a page without them is believed'),
      attempts: z.int().min(1).max(10).default(4).describe('Tries of one request'),
      request_timeout_seconds: requestTimeout,
      max_body_bytes: z
        .int()
        .positive()
        .default(32 * 1024 * 1024)
        .describe('After inflation'),
      keep_answers_days: z
        .number()
        .nonnegative()
        .default(7)
        .describe('Answers are kept as they came for so long; what was read out of them stays'),
    })
    .prefault({}),
  venues: z
    .strictObject({
      venue_a: z
        .strictObject({
          enabled,
          site: url.default('https://kalshi.com'),
          base_url: url.default('https://external-api.kalshi.com/trade-api/v2'),
          requests_per_second: perSecond(5),
          series: z
            .array(z.string())
            .default([])
            .describe('Only these series; neither series nor tags: all open events'),
          tags: z.array(z.string()).default([]).describe('Only series with one of these tags'),
        })
        .prefault({}),
      venue_b_global: z
        .strictObject({
          enabled,
          site: url.default('https://polymarket.com'),
          catalog: z.enum(['gamma', 'clob']).default('gamma').describe('Which listing fills the catalog'),
          gamma_url: url.default('https://gamma-api.polymarket.com'),
          clob_url: url.default('https://clob.polymarket.com'),
          data_url: url.default('https://data-api.polymarket.com'),
          requests_per_second: perSecond(10),
          tags: z
            .array(z.string())
            .default([])
            .describe('Only events with these tag slugs; empty: all open events'),
        })
        .prefault({}),
      venue_b_us: z
        .strictObject({
          enabled,
          site: url.default('https://polymarket.us'),
          base_url: url.default('https://gateway.polymarket.us'),
          // The venue documents 20 requests a second and has refused after five quick ones.
          requests_per_second: perSecond(0.6),
          leagues: z.array(z.string()).default([]).describe('Only the boards of these leagues'),
          tags: z
            .array(z.string())
            .default([])
            .describe('Only the boards of these topics; no league and no topic: all open events'),
          market_types: z
            .array(z.string())
            .default([])
            .describe('Only markets of these types, e.g. moneyline; empty: all'),
        })
        .prefault({}),
      venue_c: z
        .strictObject({
          enabled,
          site: url.default('https://app.hyperliquid.xyz'),
          base_url: url.default('https://api.hyperliquid.xyz'),
          weight_per_second: z
            .number()
            .positive()
            .default(10)
            .describe('A book weighs 2, other requests 20; the venue allows 20 a second'),
        })
        .prefault({}),
      venue_c_forecastex: z
        .strictObject({
          enabled,
          base_url: url.default('https://forecastex-public-data.s3.amazonaws.com'),
          requests_per_second: perSecond(2),
          days: z
            .int()
            .min(1)
            .default(30)
            .describe('Daily files of the first run; definitions that begin earlier are given more'),
        })
        .prefault({}),
    })
    .prefault({}),
  registries: z
    .strictObject({
      cftc: z
        .strictObject({
          enabled,
          site: url.default('https://www.cftc.gov'),
          base_url: url.default('https://www.cftc.gov'),
          requests_per_second: perSecond(1),
          feeds: z
            .array(z.enum(FILING_FEEDS))
            .default([...FILING_FEEDS])
            .describe('Lists that are read'),
          full_walk_hours: z
            .number()
            .positive()
            .default(24)
            .describe('Each list is read to its end this often; between, as far as something is new'),
          attachment_days: z
            .int()
            .min(0)
            .default(120)
            .describe('Attachments are read of filings whose status date lies within so many days'),
          pages_a_run: z.int().min(0).default(200).describe('Pages of filings read in one run'),
          attachments_a_run: z.int().min(0).default(100).describe('Attachments fetched in one run'),
        })
        .prefault({}),
    })
    .prefault({}),
  news: z
    .strictObject({
      requests_per_second: perSecond(1),
      feeds: z
        .array(
          z.strictObject({
            name: z
              .string()
              .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: 'must be small letters, digits and -' })
              .describe('What the feed is called in status and as the source of its articles'),
            url: z.url({ protocol: /^https?$/ }).describe('Address of an RSS, Atom or JSON feed'),
          }),
        )
        .refine((feeds) => new Set(feeds.map(({ name }) => name)).size === feeds.length, {
          error: 'must have a name of its own each',
        })
        .default([])
        .describe('News feeds; the first that shows an article is its source'),
    })
    .prefault({}),
});

export type Config = z.output<typeof config>;
