import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { upsertEvents } from '../../src/store/catalog/catalog.ts';
import { upsertSeries } from '../../src/store/catalog/series.ts';
import {
  listDocuments,
  noteDocumentBytes,
  noteDocuments,
  upsertText,
} from '../../src/store/filings/filing-documents.ts';
import { upsertFiling } from '../../src/store/filings/filings.ts';
import type { Writer } from '../../src/store/store.ts';
import { filing } from '../helpers/filings-store.ts';
import { openRelatedApp, putMarkets } from '../helpers/related-store.ts';
import { NOW, relateAll } from '../helpers/small-store.ts';

const TERMS = 'https://terms.example/regulatory/product-certifications';

let app: ReturnType<typeof openRelatedApp>;
beforeEach(() => {
  app = openRelatedApp();
  app.store.write((writer) => {
    series(writer, 'KXLOWNY', `${TERMS}/CITYLOW.pdf`);
    series(writer, 'KXCPI', `${TERMS}/CPI.pdf`);
    upsertFiling(writer, filing(301, { product_name: 'A certification', org: 'KEX' }), NOW, false);
    attach(writer, 301, 'Rulebook: cpi\nMinimum temperatures are another matter.');
    upsertFiling(writer, filing(302, { description: 'Amendment of CITYLOW', org: 'KEX' }), NOW, false);
    upsertFiling(writer, filing(303, { description: 'CITYLOW of another exchange', org: 'CME' }), NOW, false);
    upsertFiling(writer, filing(304, { description: 'A word on CPI among others', org: 'KEX' }), NOW, false);
  });
  putMarkets(app.store, [
    { market_id: 'venue_a:COLD', event_id: 'venue_a:KXLOWNY-1', question: 'Will it freeze?', volume: 5 },
    { market_id: 'venue_a:WARM', event_id: 'venue_a:KXLOWNY-1', question: 'Will it thaw?', volume: 9 },
    { market_id: 'venue_a:PRICES', event_id: 'venue_a:KXCPI-1', question: 'Will consumer prices rise?' },
    {
      market_id: 'venue_a:PAST',
      event_id: 'venue_a:KXLOWNY-1',
      question: 'Did it snow?',
      status: 'closed',
      volume: 99,
    },
  ]);
  relateAll(app.store);
});
afterEach(() => app.close());

function series(writer: Writer, ticker: string, contract_url: string): void {
  const common = { family: 'venue_a', native_id: ticker, title: ticker } as const;
  const listed = { ...common, series_id: `venue_a:${ticker}`, tags: [], settlement_sources: [] };
  upsertSeries(writer, { ...listed, contract_url }, NOW);
  upsertEvents(
    writer,
    [{ ...common, event_id: `venue_a:${ticker}-1`, native_id: `${ticker}-1`, series: ticker }],
    NOW,
  );
}

function attach(writer: Writer, filingId: number, markdown: string): void {
  const digest = Buffer.alloc(32, filingId % 256);
  noteDocuments(writer, filingId, [{ url: `https://registry.example/${filingId}.pdf`, title: 'One' }], NOW);
  for (const document of listDocuments(writer, filingId)) noteDocumentBytes(writer, document, digest, NOW);
  upsertText(writer, digest, 'test', { pages: 1, markdown });
}

type Row = Record<string, unknown>;

async function rows(path: string): Promise<Row[]> {
  return ((await (await app.get(path)).json()) as { data: Row[] }).data;
}

describe('[4.1/9] filings of a market', () => {
  it.each(['/api/v1', '/api/v1/public'])(
    'begin with those that name its contract terms, %s',
    async (base) => {
      const near = await rows(`${base}/markets/venue_a:COLD/filings`);
      expect(near[0]).toMatchObject({ filing_id: 302, similarity: 1 });
      expect(near.map((row) => row.filing_id)).not.toContain(303);
    },
  );

  it('by a short name are those that call themselves a rulebook', async () => {
    const near = await rows('/api/v1/markets/venue_a:PRICES/filings');
    expect(near.filter((row) => row.similarity === 1).map((row) => row.filing_id)).toEqual([301]);
  });
});

it('[4.5/8] markets of a filing begin with the active ones under the terms it names, most traded first', async () => {
  const near = await rows('/api/v1/filings/302/markets');
  expect(near.slice(0, 2)).toMatchObject([
    { market_id: 'venue_a:WARM', similarity: 1 },
    { market_id: 'venue_a:COLD', similarity: 1 },
  ]);
  expect(near.map((row) => row.market_id)).not.toContain('venue_a:PAST');
});

it('[4.5/8] attachments or terms that arrive later are seen by the next run', async () => {
  const linked = async (id: number) => {
    const near = await rows(`/api/v1/filings/${id}/markets`);
    return near.filter((row) => row.similarity === 1).map((row) => row.market_id);
  };
  app.store.write((writer) => {
    series(writer, 'KXCPI', `${TERMS}/CITYRAIN.pdf`);
    upsertFiling(writer, filing(305, { product_name: 'Rain', org: 'KEX' }), NOW, false);
  });
  relateAll(app.store);
  expect(await linked(305)).toEqual([]);
  app.store.write((writer) => attach(writer, 305, 'The contract is called CITYRAIN.'));
  relateAll(app.store);
  expect(await linked(305)).toEqual(['venue_a:PRICES']);
  app.store.write((writer) => series(writer, 'KXCPI', `${TERMS}/CITYSNOW.pdf`));
  relateAll(app.store);
  expect(await linked(305)).toEqual([]);
});
