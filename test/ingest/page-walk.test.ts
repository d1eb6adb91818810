import { describe, expect, it } from 'vitest';
import { walkPages } from '../../src/ingest/page-walk.ts';

describe('a walk over a listing', () => {
  const walk = async (pages: Record<string, { ids: string[]; next?: string }>) => {
    const kept: string[][] = [];
    const stopped = await walkPages(
      async (cursor) => {
        const page = pages[cursor ?? 'first'];
        if (!page) throw new Error(`no page ${cursor}`);
        return { next: page.next, ids: page.ids };
      },
      ({ ids }) => {
        kept.push(ids);
      },
    );
    return { kept, stopped };
  };

  it('keeps every page once and ends with the last', async () => {
    const pages = { first: { ids: ['1'], next: 'b' }, b: { ids: ['2'], next: 'c' }, c: { ids: [] } };
    expect(await walk(pages)).toEqual({ kept: [['1'], ['2'], []], stopped: undefined });
  });

  it('stops at a cursor that leads back, with what was read until then', async () => {
    const pages = { first: { ids: ['1'], next: 'b' }, b: { ids: ['2'], next: 'b' } };
    expect(await walk(pages)).toEqual({
      kept: [['1'], ['2']],
      stopped: 'page 2 links back to a page that was read before; the rest of the list was not read',
    });
  });

  it('stops at the same page under a fresh cursor, and does not keep it twice', async () => {
    const pages = { first: { ids: ['1', '2'], next: 'b' }, b: { ids: ['1', '2'], next: 'c' } };
    expect(await walk(pages)).toEqual({
      kept: [['1', '2']],
      stopped: 'page 2 repeats page 1; the rest of the list was not read',
    });
  });

  it('continues past empty filtered pages, and stops where they never end', async () => {
    const pages = { first: { ids: [], next: 'b' }, b: { ids: [], next: 'c' }, c: { ids: ['1'] } };
    expect(await walk(pages)).toEqual({ kept: [[], [], ['1']], stopped: undefined });
    const endless = Array.from({ length: 1000 }, (_, i) => [`${i}`, { ids: [], next: `${i + 1}` }] as const);
    const { kept, stopped } = await walk({
      first: { ids: ['1'], next: '0' },
      ...Object.fromEntries(endless),
    });
    expect(kept).toHaveLength(51);
    expect(stopped).toBe('50 pages in a row up to page 51 have no rows; the rest of the list was not read');
  });

  it('stops where the same rows keep coming in another order, but not where a row comes twice', async () => {
    const pages = {
      first: { ids: ['1', '2', '3'], next: 'b' },
      b: { ids: ['3', '1', '2'], next: 'c' },
      c: { ids: ['2', '4', '3'], next: 'd' },
    };
    expect(await walk(pages)).toEqual({
      kept: Object.values(pages).map(({ ids }) => ids),
      stopped: 'the 9 rows up to page 3 have only 4 different ids; the rest of the list was not read',
    });
    const slips = {
      first: { ids: ['1', '', ''], next: 'b' },
      b: { ids: ['1', ''], next: 'c' },
      c: { ids: ['2'] },
    };
    expect((await walk(slips)).stopped).toBeUndefined();
  });

  it('requests no more pages when its time is up', async () => {
    const time = new AbortController();
    const asked: number[] = [];
    const stopped = await walkPages(
      async () => ({ ids: [String(asked.length)], next: String(asked.length) }),
      (_, number) => {
        asked.push(number);
        if (number === 2) time.abort();
      },
      { timeUp: time.signal },
    );
    expect([asked, stopped]).toEqual([
      [1, 2],
      'ingest.deadline_seconds leaves no time for page 3; the rest of the list was not read',
    ]);
  });
});
