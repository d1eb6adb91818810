import { z } from 'zod';
import { counted, formatCount } from '../model/counted.ts';
import { DAY_MS, easternDay, formatInstant, MINUTE_MS } from '../model/time.ts';
import type { EasternDay, Instant } from '../model/units.ts';
import { findAwaitedOutcomes } from '../store/catalog/awaited-outcomes.ts';
import { type ChangedMarket, listChangedTerms } from '../store/catalog/market-terms.ts';
import { countStore } from '../store/counts.ts';
import { countRejects, type FeedRow, listFeeds, listRejects } from '../store/feeds.ts';
import { findLateHistory } from '../store/late-history.ts';
import { findLastFetch } from '../store/payloads.ts';
import { findLastInstant } from '../store/prints/calculations.ts';
import { findCatalogState, findLastEnd, listRuns } from '../store/runs.ts';
import type { Reader } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';
import { lateLine } from './run-summary.ts';
import { type ChangedMarketText, termsLine } from './terms-line.ts';
import { withStore } from './with-store.ts';
import { feedColumn, kibibytes, spanOf } from './wording.ts';

/** The summary of a failed run. */
const failure = z.object({ error: z.string() });

/** A contract is usually paid within two days of its determination. */
const OUTCOME_AWAITED_DAYS = 7;
const RUNS_SHOWN = 5;
const REJECTS_SHOWN = 20;

/**
 * Shows the state of the store: catalog, feeds with their lag, the last runs, named markets with other terms than before,
 * and why the last ingest left rows out.
 *
 * @param within a run must have finished within so many minutes; not checked when left out
 */
export function statusCommand(context: CommandContext, within = Number.POSITIVE_INFINITY): ExitCode {
  return withStore(context, 'read', (store) => {
    const { status, last, ended, now } = store.read((reader) => {
      // Read before the clock: a run that starts in between must not look as if it were in the future.
      const last = findLastInstant(reader);
      const now = context.effects.now();
      return { status: statusOf(reader, now), last, ended: findLastEnd(reader, now), now };
    });
    tell(context, status, linesOf(status));
    const refuses = last !== undefined && now < last;
    if (refuses)
      context.err(
        `the clock, at ${formatInstant(now)}, is behind the last run: every run is refused until ${formatInstant(last)}, the instant of that run`,
      );
    const late = now - (ended ?? Number.NEGATIVE_INFINITY) > within * MINUTE_MS;
    if (late)
      context.err(
        `no run has finished within ${within} minutes: ${ended === undefined ? 'none ever has' : `the last finished ${ago(now - ended)}`}`,
      );
    return refuses || late || status.feeds.some((feed) => feed.condition === 'failed')
      ? EXIT.partial
      : EXIT.complete;
  });
}

function statusOf(reader: Reader, now: Instant) {
  const runs = listRuns(reader, RUNS_SHOWN);
  const fetched = findLastFetch(reader);
  const awaited = findAwaitedOutcomes(reader, now - OUTCOME_AWAITED_DAYS * DAY_MS);
  return {
    catalog: findCatalogState(reader),
    counts: countStore(reader),
    feeds: listFeeds(reader).map((feed) => ({
      ...ofToday(feed, easternDay(now)),
      tried_at: formatInstant(feed.tried_at),
      good_at: textOf(feed.good_at),
      lag_ms: feed.good_at === null ? null : now - feed.good_at,
    })),
    runs: runs.map((run) => ({
      ...run,
      started_at: formatInstant(run.started_at),
      finished_at: textOf(run.finished_at),
      summary: run.summary === null ? null : (JSON.parse(run.summary) as unknown),
    })),
    late_from: textOf(findLateHistory(reader) ?? null),
    awaited_outcomes: awaited ? { ...awaited, since: formatInstant(awaited.since) } : null,
    changed_terms: listChangedTerms(reader, now).map(inText),
    left_out_reasons: fetched ? countRejects(reader, fetched.run_id) : [],
    left_out: fetched ? listRejects(reader, fetched.run_id, REJECTS_SHOWN) : [],
  };
}

function linesOf({
  catalog,
  counts,
  feeds,
  runs,
  late_from,
  awaited_outcomes,
  changed_terms,
  left_out_reasons,
}: ReturnType<typeof statusOf>): string[] {
  return [
    `catalog   ${catalog}: ${counted(counts.events, 'event')}, ${counted(counts.markets, 'market')}`,
    `prints    ${formatCount(counts.index_prints)} of indices, ${formatCount(counts.rate_prints)} of rates`,
    ...feeds.map((feed) => {
      const good = feed.lag_ms === null ? 'never good' : `good ${ago(feed.lag_ms)}`;
      const why = feed.message === null ? '' : `: ${feed.message}`;
      const rows = `${counted(feed.rows_read, 'row')}, ${feed.rows_left_out} left out`;
      const day = `${feed.good_of_day} of ${feed.tries_of_day} good today`;
      const cost = `${counted(feed.requests, 'request')}, ${kibibytes(feed.bytes)}, ${feed.seconds} s`;
      return `feed      ${feedColumn(feed.feed)} ${feed.condition.padEnd(7)} ${good}, ${day}, ${rows}; ${cost}${why}`;
    }),
    ...runs.map(
      ({ run_id, command, started_at, outcome, summary }) =>
        `run       ${run_id} ${command} ${started_at} ${outcome ?? 'not finished'}${whyOf(summary)}`,
    ),
    ...(late_from === null ? [] : [`late      ${lateLine(late_from)}`]),
    ...(awaited_outcomes === null ? [] : [`outcome   ${awaitedLine(awaited_outcomes)}`]),
    ...changed_terms.map((each) => `terms     ${termsLine(each)}`),
    ...left_out_reasons.map(
      ({ feed, rows, native_id, position, reason }) =>
        `left out  ${feedColumn(feed)} ${formatCount(rows)}${rows === 1 ? '' : ', the first'} ${native_id ?? `row ${position}`}: ${reason}`,
    ),
  ];
}

function awaitedLine({
  markets,
  market_id,
  since,
}: {
  markets: number;
  market_id: string;
  since: string;
}): string {
  const told = `without an outcome for more than ${OUTCOME_AWAITED_DAYS} days`;
  return markets === 1
    ? `${market_id} has been determined ${told}, since ${since}`
    : `${formatCount(markets)} contracts have been determined ${told}, the first ${market_id} since ${since}`;
}

function inText({ changed_at, changed, ...market }: ChangedMarket): ChangedMarketText {
  const shown = (value: string | Instant) => (typeof value === 'string' ? value : formatInstant(value));
  return {
    ...market,
    changed_at: formatInstant(changed_at),
    changed: changed.map(({ term, before, after }) => ({ term, before: shown(before), after: shown(after) })),
  };
}

function whyOf(summary: unknown): string {
  const { data } = failure.safeParse(summary);
  return data === undefined ? '' : `: ${data.error}`;
}

// The counts of tries are of one day: for a feed not tried today they are 0.
function ofToday(feed: FeedRow, day: EasternDay): FeedRow {
  return feed.day === day ? feed : { ...feed, tries_of_day: 0, good_of_day: 0 };
}

function textOf(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}

function ago(ms: number): string {
  return ms < 0 ? `${spanOf(-ms)} ahead` : `${spanOf(ms)} ago`;
}
