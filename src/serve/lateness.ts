import { hasCode } from '../model/errors.ts';
import type { Instant } from '../model/units.ts';
import { listFeeds } from '../store/feeds.ts';
import { findLastEnd } from '../store/runs.ts';
import type { Reader, Store } from '../store/store.ts';

/**
 * When the last run ended and each feed was last good, in the text format of Prometheus, in seconds since 1970, which
 * an alert subtracts from the time. What never happened has no line. While the store cannot be read there are no such
 * lines instead of an error, because then the other metrics are needed most.
 */
export function latenessLines(store: Pick<Store, 'read'>, now: Instant): string[] {
  try {
    return store.read((reader) => linesOf(reader, now));
  } catch (thrown) {
    if (hasCode(thrown, 'store_unusable')) return [];
    throw thrown;
  }
}

function linesOf(reader: Reader, now: Instant): string[] {
  const ended = findLastEnd(reader, now);
  const good = listFeeds(reader).flatMap(({ feed, good_at }) =>
    good_at === null ? [] : [{ label: `{feed=${JSON.stringify(feed)}}`, at: good_at }],
  );
  return [
    ...gauge(
      'foremark_run_end_timestamp_seconds',
      'When the last run that did not fail ended',
      ended === undefined ? [] : [{ label: '', at: ended }],
    ),
    ...gauge('foremark_feed_good_timestamp_seconds', 'When a feed was last read completely', good),
  ];
}

function gauge(name: string, help: string, values: readonly { label: string; at: Instant }[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...values.map(({ label, at }) => `${name}${label} ${at / 1000}`),
  ];
}
