import type { Config } from '../../src/model/config.ts';

/** The settings by which the product asks a served world, as fast as it answers, and no real venue, registry or feed. */
export function settingsFor(origin: string) {
  const fast = { requests_per_second: 100_000 };
  return {
    venues: {
      venue_a: { ...fast, base_url: `${origin}/kalshi/trade-api/v2` },
      venue_b_global: {
        ...fast,
        gamma_url: `${origin}/gamma`,
        clob_url: `${origin}/clob`,
        data_url: `${origin}/data`,
      },
      venue_b_us: { ...fast, base_url: `${origin}/us` },
      venue_c: { weight_per_second: 100_000, base_url: `${origin}/hyperliquid` },
      venue_c_forecastex: { ...fast, base_url: `${origin}/forecastex` },
    } satisfies Record<keyof Config['venues'], object>,
    registries: {
      cftc: {
        ...fast,
        site: 'https://registry.example',
        base_url: `${origin}/cftc`,
        pages_a_run: 1000,
        attachments_a_run: 1000,
      },
    } satisfies Record<keyof Config['registries'], object>,
    news: {
      ...fast,
      feeds: [
        { name: 'wire', url: `${origin}/news/wire.rss` },
        { name: 'ledger', url: `${origin}/news/ledger.atom` },
        { name: 'herald', url: `${origin}/news/herald.json` },
      ],
    },
  };
}
