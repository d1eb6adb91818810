import { z } from 'zod';
import { REGISTRY_FEEDS } from './filing.ts';
import type { Platform } from './platform.ts';

/** An object of settings that all have defaults, and which may be left out itself. */
const section = <Shape extends z.core.$ZodShape>(shape: Shape) => z.strictObject(shape).prefault({} as never);

const positive = (preset: number) => z.number().positive().default(preset);
const nonnegative = (preset: number) => z.number().nonnegative().default(preset);
const positiveInt = (preset: number) => z.int().positive().default(preset);
const intFrom = (least: number, preset: number, most = Number.MAX_SAFE_INTEGER) =>
  z.int().min(least).max(most).default(preset);
const share = z.number().min(0).max(1);
const isOn = z.boolean().default(true);
const texts = z.array(z.string()).default([]);

// fetch rejects an address with a user or a password.
const address = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/^\w+:\/*[^/?#]*@/.test(text), 'must name no user and no password');
const withoutSlash = (text: string) => text.replace(/\/+$/, '');
const url = address.overwrite(withoutSlash).describe('Base URL, without a trailing slash');
const enabled = isOn.describe('Whether it is used');
/** A time limit in seconds, at most a day: timers cannot exceed 24 days. */
const seconds = (preset: number) => z.number().positive().max(86_400).default(preset);
const pace = (preset: number) => z.number().min(0.001).default(preset);
const perSecond = (requests: number) => pace(requests).describe('Requests per second');
const floor = (similarity: number) => share.default(similarity).describe('Similarity, 0 to 1');

const embeddings = z.strictObject({
  base_url: url.describe('Address before /embeddings, e.g. https://api.openai.com/v1'),
  model: z.string().min(1).describe('Name of the model, as the endpoint calls it'),
  api_key: z
    .string()
    // fetch would refuse another key with an error that contains it.
    .regex(/^[\x21-\x7e]+$/, 'must be ASCII without blanks, got another')
    .optional()
    .describe(
      'Sent as a bearer token; belongs into FOREMARK_RELATIONS__EMBEDDINGS__API_KEY, not into a file',
    ),
  dimensions: z
    .int()
    .positive()
    .optional()
    .describe('Length of the vectors, for models that can shorten them'),
  weight: share.default(0.5).describe('Share of the embeddings in the similarity; the rest is by words'),
  batch: intFrom(1, 128, 2048).describe('Texts per request'),
  requests_per_second: perSecond(5),
});

const isName = (part: string) => !['', '.', '..'].includes(part);

