import { expect, it } from 'vitest';
import { type RunSummary, summaryLines } from '../../src/commands/run-summary.ts';
import type { FeedReport } from '../../src/ingest/feed.ts';

const FEED: FeedReport = {
  feed: 'venue_a/events',
  condition: 'good',
  message: null,
  requests: 1,
  seconds: 1,
  bytes: 1,
  rows_read: 1200,
  rows_changed: 3,
  rows_left_out: 0,
  first_reasons: [],
  rows_out_of_scope: 0,
  observations_added: 1,
  catalog_whole: true,
};

const PLAIN: RunSummary = {
  as_of: '2026-04-15T12:00:00Z',
  definition_problems: 0,
  seconds: { ingest: 1, compute: 2, publish: 3 },
  ingest: { feeds: [FEED], first_fill: false, compacted: 0, answers_forgotten: 0, late_from: null },
  compute: { markets_marked: 1, index_prints: 2, rate_prints: 0, restated: 0, failures: [] },
  relations: { texts: 9, read: 1, compared: 0, waiting: 0 },
  publish: {
    generation: 4,
    documents: 10,
    finished_before: false,
    written: 2,
    removed: 1,
    bytes_written: 2048,
    place: 'public',
    usage: { writes: 1, reads: 1, lists: 0, bytes_written: 1, usd: 0 },
  },
};

it('[C/1] a run that went as it should has a line for each feed and stage', () => {
  expect(summaryLines(PLAIN)).toEqual([
    'ingest   venue_a/events            good    1 request, 1,200 rows, 3 changed, 1 observation, 0 left out',
    'ingest   done in 1 s',
    'compute  2 index prints, 0 rate prints, 1 market mark changed, 2 s',
    'relate   9 texts, 1 read, 0 compared with all',
    'publish  generation 4: 10 documents, 2 written (2 KiB), 1 removed, in public, 3 s',
    'as of    2026-04-15T12:00:00Z',
  ]);
});

it('[C/1] a run in which something was missing, late, restated, waiting or overlooked says each', () => {
  const { ingest, compute, relations, publish, ...rest } = PLAIN as Required<RunSummary>;
  const partial: FeedReport = {
    ...FEED,
    condition: 'partial',
    message: 'answered 500',
    rows_left_out: 3,
    first_reasons: ['KX-1: odd'],
    rows_out_of_scope: 7,
  };
  const lines = summaryLines({
    ...rest,
    ingest: { ...ingest, feeds: [partial], late_from: '2026-04-15T11:00:00Z' },
    compute: { ...compute, restated: 1, failures: [{ ticker: 'SMALL', message: 'no room' }] },
    relations: { ...relations, waiting: 5 },
    publish: {
      ...publish,
      finished_before: true,
      overlooked: ['a.json', 'b.json'],
      behind: { stood: '2026-04-15T11:00:00Z', published: '2026-04-15T10:00:00Z' },
    },
  });
  expect(lines).toEqual([
    expect.stringMatching(/^ingest {3}venue_a\/events +partial .* 3 left out, 7 out of scope$/),
    '           answered 500',
    '           left out: KX-1: odd',
    '           and 2 more: foremark status says why',
    'ingest   done in 1 s',
    expect.stringMatching(/^late {5}prices arrived .*: backfill --from 2026-04-15T11:00:00Z restates them$/),
    expect.stringMatching(/^compute {2}2 index prints, /),
    'compute  1 print restated',
    'compute  SMALL failed: no room',
    'relate   9 texts, 1 read, 0 compared with all, 5 left for the next run',
    'publish  finished what the previous publish had left undone',
    expect.stringMatching(/^publish {2}generation 4: /),
    expect.stringMatching(
      /^publish {2}the publication was as of 2026-04-15T11:00:00Z, later than .*, as of 2026-04-15T10:00:00Z: restored /,
    ),
    expect.stringMatching(/^publish {2}2 documents had not been updated .*, such as a\.json; /),
    'as of    2026-04-15T12:00:00Z',
  ]);
});
