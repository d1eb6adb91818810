import type { CatalogMarket } from '../../../model/catalog.ts';
import { given } from '../../../model/given.ts';
import { catalogId } from '../../../model/platform.ts';
import type { Instant, Probability } from '../../../model/units.ts';
import { type CatalogPage, emptyPage, type ListedEvent } from '../../catalog/listed-market.ts';
import { type FindKnownYes, keptYesPlace, NONE_KNOWN, rejectExchanged } from '../../catalog/yes-side.ts';
import {
  eachRow,
  fieldText,
  leaveOut,
  type ReadPage,
  type Rejection,
  type RowPlace,
  readEnvelope,
  readRow,
  reject,
} from '../../wire/wire-rows.ts';
import { type OutcomeText, outcomeText, questionText, type Text } from './descriptions.ts';
import { questionId, yesCoin } from './outcome-names.ts';
import type { Templates } from './templates.ts';
import * as wire from './wire.ts';

/** What the texts of outcomes are made from, besides their own rows. */
export interface Words {
  /** Questions by the number of the outcomes that answer them, live or no longer listed. */
  parents: ReadonlyMap<number, wire.Parent>;
  templates: Templates;
}

export interface OutcomesPage extends CatalogPage, Words {}

/** What is known of outcomes by their numbers. */
export interface KnownOutcomes {
  findYes?: FindKnownYes;
  /** Whether an outcome is another one than that which definitions name by its number. */
  isAnother?(market: CatalogMarket): boolean;
}

/** What other requests tell about the live outcomes. */
export interface Beside extends KnownOutcomes {
  /** Contracts in circulation by coin, which are the open interest. */
  supplies: ReadonlyMap<string, number>;
  templates: Templates;
  /** The questions that live outcomes had in the list before, in case these have left it. */
  before?: ReadonlyMap<number, wire.Parent> | undefined;
}

const ANOTHER = 'its number is that of an outcome which has settled and which a definition names';

/** Whether any live outcome or question uses a template. */
export function usesTemplates(json: unknown): boolean {
  const { outcomes, questions } = readEnvelope(wire.outcomeMeta, json);
  return [...outcomes, ...questions].some((each) => fieldText(each, 'name')?.startsWith('template:'));
}

/**
 * Parses the list of live outcomes: each question is an event and each of its outcomes a market; an outcome without a
 * question is an event with one market. An outcome that its question lists as settled is not live, even if it is
 * listed. One whose question has left the list, or cannot be read, still answers it. One that is known and has
 * exchanged its sides, or whose number a definition knows as that of another, is left out.
 */
export function parseOutcomes(json: unknown, beside: Beside, now: Instant): OutcomesPage {
  const { templates, supplies, before } = beside;
  const meta = readEnvelope(wire.outcomeMeta, json);
  const page = emptyPage(undefined);
  page.read = meta.outcomes.length + meta.questions.length;
  const parents = new Map<number, wire.Parent>();
  const settled = new Set<number>();
  for (const { row } of eachRow(page, wire.question, meta.questions, 'name')) {
    page.events.push(eventOf(questionId(row.question), `q${row.question}`, questionText(row, templates)));
    for (const each of [...row.namedOutcomes, ...row.settledNamedOutcomes]) parents.set(each, row);
    for (const each of row.settledNamedOutcomes) settled.add(each);
    if (typeof row.fallbackOutcome === 'number') parents.set(row.fallbackOutcome, row);
  }
  for (const { row, value, place } of eachRow(page, wire.outcome, meta.outcomes, 'outcome')) {
    if (settled.has(row.outcome)) continue;
    const parent = parents.get(row.outcome) ?? before?.get(row.outcome);
    if (parent) parents.set(row.outcome, parent);
    const text = outcomeText(row, parent, templates);
    const market = liveMarket(marketOf(row, parent, text), supplies, now);
    const exchanged = exchangedIn({ value, place }, market, text, beside);
    if (exchanged) {
      leaveOut(page, exchanged);
      continue;
    }
    page.ids.push(market.native_id);
    page.markets.push({ market });
    if (!parent) page.events.push(eventOf(market.market_id, market.native_id, text));
  }
  return { ...page, parents, templates };
}

