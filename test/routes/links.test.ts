import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkOf } from '../../src/routes/links.ts';
import { SITES } from '../helpers/small-store.ts';

const link = (
  slug: string | null,
  event_slug: string | null,
  family: 'venue_b_us' | 'venue_b_global' = 'venue_b_global',
) => linkOf({ family, native_id: '0x1', slug, event_slug }, SITES);

describe('the link of a venue B market', () => {
  it('[2.1.1/1] names event and market where both slugs exist and differ', () => {
    expect(link('will-it-rain', 'rain')).toBe('https://b.example/event/rain/will-it-rain');
    expect(link('will-it-rain', 'rain', 'venue_b_us')).toBe('https://us.example/event/rain/will-it-rain');
  });

  it('[2.1.1/2] is the event page where only the event slug is usable, or both are the same', () => {
    for (const slug of [null, '', '   ', '--', 'rain'])
      expect(link(slug, 'rain')).toBe('https://b.example/event/rain');
  });

  it('[2.1.1/3] is the market page where only the market slug is usable', () => {
    for (const event of [null, '', '..', '/'])
      expect(link('sun', event)).toBe('https://b.example/market/sun');
  });

  it('[2.1.1/4] is null where neither is', () => {
    expect(link(null, null)).toBeNull();
    expect(link('../..', '?')).toBeNull();
  });

  it('stays on the site and under its path whatever a slug contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (slug, event) => {
        const found = link(slug, event);
        if (found === null) return;
        const url = new URL(found);
        expect(url.origin).toBe(SITES.venue_b_global);
        expect(url.pathname).toMatch(/^\/(event|market)\/[^/]+(\/[^/]+)?$/);
        expect(url.search + url.hash).toBe('');
      }),
    );
  });
});

describe('the link of another market', () => {
  const of = (family: 'venue_a' | 'venue_c', native_id: string, event_slug: string | null = null) =>
    linkOf({ family, native_id, slug: 'slug', event_slug }, SITES);

  it('is the page of its series at venue A, which may differ from the start of its ticker', () => {
    expect(of('venue_a', 'FED-25DEC-T4.25', 'kxfed')).toBe('https://a.example/markets/kxfed');
    expect(of('venue_a', 'KXMLBWINS-ATH-26-80', 'kxmlbwins-ath')).toBe(
      'https://a.example/markets/kxmlbwins-ath',
    );
    expect(of('venue_a', 'KXPRES-28-R')).toBe('https://a.example/markets/kxpres');
    expect(of('venue_a', '-28')).toBeNull();
  });

  it('is null at venue C, which has no site', () => {
    expect(of('venue_c', '1')).toBeNull();
  });
});
