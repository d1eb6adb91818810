import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foremark-config-'));
  file = join(folder, 'foremark.json');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (settings: unknown, environment: Record<string, string> = {}) => {
  writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
  return loadConfig(file, environment);
};
const refusal = (settings: unknown, environment: Record<string, string> = {}): string => {
  try {
    load(settings, environment);
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'invalid_configuration' });
    return (thrown as Error).message;
  }
  throw new Error('it was accepted');
};

describe('settings', () => {
  it('have a default each, which a file and then a variable overrides', () => {
    expect(load({}).serve).toMatchObject({ host: '127.0.0.1', port: 8787 });
    const settings = { serve: { port: 1000 }, venues: { venue_a: { label: 'A' } } };
    const { serve, venues, store } = load(settings, {
      FOREMARK_SERVE__PORT: '2000',
      FOREMARK_STORE: '/data/store.db',
      FOREMARK_VENUES__VENUE_A__ENABLED: 'false',
      FOREMARK_VENUES__VENUE_A__SERIES: '["KXFED"]',
      HOME: '/nowhere',
    });
    expect([serve.port, store, venues.venue_a]).toMatchObject([
      2000,
      '/data/store.db',
      { label: 'A', enabled: false, series: ['KXFED'] },
    ]);
  });

  it('take an empty variable for none', () => {
    expect(load({ store: 'a.db' }, { FOREMARK_STORE: '' }).store).toBe('a.db');
  });

  it('that do not exist are named with their file', () => {
    expect(
      refusal({ stor: 'x', serve: { prt: 1, hst: 2 } })
        .split('\n')
        .sort(),
    ).toEqual([
      `${file}: serve.hst: there is no such setting`,
      `${file}: serve.prt: there is no such setting`,
      `${file}: stor: there is no such setting`,
    ]);
  });

  it('that do not exist are named with their variable', () => {
    expect(refusal({}, { FOREMARK_STOR: 'x' })).toBe('FOREMARK_STOR: stor: there is no such setting');
    expect(refusal({}, { FOREMARK_VENUES__VENUE_Z__LABEL: 'x' })).toBe(
      'FOREMARK_VENUES__VENUE_Z__LABEL: venues.venue_z: there is no such setting',
    );
  });

  it.each([
    ['FOREMARK_SERVE__PORT', '99999', 'serve.port'],
    ['FOREMARK_SERVE', '8080', 'serve'],
    ['FOREMARK_STORE__PATH', 'x', 'store'],
    ['FOREMARK_VENUES__VENUE_A__BASE_URL', 'ftp://x', 'venues.venue_a.base_url'],
    ['FOREMARK_VENUES__VENUE_A__SERIES', '[1]', 'venues.venue_a.series.0'],
  ])('a bad variable %s=%s is named with its setting', (name, value, setting) => {
    expect(refusal({}, { [name]: value }).startsWith(`${name}: ${setting}: `)).toBe(true);
  });

  it('a variable that looks like a list and is none is named', () => {
    expect(refusal({}, { FOREMARK_VENUES__VENUE_A__SERIES: '[KXFED]' })).toMatch(
      /^FOREMARK_VENUES__VENUE_A__SERIES: /,
    );
  });

  it.each(['', '{', '[]', 'null', '"x"'])('a file that holds %j is named', (text) => {
    expect(refusal(text)).toContain(file);
  });

  it('a named file that is not there is named', () => {
    expect(() => loadConfig(join(folder, 'other.json'), {})).toThrow('other.json');
  });
});
