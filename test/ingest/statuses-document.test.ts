// What the venues' words mean, by the table in data/methodology.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { statusOf as kalshiStatus } from '../../src/ingest/venues/kalshi/statuses.ts';
import * as kalshi from '../../src/ingest/venues/kalshi/wire.ts';
import { statusOf as usStatus } from '../../src/ingest/venues/polymarket-us/statuses.ts';
import * as us from '../../src/ingest/venues/polymarket-us/wire.ts';

const document = readFileSync(join(import.meta.dirname, '../../data/methodology.md'), 'utf8');

/** The words of a venue's row, by column: trades, halted, disputed, settles. */
function wordsOf(venue: string): string[][] {
  const row = document.split('\n').find((line) => line.startsWith(`| ${venue} | \``)) ?? '';
  return row
    .split('|')
    .slice(2, 6)
    .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string));
}

const kalshiOf = (status: string) =>
  kalshiStatus(
    kalshi.market.parse({
      ticker: 'T',
      event_ticker: 'E',
      status,
      result: 'yes',
      settlement_value_dollars: '1',
    }),
    false,
  ).status;
const usOf = (word: string) =>
  usStatus(us.market.parse({ id: '1', slug: 's', question: 'q', status: `MARKET_STATUS_${word}` }), true)
    .status;

it.each([
  ['Kalshi', kalshiOf],
  ['Polymarket US', usOf],
] as const)('the words of %s mean what the document says', (venue, statusOf) => {
  const [trades, halted, disputed] = wordsOf(venue);
  expect(trades?.map(statusOf)).toEqual(['active']);
  expect(halted?.length).toBeGreaterThan(3);
  for (const word of halted ?? [])
    expect(['active', 'disputed', 'settled'], word).not.toContain(statusOf(word));
  for (const word of disputed ?? []) expect(statusOf(word)).toBe('disputed');
});

it('a contract of Kalshi is settled by the word that the document gives', () => {
  expect(wordsOf('Kalshi')[3]?.slice(0, 1).map(kalshiOf)).toEqual(['settled']);
});
