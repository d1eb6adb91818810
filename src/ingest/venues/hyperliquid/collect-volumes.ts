import type { CatalogMarket } from '../../../model/catalog.ts';
import { DAY_MS, floorTo, HOUR_MS } from '../../../model/time.ts';
import { findMarket, toCatalogMarket, upsertMarket } from '../../../store/catalog/catalog.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import type { Feed } from '../../feed.ts';
import { takeTurns } from '../../take-turns.ts';
import type { VenueRun } from '../venue.ts';
import { candleRequest } from './info-request.ts';
import { parseDayVolumes } from './parse-candles.ts';
import { countDays, REVISED_FOR_MS, VOLUMES, type VolumeCount, volumeCount } from './volume-count.ts';

/** Markets that no definition names, whose volume is fetched in one run. */
const OTHERS_A_RUN = 100;
/** Pause before asking again for missing days, which had no trade or come late. */
const ASKED_AGAIN_MS = 6 * HOUR_MS;
/** The first outcome market was listed on 2 May 2026. */
const FIRST_DAY = Date.UTC(2026, 4, 1);

interface Wanted {
  market: CatalogMarket;
  known: VolumeCount | undefined;
}

/**
 * Brings the lifetime volume of markets, in taker contracts, up to yesterday. The venue gives no lifetime figure, so
 * daily volumes are added up; of the Yes side alone, since the No side may count the same trades again.
 */
export async function collectVolumes(run: VenueRun, markets: readonly CatalogMarket[]): Promise<void> {
  const wanted = selectWanted(run, markets);
  await run.feed(VOLUMES, (feed) => feed.each(wanted, (each) => collectVolume(run, feed, each)));
}

function selectWanted(run: VenueRun, markets: readonly CatalogMarket[]): Wanted[] {
  const today = floorTo(run.now, DAY_MS);
  const named = new Set(run.named.map((each) => each.market_id));
  return run.store.write((writer) => {
    const due = markets
      .map((market) => ({ market, known: findNote(writer, VOLUMES, market.market_id, volumeCount) }))
      .filter(
        ({ known }) =>
          known === undefined || (known.through < today && known.asked_at <= run.now - ASKED_AGAIN_MS),
      );
    const others = due.map(({ market }) => market.market_id).filter((id) => !named.has(id));
    const turns = new Set(takeTurns(writer, VOLUMES, others.sort(), OTHERS_A_RUN));
    return due.filter(({ market: { market_id } }) => named.has(market_id) || turns.has(market_id));
  });
}

async function collectVolume(run: VenueRun, feed: Feed, { market, known }: Wanted): Promise<void> {
  const from = Math.max(FIRST_DAY, (known?.through ?? 0) - REVISED_FOR_MS);
  const span = { from, to: run.now };
  const answer = await feed.fetch(candleRequest(run.config, market.native_id, '1d', span));
  const page = parseDayVolumes(answer.json, run.now);
  feed.keep(answer, page, (writer) => {
    // An unreadable day would be missing forever, so the count waits for it.
    const count = page.rejections.length > 0 ? known : countDays(known, page.days, run.now);
    if (!count) return {};
    setNote(writer, VOLUMES, market.market_id, count);
    // A market outside the catalog is counted too: its volume may bring it into scope.
    const taken = findMarket(writer, market.market_id);
    if (!taken || count.through === 0 || count.total === taken.volume) return {};
    upsertMarket(writer, toCatalogMarket({ ...taken, volume: count.total }), run.now);
    return { rows_changed: 1 };
  });
}
