import { z } from 'zod';
import type { CatalogMarket } from '../../../model/catalog.ts';
import { given } from '../../../model/given.ts';
import { catalogId, isOutcome } from '../../../model/platform.ts';
import { DAY_MS, floorTo } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import { findMarket, listUnsettledMarkets } from '../../../store/catalog/catalog.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import type { Reader, Writer } from '../../../store/store.ts';
import { type CatalogWalk, newWalkState, reportUnseen, selectUnseen } from '../../catalog/catalog-walk.ts';
import { closeUnseen } from '../../catalog/close-unlisted.ts';
import { keepCatalog } from '../../catalog/keep-catalog.ts';
import type { ListedMarket } from '../../catalog/listed-market.ts';
import { withKnownYes } from '../../catalog/yes-side.ts';
import { takeTurns } from '../../take-turns.ts';
import type { VenueRun } from '../venue.ts';
import { collectTemplates } from './collect-templates.ts';
import { infoRequest } from './info-request.ts';
import {
  type OutcomesPage,
  parseOutcomes,
  parseSettlement,
  parseSupplies,
  usesTemplates,
  type Words,
} from './parse-outcomes.ts';
import { findQuestions, noteQuestions } from './questions-before.ts';
import type { Templates } from './templates.ts';
import { VOLUMES, volumeCount } from './volume-count.ts';

/** Unlisted outcomes that no definition names, looked up in one run. */
const OTHERS_A_RUN = 50;
/** Note of the instants of the last two runs that read the list and believed it. A run that is repeated counts once. */
const FULL_CRAWL = 'full_crawl';
const fullCrawl = z.object({ at: z.number(), before: z.number().optional() });

/** Reads the live outcomes, then the payouts of those no longer among them. @returns the markets seen */
export async function collectOutcomes(run: VenueRun): Promise<CatalogMarket[]> {
  const state = newWalkState(run);
  const seen: CatalogMarket[] = [];
  await run.feed('venue_c/outcomes', async (feed) => {
    const walk = { run, feed, state };
    // Open interest is optional; outcomes are read without it if need be.
    const supplies = (await feed.part(() => fetchSupplies(walk))) ?? new Map();
    const answer = await feed.fetch(infoRequest(run.config, { type: 'outcomeMeta' }));
    const templates: Templates = usesTemplates(answer.json) ? await collectTemplates(run, feed) : new Map();
    const questions = run.store.read((reader) => findQuestions(reader, feed.name));
    const beside = { supplies, templates, before: questions, isAnother: isAnotherIn(walk) };
    const page = withKnownYes(run, (findYes) => parseOutcomes(answer.json, { ...beside, findYes }, run.now));
    if (page.markets.length === 0) feed.leaveIncomplete('the venue listed no outcome');
    feed.keep(answer, page, (writer) => {
      if (page.markets.length > 0) noteQuestions(writer, feed.name, page);
      for (const { market } of page.markets) startAgain(writer, market);
      const markets = page.markets.map((listed) => withVolume(writer, listed));
      seen.push(...markets.map(({ market }) => market));
      for (const { market } of markets)
        if (state.named.has(market.market_id)) state.seen.add(market.market_id);
      return keepCatalog(writer, { ...page, markets }, run.now, state);
    });
    feed.report.catalog_whole = page.markets.length > 0 && state.doubt === undefined;
    const last = run.store.read((reader) => findNote(reader, feed.name, FULL_CRAWL, fullCrawl));
    const before = last && last.at < run.now ? last.at : last?.before;
    seen.push(...(await collectSettled(walk, page, before)));
    if (feed.report.catalog_whole)
      run.store.write((writer) => setNote(writer, feed.name, FULL_CRAWL, { at: run.now, before }));
    reportUnseen(feed, selectUnseen(run, state));
  });
  return seen;
}

// A definition names an outcome by its number, not the one that is given the number later.
function isAnotherIn({ run, state }: CatalogWalk): (market: CatalogMarket) => boolean {
  return (market) =>
    state.named.has(market.market_id) &&
    run.store.read((reader) => findSettledBefore(reader, market)) !== undefined;
}

async function fetchSupplies({ run, feed }: CatalogWalk): Promise<ReadonlyMap<string, number>> {
  const answer = await feed.fetch(infoRequest(run.config, { type: 'spotMetaAndAssetCtxs' }));
  const page = parseSupplies(answer.json);
  feed.keep(answer, page);
  return page.supplies;
}

