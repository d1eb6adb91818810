import type { CatalogEvent, CatalogMarket } from '../../../model/catalog.ts';
import { given } from '../../../model/given.ts';
import type { Instant, Probability } from '../../../model/units.ts';
import { type CatalogPage, emptyPage } from '../../listed-market.ts';
import { eachRow, type ReadPage, readEnvelope, readRow } from '../../wire/wire-rows.ts';
import { outcomeText, questionCloses, questionTitle } from './descriptions.ts';
import { outcomeId, questionId, yesCoin } from './outcome-names.ts';
import * as wire from './wire.ts';

/** The live universe, and the questions that its outcomes, and those that left it, are answers to. */
export interface OutcomesPage extends CatalogPage {
  parents: ReadonlyMap<number, wire.Parent>;
}

/**
 * Reads the live universe: each question is an event, each of its outcomes a market, and an outcome without a
 * question an event of one market.
 *
 * @param supplies contracts in circulation by coin: the open interest
 */
export function parseOutcomes(
  json: unknown,
  supplies: ReadonlyMap<string, number>,
  now: Instant,
): OutcomesPage {
  const meta = readEnvelope(wire.outcomeMeta, json);
  const page = emptyPage(undefined);
  page.read = meta.outcomes.length + meta.questions.length;
  const parents = new Map<number, wire.Parent>();
  for (const { row } of eachRow(page, wire.question, meta.questions, 'name')) {
    page.events.push(questionEvent(row));
    for (const each of [...row.namedOutcomes, ...row.settledNamedOutcomes]) parents.set(each, row);
    if (typeof row.fallbackOutcome === 'number') parents.set(row.fallbackOutcome, row);
  }
  for (const { row } of eachRow(page, wire.outcome, meta.outcomes, 'outcome')) {
    const market = liveMarket(row, parents.get(row.outcome), supplies, now);
    page.ids.push(market.native_id);
    page.markets.push({ market });
    if (!parents.has(row.outcome)) page.events.push(eventOfOne(market));
  }
  return { ...page, parents };
}

function questionEvent(row: wire.Question): CatalogEvent {
  const coded = questionCloses(row) !== undefined;
  return {
    event_id: questionId(row.question),
    family: 'venue_c',
    native_id: `q${row.question}`,
    title: questionTitle(row),
    ...given({ description: coded ? undefined : row.description, closes_at: questionCloses(row) }),
  };
}

function eventOfOne(market: CatalogMarket): CatalogEvent {
  return {
    event_id: market.market_id,
    family: 'venue_c',
    native_id: market.native_id,
    title: market.question,
    ...given({ description: market.description, closes_at: market.closes_at }),
  };
}

// Trading ends when the time of the question has come, though it is listed until it is settled.
function liveMarket(
  row: wire.Outcome,
  parent: wire.Parent | undefined,
  supplies: ReadonlyMap<string, number>,
  now: Instant,
): CatalogMarket {
  const market = marketOf(row, parent);
  const open_interest = supplies.get(yesCoin(market.native_id));
  const status = market.closes_at !== undefined && market.closes_at <= now ? 'closed' : 'active';
  return { ...market, status, venue_status: 'listed', ...given({ open_interest }) };
}

function marketOf(row: wire.Outcome, parent: wire.Parent | undefined): CatalogMarket {
  const { question, description, closes_at } = outcomeText(row, parent);
  const native_id = String(row.outcome);
  return {
    market_id: outcomeId(row.outcome),
    event_id: parent ? questionId(parent.question) : outcomeId(row.outcome),
    family: 'venue_c',
    native_id,
    question,
    status: 'active',
    venue_status: 'listed',
    price_token: yesCoin(native_id),
    volume_unit: 'contracts',
    ...given({ description, closes_at }),
  };
}

/** What an outcome that left the list was settled at. */
export interface Settlement {
  market: CatalogMarket;
  payout: Probability;
}

/**
 * Reads what an outcome was settled at; undefined while it is not.
 *
 * @param parents the live questions, for an answer that does not name its own
 */
export function parseSettlement(
  json: unknown,
  parents: OutcomesPage['parents'],
): ReadPage & { settlement?: Settlement } {
  const page: ReturnType<typeof parseSettlement> = { read: 1, rejections: [] };
  const row = readRow(page, wire.settledOutcome, json, { position: 0, idField: 'spec' });
  const payout = row?.settleFraction;
  if (!row || payout === undefined) return page;
  const place = { position: 0, within: 'spec', idField: 'outcome' };
  const spec = readRow(page, wire.outcome, row.spec, place);
  if (spec) page.settlement = { market: marketOf(spec, row.question ?? parents.get(spec.outcome)), payout };
  return page;
}

/** Reads what is in circulation of each coin; one that cannot be read is not in it. */
export function parseSupplies(json: unknown): ReadPage & { supplies: Map<string, number> } {
  const [, contexts] = readEnvelope(wire.assetContexts, json);
  const supplies = new Map<string, number>();
  for (const value of contexts) {
    const result = wire.assetContext.safeParse(value);
    if (result.success && result.data.coin?.startsWith('#') && result.data.circulatingSupply !== undefined)
      supplies.set(result.data.coin, result.data.circulatingSupply);
  }
  return { read: contexts.length, supplies, rejections: [] };
}
