import { pricedConstituents } from '../../model/definitions/definition.ts';
import { formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { NAMES_KEY, type NamedMarket, STATUS_KEY, type Status } from '../../routes/page-files.ts';
import { present, presentInstant } from '../../routes/present.ts';
import { visibleIndices, visibleRates } from '../../routes/visibility.ts';
import { findMarkedMarket } from '../../store/catalog/market-lists.ts';
import { listFeeds } from '../../store/feeds.ts';
import { listRuns } from '../../store/runs.ts';
import type { Reader } from '../../store/store.ts';
import type { PublishDocument } from '../comparison.ts';

const RUNS_TOLD = 5;

/** What the explorer shows of the service: the state of feeds and runs, and the names it searches. */
export function* eachStatusFile(reader: Reader, now: Instant): Generator<PublishDocument> {
  yield { key: STATUS_KEY, body: JSON.stringify(statusBody(reader, now)) };
  yield { key: NAMES_KEY, body: JSON.stringify({ data: nameRows(reader, now) }) };
}

/**
 * The state of the feeds and the last runs, without the run that publishes, so that repeating it gives the same bytes, and
 * without messages, which may contain the operator's addresses.
 */
function statusBody(reader: Reader, now: Instant): Status {
  return {
    feeds: listFeeds(reader).map((feed) => ({
      feed: feed.feed,
      condition: feed.condition,
      tried_at: formatInstant(feed.tried_at),
      good_at: presentInstant(feed.good_at),
      rows_read: feed.rows_read,
      rows_left_out: feed.rows_left_out,
    })),
    runs: listRuns(reader, RUNS_TOLD, now).map((run) => ({
      command: run.command,
      started_at: formatInstant(run.started_at),
      finished_at: presentInstant(run.finished_at),
      outcome: present(run.outcome),
    })),
  };
}

/** The markets of public indices and rates with their questions; for a market that only a rate uses, also the rate. */
function nameRows(reader: Reader, now: Instant): NamedMarket[] {
  const rateOf = new Map<string, string | undefined>();
  for (const { definition } of visibleRates(reader, { tier: 'public' }))
    for (const source of definition.sources) rateOf.set(source.market_id, definition.ticker);
  for (const { definition } of visibleIndices(reader, { tier: 'public', now }))
    for (const { market_id } of pricedConstituents(definition)) rateOf.set(market_id, undefined);
  return [...rateOf]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([market_id, rate]) => {
      const market = findMarkedMarket(reader, market_id);
      return market ? [{ market_id, question: market.question, rate }] : [];
    });
}
