import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogId, FAMILIES, parseCatalogId, platformOf } from '../../src/model/platform.ts';

describe('market ids', () => {
  it('[1/1] name the venue, and for venue B US the family', () => {
    expect(catalogId('venue_a', 'KXFED-26DEC')).toBe('venue_a:KXFED-26DEC');
    expect(catalogId('venue_b_us', 'nba-dal-phx')).toBe('venue_b:us:nba-dal-phx');
    expect(catalogId('venue_b_global', '0xab')).toBe('venue_b:0xab');
    expect(catalogId('venue_c', '#10')).toBe('venue_c:#10');
    expect(FAMILIES.map(platformOf)).toEqual(['venue_a', 'venue_b', 'venue_b', 'venue_c']);
  });

  it('are parsed back as they were made', () => {
    const nativeId = fc.string({ minLength: 1 }).filter((each) => !each.startsWith('us:'));
    fc.assert(
      fc.property(fc.constantFrom(...FAMILIES), nativeId, (family, native_id) => {
        expect(parseCatalogId(catalogId(family, native_id))).toEqual({ family, native_id });
      }),
    );
  });

  it.each(['', 'venue_d:x', 'KXFED', 'venue_a', 'venue_a:', ' venue_a:x'])('"%s" names no venue', (id) =>
    expect(parseCatalogId(id)).toBeUndefined(),
  );
});
