import { beforeEach, describe, expect, it } from 'vitest';
import type { Family } from '../../src/model/platform.ts';
import { upsertEvents } from '../../src/store/catalog/catalog.ts';
import { upsertSeries } from '../../src/store/catalog/series.ts';
import { noteDocumentBytes } from '../../src/store/filings/document-bytes.ts';
import { listDocuments, noteDocuments, upsertText } from '../../src/store/filings/filing-documents.ts';
import { upsertFiling } from '../../src/store/filings/filings.ts';
import type { Writer } from '../../src/store/store.ts';
import { filing } from '../helpers/filings-store.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { openRelatedApp, putMarkets } from '../helpers/related-store.ts';
import { NOW, relateAll } from '../helpers/small-store.ts';

const TERMS = 'https://terms.example/regulatory/product-certifications';

const app = ofEachTest(openRelatedApp);
beforeEach(() => {
  app.store.write((writer) => {
    series(writer, 'KXLOWNY', { contract_url: `${TERMS}/CITYLOW.pdf` });
    series(writer, 'KXCPI', { contract_url: `${TERMS}/CPI.pdf` });
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

type Terms = Partial<Record<'contract_url' | 'contract_terms_url', string>>;

function series(writer: Writer, ticker: string, terms: Terms, family: Family = 'venue_a'): void {
  const common = { family, native_id: ticker, title: ticker };
  const listed = { ...common, series_id: `${family}:${ticker}`, tags: [], settlement_sources: [] };
  upsertSeries(writer, { ...listed, ...terms }, NOW);
  upsertEvents(
    writer,
    [{ ...common, event_id: `${family}:${ticker}-1`, native_id: `${ticker}-1`, series: ticker }],
    NOW,
  );
}

const digestFor = (file: number) => Buffer.alloc(32, file % 256);

/** The attachment of a filing, fetched and not yet read. */
function fetched(writer: Writer, filingId: number, file: number): void {
  noteDocuments(writer, filingId, [{ url: `https://registry.example/${filingId}.pdf`, title: 'One' }], NOW);
  for (const document of listDocuments(writer, filingId))
    noteDocumentBytes(writer, document.url, digestFor(file), NOW);
}

function attach(writer: Writer, filingId: number, markdown: string): void {
  fetched(writer, filingId, filingId);
  upsertText(writer, digestFor(filingId), 'test', { pages: 1, markdown });
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

  it('name them in any of their texts, and their organization in any letters; the ten newest are listed', async () => {
    const texts = ['title', 'product_name', 'description', 'products_affected', 'remarks'];
    app.store.write((writer) => {
      for (let id = 305; id <= 310; id++)
        upsertFiling(writer, filing(id, { title: 'CITYLOW', org: 'KEX' }), NOW, false);
      for (const [i, own] of texts.entries()) {
        const said = Object.fromEntries(texts.map((each) => [each, each === own ? 'CITYLOW' : 'x']));
        upsertFiling(writer, filing(311 + i, { ...said, org: 'Kex' }), NOW, false);
      }
      upsertFiling(writer, filing(320, { remarks: 'On SNOW2', org: 'KEX' }), NOW, false);
      series(writer, 'KXLOWLA', { contract_terms_url: `${TERMS}/citylow.PDF` });
      series(writer, 'KXCPI', { contract_url: `${TERMS}/CPI.pdf`, contract_terms_url: `${TERMS}/SNOW2.pdf` });
    });
    putMarkets(app.store, [
      { market_id: 'venue_a:MILD', event_id: 'venue_a:KXLOWLA-1', question: 'Will it freeze there?' },
    ]);
    relateAll(app.store);
    const naming = async (market: string) => {
      const near = await rows(`/api/v1/markets/venue_a:${market}/filings?limit=20`);
      return near.filter((row) => row.similarity === 1).map((row) => row.filing_id);
    };
    // Two series may have the same terms, and one may have two.
    const newest = Array.from({ length: 10 }, (_, i) => 306 + i);
    for (const market of ['COLD', 'MILD']) expect(await naming(market)).toEqual(newest);
    expect(await naming('PRICES')).toEqual([301, 320]);
  });
});

it('[4.5/8] markets of a filing begin with the active ones under the terms it names, most traded first', async () => {
  // Without a volume, and of a series that only has the same name at another venue.
  app.store.write((writer) => series(writer, 'KXLOWNY', {}, 'venue_c'));
  putMarkets(app.store, [
    { market_id: 'venue_a:STILL', event_id: 'venue_a:KXLOWNY-1', question: 'Will it stay?' },
    { market_id: 'venue_c:COLD', event_id: 'venue_c:KXLOWNY-1', question: 'Will it freeze?', volume: 99 },
  ]);
  const near = await rows('/api/v1/filings/302/markets');
  expect(near.filter((row) => row.similarity === 1).map((row) => row.market_id)).toEqual([
    'venue_a:WARM',
    'venue_a:COLD',
    'venue_a:STILL',
  ]);
  const elsewhere = await rows('/api/v1/markets/venue_c:COLD/filings');
  expect(elsewhere.filter((row) => row.similarity === 1)).toEqual([]);
});

it('[4.5/8] attachments or terms that arrive later are seen by the next run', async () => {
  const linked = async (id: number) => {
    const near = await rows(`/api/v1/filings/${id}/markets`);
    return near.filter((row) => row.similarity === 1).map((row) => row.market_id);
  };
  app.store.write((writer) => {
    series(writer, 'KXCPI', { contract_url: `${TERMS}/CITYRAIN.pdf` });
    upsertFiling(writer, filing(305, { product_name: 'Rain', org: 'KEX' }), NOW, false);
  });
  relateAll(app.store);
  expect(await linked(305)).toEqual([]);
  app.store.write((writer) => attach(writer, 305, 'The contract is called CITYRAIN.'));
  relateAll(app.store);
  expect(await linked(305)).toEqual(['venue_a:PRICES']);
  app.store.write((writer) => series(writer, 'KXCPI', { contract_url: `${TERMS}/CITYSNOW.pdf` }));
  relateAll(app.store);
  expect(await linked(305)).toEqual([]);
});

it('[4.5/8] a text that changes is seen by the next run, even if a run reads few attachments', async () => {
  /** The filings that name the terms of a market, after a change and the next run. */
  const namingAfter = async (change: (writer: Writer) => void) => {
    app.store.write(change);
    relateAll(app.store);
    const near = await rows('/api/v1/markets/venue_a:COLD/filings');
    return near.filter((row) => row.similarity === 1).map((row) => row.filing_id);
  };
  const read = (file: number, extractor: string, markdown: string) => (writer: Writer) =>
    upsertText(writer, digestFor(file), extractor, { pages: 1, markdown });
  const others = (writer: Writer) => {
    for (const id of [311, 312, 313, 314]) upsertFiling(writer, filing(id, { org: 'KEX' }), NOW, false);
    for (const id of [311, 312]) fetched(writer, id, id);
  };
  expect(await namingAfter(others)).toEqual([302]);
  expect(await namingAfter(read(311, 'reader/1', 'On CITYLOW'))).toEqual([302, 311]);
  expect(await namingAfter(read(312, 'reader/1', 'On C I T Y L O W'))).toEqual([302, 311]);
  expect(await namingAfter((writer) => fetched(writer, 313, 311)), 'the same file').toEqual([302, 311, 313]);
  const changed = filing(314, { org: 'KEX', title: 'On CITYLOW' });
  expect(await namingAfter((writer) => upsertFiling(writer, changed, NOW, false))).toEqual([
    302, 311, 313, 314,
  ]);
  // Another version of the extractor reads anew what the one before has read.
  expect(await namingAfter(read(311, 'reader/2', 'On something else'))).toEqual([302, 314]);
  expect(await namingAfter(read(312, 'reader/2', 'On CITYLOW'))).toEqual([302, 312, 314]);
});
