import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compute } from '../../src/compute/compute.ts';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { listen } from '../../src/serve/listen.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { insertAnnouncement } from '../../src/store/definitions/announcements.ts';
import { upsertFeed } from '../../src/store/feeds.ts';
import { finishRun, insertRun } from '../../src/store/runs.ts';
import { index } from '../helpers/hand-definitions.ts';
import { publishStore } from '../helpers/publish-store.ts';
import { openSmallApp } from '../helpers/small-app.ts';
import {
  adopt,
  BASE,
  type GivenMarket,
  IDS,
  INDICES,
  market,
  NOW,
  openSmallStore,
  RATES,
} from '../helpers/small-store.ts';
import { hostFiles } from './static-host.ts';

const EXPLORER = join(import.meta.dirname, '../../dist/explorer');

const TEAM = index('TEAM.26', 'nti', {
  name: 'A team & its <season>',
  interval_minutes: 360,
  base_at: formatInstant(BASE),
  fourth_seat: 'next_game',
  constituents: [
    { market_id: IDS.steady, seat: 'championship' },
    { market_id: IDS.swinging, seat: 'conference' },
    { market_id: IDS.global, seat: 'division' },
    { market_id: IDS.us, seat: 'next_game' },
  ],
});

/** How a feed did that could not be reached. */
const FEED = {
  tried_at: NOW,
  condition: 'failed' as const,
  message: 'an address of the operator’s',
  rows_read: 0,
  rows_left_out: 0,
  requests: 1,
  bytes: 0,
  seconds: 1,
  day: null,
};

/** What a publication has beside the usual. */
interface More {
  indices?: object[];
  rates?: object[];
  markets?: GivenMarket[];
}

/** A small publication with one of each: on a host of files, and behind the server. */
export async function openSmallPublication({ indices = [], rates = [], markets = [] }: More = {}) {
  if (!existsSync(join(EXPLORER, 'index.html'))) throw new Error('the explorer is not built: npm run check');
  const small = openSmallStore(markets);
  const { store } = small;
  adopt(store, [...INDICES, TEAM, ...indices], [...RATES, ...rates], NOW);
  compute(store, NOW, () => {});
  const announcement = store.write((writer) =>
    insertAnnouncement(writer, {
      type: 'rebalance',
      ticker: 'SMALL',
      title: 'Small basket: one in, one out',
      body: 'Nothing changes the level.',
      announced_at: NOW - 48 * HOUR_MS,
      effective_at: NOW - 24 * HOUR_MS,
      added: [IDS.steady],
      removed: [IDS.quiet],
    }),
  );
  store.write((writer) => {
    for (const feed of ['venue_a/events', 'venue_b_us/events', 'venue_c_forecastex/prices', 'cftc/dco'])
      upsertFeed(writer, { ...FEED, feed });
    finishRun(writer, insertRun(writer, 'run', NOW - 2 * HOUR_MS), NOW - HOUR_MS, 'partial', {});
  });
  const folder = join(small.folder, 'public');
  const sink = folderSink(folder);
  const publishNow = () =>
    publishStore(store, sink, NOW, {
      label: 'simulated',
      bulk: true,
      cards: true,
      explorer: EXPLORER,
      venues: { venue_a: 'Alpha', venue_b: 'Beta', venue_c: 'Gamma' },
    });
  await publishNow();
  const files = await hostFiles(folder);
  const { app } = openSmallApp(small, sink);
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  return {
    folder,
    /** The address of an announcement's page. */
    announcement: `#/announcements/${announcement}`,
    /** Lists so many more markets and publishes again. */
    async growCatalog(markets: number) {
      store.write((writer) => {
        for (let i = 0; i < markets; i++)
          upsertMarket(writer, market({ market_id: `venue_a:KXMORE-${i}` }), NOW);
      });
      await publishNow();
    },
    addresses: { files: files.address, server: `${server.origin}/` },
    async close() {
      await files.close();
      await server.close();
      small.close();
    },
  };
}
