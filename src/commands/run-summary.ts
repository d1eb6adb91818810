import type { ComputeReport } from '../compute/compute.ts';
import type { RelationReport } from '../compute/relations/relate.ts';
import type { FeedReport } from '../ingest/feed.ts';
import type { IngestReport } from '../ingest/ingest.ts';
import { counted, formatCount } from '../model/counted.ts';
import type { PublishReport } from '../publish/publish.ts';
import { feedColumn, kibibytes } from './wording.ts';

export type Stage = 'ingest' | 'compute' | 'publish';

/** What the stages of a run did, in the shape of --json. */
export interface RunSummary {
  as_of: string;
  definition_problems: number;
  ingest?: IngestReport;
  compute?: ComputeReport;
  relations?: RelationReport;
  publish?: PublishReport;
  seconds: Partial<Record<Stage, number>>;
}

/** A run's summary for people: a line for each feed and stage. */
export function summaryLines(summary: RunSummary): string[] {
  const { ingest, compute, relations, publish, seconds } = summary;
  const lines: string[] = [];
  if (ingest) lines.push(...ingest.feeds.flatMap(feedLines));
  if (ingest) lines.push(`ingest   done in ${seconds.ingest} s`);
  if (ingest?.late_from) lines.push(`late     ${lateLine(ingest.late_from)}`);
  if (compute) {
    const { index_prints, rate_prints, markets_marked, restated, failures } = compute;
    lines.push(
      `compute  ${counted(index_prints, 'index print')}, ${counted(rate_prints, 'rate print')}, ` +
        `${counted(markets_marked, 'market mark')} changed, ${seconds.compute} s`,
      ...(restated > 0 ? [`compute  ${counted(restated, 'print')} restated`] : []),
      ...failures.map(({ ticker, message }) => `compute  ${ticker} failed: ${message}`),
    );
  }
  if (relations) {
    const { texts, read, compared, waiting } = relations;
    const left = waiting > 0 ? `, ${formatCount(waiting)} left for the next run` : '';
    lines.push(
      `relate   ${counted(texts, 'text')}, ${formatCount(read)} read, ${formatCount(compared)} compared with all${left}`,
    );
  }
  if (publish) {
    if (publish.finished_before) lines.push('publish  finished what the previous publish had left undone');
    lines.push(`publish  ${publishLine(publish)}, ${seconds.publish} s`);
    const { overlooked = [], behind } = publish;
    if (behind)
      lines.push(
        `publish  the publication was as of ${behind.stood}, later than what this store had last published, as of ` +
          `${behind.published}: restored from a backup, the store makes prints and changes of filings in between again`,
      );
    if (overlooked.length > 0)
      lines.push(
        `publish  ${formatCount(overlooked.length)} documents had not been updated when they should have been, ` +
          `such as ${overlooked[0]}; they are correct now; please report this`,
      );
  }
  lines.push(`as of    ${summary.as_of}`);
  return lines;
}

/** Says that prices arrived after their hours were calculated, and what to do. */
export function lateLine(from: string): string {
  return `prices arrived for hours that had already been calculated: backfill --from ${from} restates them`;
}

/** What a publish did, in one line. */
export function publishLine(publish: PublishReport): string {
  const { documents, written, removed, bytes_written, place, generation } = publish;
  return (
    `generation ${generation}: ${counted(documents, 'document')}, ${formatCount(written)} written ` +
    `(${kibibytes(bytes_written)}), ${formatCount(removed)} removed, in ${place}`
  );
}

function feedLines(feed: FeedReport): string[] {
  const { condition, message, requests, rows_read, rows_changed, rows_left_out, observations_added } = feed;
  const line =
    `ingest   ${feedColumn(feed.feed)} ${condition.padEnd(7)} ${counted(requests, 'request')}, ${counted(rows_read, 'row')}, ` +
    `${formatCount(rows_changed)} changed, ${counted(observations_added, 'observation')}, ${formatCount(rows_left_out)} left out`;
  const out = feed.rows_out_of_scope > 0 ? `, ${formatCount(feed.rows_out_of_scope)} out of scope` : '';
  const why = message === null ? [] : [`           ${message}`];
  const more = rows_left_out - feed.first_reasons.length;
  const rest = more > 0 ? [`           and ${formatCount(more)} more: foremark status says why`] : [];
  return [
    line + out,
    ...why,
    ...feed.first_reasons.map((reason) => `           left out: ${reason}`),
    ...rest,
  ];
}
