import { collectList } from '../collect-list.ts';
import type { Registry } from '../registry.ts';
import { collectAttachments } from './collect-attachments.ts';
import { collectRecords } from './collect-records.ts';
import { listSource } from './fetch-list.ts';
import { LISTS } from './lists.ts';

/** The Commodity Futures Trading Commission: four lists of industry filings, their pages and attachments. */
export const cftc: Registry = {
  enabled: (config) => config.registries.cftc.enabled,
  requestsPerSecond: (config) => config.registries.cftc.requests_per_second,
  collect: async (run) => {
    const { feeds } = run.config.registries.cftc;
    for (const list of LISTS) if (feeds.includes(list.feed)) await collectList(run, listSource(run, list));
    await collectRecords(run);
    await collectAttachments(run);
  },
};