const s3 = z.strictObject({
  bucket: z
    .string()
    // Also a bucket of a tenant (`tenant:bucket`) or an access point. A slash or a dot alone would change the path.
    .regex(/^([A-Za-z\d][\w.:-]*|arn:\S+)$/, 'must be the name of a bucket')
    .describe('Name of the bucket'),
  prefix: z
    .string()
    .overwrite(withoutSlash)
    .refine(
      (text) => text === '' || text.split('/').every(isName),
      'must be names with a slash between them, none of them . or ..',
    )
    .default('')
    .describe('Prefix of all keys, without a trailing slash'),
  endpoint: url.optional().describe('Endpoint of an S3-compatible store other than AWS: R2, MinIO, Ceph'),
  region: z
    .string()
    // It becomes a part of the host name.
    .regex(/^(?!-)[A-Za-z\d-]{1,63}(?<!-)$/, 'must be the name of a region, e.g. eu-central-1')
    .default('us-east-1')
    .describe('"auto" for R2'),
  path_style: z.boolean().default(false).describe('Bucket in the path, not in the host name: MinIO, Ceph'),
  checksums: z
    .enum(['when_supported', 'when_required'])
    .default('when_supported')
    .describe('when_required for stores that do not know the checksums of AWS'),
  width: intFrom(1, 64, 512).describe('Concurrent requests'),
  request_timeout_seconds: seconds(30).describe('A request without a byte for so long is tried again'),
  usd_per_1000_writes: nonnegative(0.005).describe('For the cost estimate of --dry-run'),
  usd_per_1000_reads: nonnegative(0.0004).describe('For the cost estimate of --dry-run'),
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
  venue_names: section({
    venue_a: z.string().min(1).default('Kalshi').describe('Display name of venue_a'),
    venue_b: z.string().min(1).default('Polymarket').describe('Display name of venue_b, both families'),
    venue_c: z.string().min(1).default('Hyperliquid, ForecastEx').describe('Display name of venue_c'),
  } satisfies Record<Platform, z.ZodType>).describe('Display names of the venues in the explorer'),
  publish: section({
    folder: z.string().min(1).default('public').describe('Folder that the documents are written to'),
    s3: s3.optional().describe('Bucket to write the documents to, instead of the folder'),
    variants: z
      .array(z.enum(['gz', 'br']))
      .default([])
      .describe('Compressed forms published beside each document'),
    bulk: isOn.describe('Whether histories and catalogs are published as CSV and Parquet'),
    cards: isOn.describe('Whether a chart card of each index and rate is published, as SVG and PNG'),
    card_fonts: texts.describe(
      'Font files, TrueType or OpenType, for letters that the font of the PNG cards does not have; the first that has one draws it',
    ),
    explorer: isOn.describe(
      'Whether the explorer is published: index.html at the top, the rest in explorer/',
    ),
    keep_generations: intFrom(2, 2016).describe('Generations that prune keeps at least'),
    keep_days: nonnegative(90).describe('Days of generations that prune keeps at least'),
    deadline_seconds: seconds(900).describe(
      'A publish, prune or mirror of a bucket that takes longer is aborted',
    ),
  }),
  serve: section({
    host: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for all interfaces'),
    port: intFrom(0, 8787, 65_535).describe('Port to listen on; 0 picks a free one'),
    budget_requests: positiveInt(100).describe('Public requests per address and window'),
    key_budget_requests: positiveInt(1000).describe('Requests per key and window'),
    budget_window_seconds: positive(10).describe('Window of both budgets'),
    trusted_hops: intFrom(0, 0, 16).describe(
      'Trusted proxies in front of the server that add to X-Forwarded-For',
    ),
    drain_seconds: z
      .number()
      .min(0)
      .max(300)
      .default(1)
      .describe('How long requests are still accepted after SIGTERM, while /readyz reports not ready'),
    export_seconds: seconds(1800).describe('An export that is not read to its end in this time is cut off'),
  }),
  relations: section({
    floors: section({ markets: floor(0.1), news: floor(0.15), filings: floor(0.15) }).describe(
      'Minimum similarity of related records, by kind',
    ),
    budget_ms: positiveInt(1000).describe(
      'A related list that takes longer is aborted, and the caller asked to retry',
    ),
    compare_seconds: positiveInt(600).describe(
      'How long a run compares new texts; the rest waits for the next run',
    ),
    embeddings: embeddings
      .optional()
      .describe('OpenAI-compatible embeddings endpoint; without it only words are compared'),
  }),
  scope: section({
    categories: texts.describe('Only events with one of these categories or tags, ignoring case; empty: all'),
    without_categories: texts.describe('No events with one of these categories or tags'),
    series: texts.describe('Only events of these series; empty: all'),
    min_volume: nonnegative(0).describe("Only markets with this lifetime volume, in the venue's own unit"),
  }).describe('Which markets enter the catalog; those named in definitions always do'),
  ingest: section({
    contact: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'must be an address in ASCII without blanks')
      .optional()
      .describe('Mail or web address sent with each request, so that its recipients can contact you'),
    deadline_seconds: seconds(600).describe(
      'A venue that takes longer is aborted; its listings get three quarters of this',
    ),
    full_crawl_minutes: nonnegative(50).describe(
      'A full crawl is due this long after the last one; runs in between ask for changes only',
    ),
    accepted_losses: z
      .array(z.enum(['bid', 'ask', 'last', 'volume', 'open_interest', 'closes_at']))
      .default([])
      .describe('Fields that a venue has really dropped: a page without them is accepted'),
    attempts: intFrom(1, 4, 10).describe('Tries per request'),
    request_timeout_seconds: seconds(30).describe('Time limit of one request'),
    max_body_bytes: positiveInt(32 * 1024 * 1024).describe('Longest body of an answer, after decompression'),
    parse_timeout_seconds: seconds(5).describe(
      'Time limit for parsing a page of a registry or a news feed, which usually takes some hundredths of it',
    ),
    keep_answers_days: nonnegative(7).describe(
      'How long raw answers are kept; what was read from them stays',
    ),
  }),
  venues: section({
    venue_a: section({
      enabled,
      site: url.default('https://kalshi.com'),
      base_url: url.default('https://external-api.kalshi.com/trade-api/v2'),
      requests_per_second: perSecond(5),
      series: texts.describe('Only these series; neither series nor tags: all open events'),
      tags: texts.describe('Only series with one of these tags'),
    }),
    venue_b_global: section({
      enabled,
      site: url.default('https://polymarket.com'),
      catalog: z.enum(['gamma', 'clob']).default('gamma').describe('Which API fills the catalog'),
      gamma_url: url.default('https://gamma-api.polymarket.com'),
      clob_url: url.default('https://clob.polymarket.com'),
      data_url: url.default('https://data-api.polymarket.com'),
      requests_per_second: perSecond(10),
      tags: texts.describe('Only events with these tag slugs; empty: all open events'),
    }),
    venue_b_us: section({
      enabled,
      site: url.default('https://polymarket.us'),
      base_url: url.default('https://gateway.polymarket.us'),
      // The venue documents 20 requests a second, but has refused requests after five quick ones.
      requests_per_second: perSecond(0.6),
      leagues: texts.describe('Only the boards of these leagues'),
      tags: texts.describe('Only the boards of these topics; no league and no topic: all open events'),
      market_types: texts.describe('Only markets of these types, e.g. moneyline; empty: all'),
    }),
    venue_c: section({
      enabled,
      site: url.default('https://app.hyperliquid.xyz'),
      base_url: url.default('https://api.hyperliquid.xyz'),
      weight_per_second: pace(10).describe(
        'A book weighs 2, other requests 20, and candles 1 more for every 60; the venue allows 20 a second',
      ),
    }),
    venue_c_forecastex: section({
      enabled,
      base_url: url.default('https://forecastex-public-data.s3.amazonaws.com'),
      requests_per_second: perSecond(2),
      days: intFrom(1, 30).describe(
        'Daily files fetched by the first run; more for definitions that begin earlier',
      ),
    }),
  }),
  registries: section({
    cftc: section({
      enabled,
      site: url.default('https://www.cftc.gov'),
      base_url: url.default('https://www.cftc.gov'),
      requests_per_second: perSecond(1),
      feeds: z
        .array(z.enum(REGISTRY_FEEDS.cftc))
        .default([...REGISTRY_FEEDS.cftc])
        .describe('Lists to read'),
      full_walk_hours: positive(20).describe(
        'How often each list is read to its end; in between, only as far as something is new. With less than a day, ' +
          'last_seen_days=1 finds only filings that are no longer listed',
      ),
      attachment_days: intFrom(0, 120, 36_500).describe(
        'Attachments are read of filings with a status date within this many days',
      ),
      pages_a_run: intFrom(0, 200).describe('Filing pages read per run'),
      attachments_a_run: intFrom(0, 100).describe('Attachments fetched per run'),
      attachment_checks_a_run: intFrom(0, 20).describe(
        'Attachments asked for again per run, to see whether they were replaced; each at most once a week',
      ),
    }),
  }),
  news: section({
    requests_per_second: perSecond(1),
    feeds: z
      .array(
        z.strictObject({
          name: z
            .string()
            .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: 'must be lower-case letters, digits and -' })
            .describe('Name of the feed in status, and source of its articles'),
          url: address.describe('Address of an RSS, Atom or JSON feed'),
        }),
      )
      .refine((feeds) => new Set(feeds.map(({ name }) => name)).size === feeds.length, {
        error: 'must each have a name of its own',
      })
      .default([])
      .describe('News feeds; the first that shows an article is its source'),
  }),
});

export type Config = z.output<typeof config>;

/** The folder on this machine that documents are written to; undefined when another place is configured. */
export function publishedFolder({ folder, s3 }: Config['publish']): string | undefined {
  return s3 ? undefined : folder;
}