/** The rejection of a row of another outcome, or with another first side, than its number stood for, if it is one. */
function exchangedIn(
  { value, place }: { value: unknown; place: RowPlace },
  market: CatalogMarket,
  { sides }: OutcomeText,
  { findYes = NONE_KNOWN, isAnother }: KnownOutcomes,
): Rejection | undefined {
  const known = findYes(market.market_id);
  if (known && keptYesPlace(sides, [], known) !== 0) return rejectExchanged(value, place, 'sideSpecs');
  return isAnother?.(market) ? { ...reject(value, place, 'outcome', ANOTHER), exchanged: true } : undefined;
}

function eventOf(event_id: string, native_id: string, text: Text): ListedEvent {
  const { title, tags, description, category, closes_at } = text;
  return {
    event_id,
    family: 'venue_c',
    native_id,
    title,
    tags,
    ...given({ description, category, closes_at }),
  };
}

// Trading ends at the closing time, though the market is listed until it is settled.
function liveMarket(
  market: CatalogMarket,
  supplies: ReadonlyMap<string, number>,
  now: Instant,
): CatalogMarket {
  const open_interest = supplies.get(yesCoin(market.native_id));
  const status = market.closes_at !== undefined && market.closes_at <= now ? 'closed' : 'active';
  return { ...market, status, ...given({ open_interest }) };
}

function marketOf(row: wire.Outcome, parent: wire.Parent | undefined, text: OutcomeText): CatalogMarket {
  const { title, description, yes, closes_at } = text;
  const native_id = String(row.outcome);
  const market_id = catalogId('venue_c', native_id);
  return {
    market_id,
    event_id: parent ? questionId(parent.question) : market_id,
    family: 'venue_c',
    native_id,
    question: title,
    status: 'active',
    venue_status: 'listed',
    price_token: yesCoin(native_id),
    volume_unit: 'contracts',
    ...given({ description, yes_sub_title: yes, closes_at }),
  };
}

export interface Settlement {
  market: CatalogMarket;
  payout: Probability;
}

/**
 * Parses the settlement of an outcome; `settlement` is absent while it is not settled. That of another outcome is left
 * out, as is one whose sides were exchanged, since the fraction is what the first side pays.
 *
 * @param words of the live outcomes; their questions are used if the answer names none
 */
export function parseSettlement(
  json: unknown,
  nativeId: string,
  { parents, templates }: Words,
  known: KnownOutcomes = {},
): ReadPage & { settlement?: Settlement } {
  const page: ReturnType<typeof parseSettlement> = { read: 1, rejections: [] };
  const row = readRow(page, wire.settledOutcome, json, { position: 0, idField: 'spec' });
  const payout = row?.settleFraction;
  if (!row || payout === undefined) return page;
  const place = { position: 0, within: 'spec', idField: 'outcome' };
  const spec = readRow(page, wire.outcome, row.spec, place);
  if (!spec) return page;
  const parent = row.question ?? parents.get(spec.outcome);
  const text = outcomeText(spec, parent, templates);
  const market = marketOf(spec, parent, text);
  const exchanged = exchangedIn({ value: row.spec, place }, market, text, known);
  if (market.native_id !== nativeId) {
    const reason = `outcome must be ${nativeId}, got ${market.native_id}`;
    leaveOut(page, { ...reject(row.spec, place, 'outcome', reason), native_id: nativeId });
  } else if (exchanged) leaveOut(page, exchanged);
  else page.settlement = { market, payout };
  return page;
}

/** Parses the circulating supply of each outcome's coin; unreadable coins are skipped. */
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
