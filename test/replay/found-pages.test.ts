import { expect, it } from 'vitest';
import { gammaEvent, gammaMarket, kalshiEvent, kalshiMarket } from '../ingest/wire-fixtures.ts';
import { rowsByShape } from './scenarios/found-pages.ts';

it('rows of recorded answers are recognized by their fields, whatever wraps them', () => {
  const alone = gammaMarket(2);
  const rows = rowsByShape([
    { events: [kalshiEvent([kalshiMarket('KX-A')])], cursor: '' },
    { market: kalshiMarket('KX-B', { event_ticker: 'KX-OTHER', title: 'Another?' }) },
    [gammaEvent([gammaMarket(1)], { id: '7' })],
    { markets: [{ ...alone, events: [{ id: '8', slug: 'eight' }] }] },
    { data: [{ condition_id: '0x1', question: 'Listed?', tokens: [] }], next_cursor: 'LTE=' },
    { questions: [{ id: 1, question: 'Of no venue?' }] },
  ]);
  expect(rows.kalshiEvents.map((row) => [row.event_ticker, row.title])).toEqual([
    ['KXRAIN-26NOV', 'Rain in November'],
    ['KX-OTHER', 'Another?'],
  ]);
  expect(rows.kalshiMarkets.map((row) => row.ticker)).toEqual(['KX-A', 'KX-B']);
  expect(rows.gammaEvents.map(({ id, markets }) => [id, markets])).toEqual([
    ['7', [expect.objectContaining({ conditionId: gammaMarket(1).conditionId })]],
    ['8', [expect.objectContaining({ conditionId: alone.conditionId })]],
  ]);
  expect(rows.clobMarkets).toHaveLength(1);
});
