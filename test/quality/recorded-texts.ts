/** Questions as they were recorded from the venues, read where they lie; nothing of them is kept here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { RelatedText } from '../../src/model/related-text.ts';

const FOLDER = process.env.REAL_DATA ?? join(import.meta.dirname, '../../../shared/real');

/** A recorded question with the source and the id that it has there. */
export interface RecordedText extends RelatedText {
  source: string;
  id: string;
}

const BENCH = 'forecastbench/market_questions_part1.jsonl.gz';
const SNAPSHOTS = 'two-venue-live-2026-08/snapshots_part1.jsonl.gz';
const TITLES = 'question-titles-2021/metaforecasts.tsv.gz';

/** Whether the questions that are labelled are on this machine: those of another folder of recordings are not. */
export const hasRecordings = [BENCH, SNAPSHOTS, TITLES].every((name) => existsSync(join(FOLDER, name)));

/** Reads a recorded file, inflated where it is compressed. */
export function readRecorded(name: string): string {
  const bytes = readFileSync(join(FOLDER, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

const bench = z.object({
  source: z.string(),
  id: z.string(),
  question: z.string(),
  closes: z.string().nullish(),
});
const card = z.object({
  venue: z.string(),
  id: z.string(),
  title: z.string(),
  sub: z.string().nullish(),
  close: z.string().nullish(),
});
const face = z.object({ id: z.string().optional(), slug: z.string().optional(), title: z.string() });
const snapshot = z.object({
  most_active: z.array(card),
  probability_wall: z.array(card),
  cross_venue: z.array(z.object({ kalshi: face, polymarket: face })),
});
const openEvents = z.object({
  events: z.array(z.object({ event_ticker: z.string(), title: z.string(), sub_title: z.string().nullish() })),
});

/** All recorded questions, each once. */
export function recordedTexts(): RecordedText[] {
  const texts = new Map<string, RecordedText>();
  const add = (each: RecordedText) => {
    const key = `${each.source}|${each.id}`;
    if (!texts.has(key)) texts.set(key, each);
  };
  for (const row of lines(BENCH).map((line) => bench.parse(JSON.parse(line))))
    add({ source: row.source, id: row.id, text: row.question, ...closing(row.closes) });
  for (const line of lines(SNAPSHOTS)) {
    const { most_active, probability_wall, cross_venue } = snapshot.parse(JSON.parse(line));
    for (const { venue, id, title, sub, close } of [...most_active, ...probability_wall]) {
      const outcome = sub && sub !== 'Match Winner' ? { outcome: sub } : {};
      add({
        source: venue === 'kalshi' ? 'kalshi26' : 'polymarket',
        id,
        text: title,
        ...outcome,
        ...closing(close),
      });
    }
    for (const { kalshi, polymarket } of cross_venue) {
      add({ source: 'kalshi26', id: kalshi.id ?? '', text: kalshi.title });
      add({ source: 'polymarket', id: polymarket.slug ?? '', text: polymarket.title });
    }
  }
  for (const line of lines(TITLES).slice(1)) {
    const [, text = '', url = ''] = line.split('\t');
    if (url.startsWith('http'))
      add({ source: `m:${new URL(url).hostname.replace('www.', '')}`, id: url, text });
  }
  for (const file of readdirSync(join(FOLDER, 'kalshi-open-events-2025')))
    for (const event of openEvents.parse(JSON.parse(readRecorded(`kalshi-open-events-2025/${file}`)))
      .events) {
      const outcome = event.sub_title ? { outcome: event.sub_title } : {};
      if (!event.event_ticker.startsWith('KXOSCARWINNERS'))
        add({ source: 'kalshi25', id: event.event_ticker, text: event.title, ...outcome });
    }
  return [...texts.values()];
}

// Records hold line separators of Unicode: only the newline parts them.
function lines(name: string): string[] {
  return readRecorded(name)
    .split('\n')
    .filter((line) => line !== '');
}

function closing(text: string | null | undefined): { closes_at?: number } {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? {} : { closes_at: at };
}