// The list has only live outcomes, but an outcome that is absent is not necessarily settled. One that was absent from
// the list before too, and is not settled, no longer trades.
async function collectSettled(
  walk: CatalogWalk,
  page: OutcomesPage,
  before: Instant | undefined,
): Promise<CatalogMarket[]> {
  const { run, feed, state } = walk;
  const live = new Set(page.ids);
  const named = selectUnseen(run, state).map((each) => each.native_id);
  const wanted = run.store.write((writer) => {
    const left = listUnsettledMarkets(writer, 'venue_c')
      .map((each) => each.native_id)
      .filter((each) => isOutcome(each) && !live.has(each) && !named.includes(each));
    return [...named, ...takeTurns(writer, feed.name, left, OTHERS_A_RUN)];
  });
  const settled: CatalogMarket[] = [];
  for (const nativeId of wanted) {
    const isGone = feed.report.catalog_whole && !feed.isUnreadable(nativeId);
    const market = await feed.part(() => collectOutcome(walk, nativeId, page, isGone ? before : undefined));
    if (market) settled.push(market);
  }
  return settled;
}

/**
 * Looks up an outcome that is not listed.
 *
 * @param before when the previous list was read: an outcome not seen since is closed; undefined if none is to be closed
 * @returns undefined while the outcome is not settled
 */
async function collectOutcome(
  walk: CatalogWalk,
  nativeId: string,
  words: Words,
  before: Instant | undefined,
): Promise<CatalogMarket | undefined> {
  const { run, feed, state } = walk;
  const isAnother = isAnotherIn(walk);
  const body = { type: 'settledOutcome', outcome: Number(nativeId) };
  const answer = await feed.fetch(infoRequest(run.config, body));
  const page = withKnownYes(run, (findYes) =>
    parseSettlement(answer.json, nativeId, words, { findYes, isAnother }),
  );
  const { settlement } = page;
  let settled: CatalogMarket | undefined;
  feed.keep(answer, page, (writer) => {
    if (answer.json === null && before !== undefined)
      closeUnseen(writer, catalogId('venue_c', nativeId), before, run.now);
    if (!settlement) return {};
    settled = settledMarket(writer, settlement.market, settlement.payout, run.now);
    state.seen.add(settled.market_id);
    return keepCatalog(writer, { events: [], markets: [{ market: settled }] }, run.now, state);
  });
  return settled;
}

// The answer has no settlement instant: the closing time is used if it is past, else this run's instant.
function settledMarket(reader: Reader, spec: CatalogMarket, payout: number, now: number): CatalogMarket {
  const known = findMarket(reader, spec.market_id);
  const closed = spec.closes_at ?? known?.closes_at ?? undefined;
  const first = known?.settled_at ?? (closed !== undefined && closed <= now ? closed : now);
  const { market } = withVolume(reader, { market: spec });
  return {
    ...market,
    question: known?.question ?? spec.question,
    status: 'settled',
    venue_status: 'settled',
    payout,
    settled_at: first,
    ...given({ event_id: known?.event_id, closes_at: closed }),
  };
}

/**
 * Restarts the count of a market's volume if the venue has given the number of a settled outcome to a new one. The
 * count begins with the day after the settlement, since the day itself may have trades of the settled outcome.
 */
function startAgain(writer: Writer, market: CatalogMarket): void {
  const settled_at = findSettledBefore(writer, market);
  if (settled_at === undefined) return;
  const through = floorTo(settled_at, DAY_MS) + DAY_MS;
  setNote(writer, VOLUMES, market.market_id, { total: 0, through, asked_at: 0 });
}

/** When another outcome of the same number settled; undefined if none did. */
function findSettledBefore(reader: Reader, { market_id, question }: CatalogMarket): Instant | undefined {
  const known = findMarket(reader, market_id);
  if (known?.status !== 'settled') return undefined;
  // The question that it answers comes first, where the venue names it.
  if (known.question.endsWith(question) || question.endsWith(known.question)) return undefined;
  return known.settled_at ?? undefined;
}

function withVolume(reader: Reader, listed: ListedMarket): ListedMarket {
  const { market } = listed;
  const count = findNote(reader, VOLUMES, market.market_id, volumeCount);
  return count && count.through > 0 ? { ...listed, market: { ...market, volume: count.total } } : listed;
}
