import { z } from 'zod';

const url = z.url({ protocol: /^https?$/ }).describe('Base address, without a slash at the end');
const enabled = z.boolean().default(true);
const perSecond = (requests: number) => z.number().positive().default(requests).describe('Requests a second');

/**
 * All settings with their defaults. Read from foremark.json (or --config), each overridable by an
 * environment variable: FOREMARK_VENUES__VENUE_A__BASE_URL sets venues.venue_a.base_url.
 */
export const config = z.strictObject({
  $schema: z.string().optional(),
  store: z.string().min(1).default('foremark.db').describe('SQLite file'),
  definitions: z.string().default('data/simulated').describe('Folder with indices/*.json and rates/*.json'),
  data_label: z.string().default('').describe('Shown beside every document, e.g. "simulated"'),
  publish: z
    .strictObject({
      folder: z.string().min(1).default('public').describe('Folder that the documents are written to'),
    })
    .prefault({}),
  serve: z
    .strictObject({
      host: z.string().default('127.0.0.1'),
      port: z.int().min(0).max(65535).default(8787),
      budget_requests: z.int().positive().default(100).describe('Public requests per address and window'),
      budget_window_seconds: z.number().positive().default(10),
    })
    .prefault({}),
  ingest: z
    .strictObject({
      deadline_seconds: z.number().positive().default(600).describe('A venue that takes longer is given up'),
      attempts: z.int().min(1).max(10).default(4).describe('Tries of one request'),
      request_timeout_seconds: z.number().positive().default(30),
      max_body_bytes: z
        .int()
        .positive()
        .default(32 * 1024 * 1024)
        .describe('After inflation'),
    })
    .prefault({}),
  venues: z
    .strictObject({
      venue_a: z
        .strictObject({
          enabled,
          label: z.string().default('Kalshi'),
          site: url.default('https://kalshi.com'),
          base_url: url.default('https://external-api.kalshi.com/trade-api/v2'),
          requests_per_second: perSecond(5),
          series: z.array(z.string()).default([]).describe('Only these series; empty: all open events'),
        })
        .prefault({}),
      venue_b_global: z
        .strictObject({
          enabled,
          label: z.string().default('Polymarket'),
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
    })
    .prefault({}),
});

export type Config = z.output<typeof config>;
