import { describe, expect, it } from 'vitest';
import { routes } from '../../src/routes/routes.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp } from '../helpers/small-app.ts';
import { IDS } from '../helpers/small-store.ts';

/**
 * The differences between the tiers of a path: all that the specification names, and no other. Fields are
 * paths into the answer, [] for each row.
 */
interface Differences {
  /** Parameters that only keys have. */
  parameters?: readonly string[];
  /** Fields that only keys see. */
  fields?: readonly string[];
  /** Fields that are null for keys where they are left out for the public. */
  nulls?: readonly string[];
  /** Values that are computed differently, and why. */
  otherwise?: string;
}

const TWINS: Record<string, Differences> = {
  '/markets': { parameters: ['scope'] },
  '/markets/{id}': {},
  '/markets/{id}/indices': {},
  '/events': { parameters: ['scope', 'created_since', 'created_until', 'start', 'end'] },
  '/indices': { fields: ['data[].visibility'], otherwise: 'quiet prices' },
  '/indices/{id}': { fields: ['visibility', 'previous_close_1d', 'previous_close_7d'] },
  '/indices/{id}/prices': {},
  '/indices/{id}/constituents': {},
  '/indices/{id}/correlation': { otherwise: 'through the current time' },
  '/indices/{id}/daily-values': {},
  '/indices/{id}/membership-events': {},
  '/announcements': { otherwise: 'public notices are 15 minutes late' },
  '/announcements/{id}': { otherwise: 'public notices are 15 minutes late' },
  '/rates': {
    parameters: ['start'],
    otherwise: 'paged always, in presentation order, inactive rates and those of the organization too',
  },
  '/rates/{id}': {
    fields: ['visibility', 'previous_close_1d', 'previous_close_7d', 'stats'],
    nulls: ['latest_price', 'spread'],
  },
  '/rates/{id}/prices': {},
  ...Object.fromEntries(
    ['markets', 'indices', 'rates'].flatMap((of) => [
      [`/${of}/{id}/news`, {}],
      [`/${of}/{id}/filings`, { otherwise: 'public: up to three, of the last 90 days' }],
    ]),
  ),
  '/filings': { otherwise: 'public: status dates of the last 90 days' },
  '/filings/{id}': {},
  '/filings/{id}/markdown': {},
};

const ONE_TIER = [
  '/markets/{id}/candles',
  '/markets/{id}/similar',
  '/markets/{id}/related',
  ...['markets', 'news', 'similar'].map((list) => `/filings/{id}/${list}`),
  '/news/{id}/filings',
  '/filings/filters',
  '/filings/events',
  '/filings/{id}/actions',
  '/usage',
];

const IDS_OF: Record<string, readonly string[]> = {
  markets: [IDS.steady, IDS.us, IDS.neverPriced, IDS.quiet],
  indices: ['SMALL', 'GAUGE.K', 'LATER'],
  rates: ['R.STEADY', 'R.MEAN', 'R.QUIET', 'R.DONE'],
  announcements: ['1'],
  filings: ['101', '102', '103'],
};

const app = ofEachTest(openSmallApp);

function fieldsOf(path: string, tier: 'public' | 'authenticated'): string[] {
  const found = routes.find((route) => route.path === path && route.tiers.includes(tier));
  return Object.keys(found?.query.shape ?? {});
}

/** The answer without some of its fields. */
function without(value: unknown, fields: readonly string[], at = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => without(each, fields, `${at}[]`));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return fields.includes(path) ? [] : [[name, without(inner, fields, path)]];
  });
  return Object.fromEntries(entries.flat());
}

function nullFields(body: Record<string, unknown>): string[] {
  return Object.keys(body).filter((name) => body[name] === null);
}

describe('the two tiers of a path', () => {
  it('[1/3] are in the table, each pair once', () => {
    const tiersOf = (path: string) =>
      routes.filter((route) => route.path === path).flatMap((route) => [...route.tiers]);
    const paths = [...new Set(routes.map((route) => route.path))];
    expect(new Set(paths.filter((path) => tiersOf(path).length === 2))).toEqual(new Set(Object.keys(TWINS)));
    expect(paths.filter((path) => tiersOf(path).length === 1)).toEqual(ONE_TIER);
  });

  it.each(Object.entries(TWINS))(
    '[1/3][5/4] %s takes the same parameters but those of the table',
    (path, differs) => {
      const { parameters = [] } = differs;
      const known = new Set(fieldsOf(path, 'public'));
      const more = fieldsOf(path, 'authenticated').filter((name) => !known.has(name));
      expect(more.sort()).toEqual([...parameters].sort());
    },
  );

  it.each(Object.entries(TWINS).filter(([, { otherwise }]) => otherwise === undefined))(
    '[1/3][2.4/3][2.4/4][2.5/3][2.5/4] %s answers the same but for the fields of the table',
    async (path, { fields = [], nulls = [] }) => {
      const resource = path.split('/')[1] ?? '';
      for (const id of path.includes('{id}') ? (IDS_OF[resource] ?? []) : ['']) {
        const url = path.replace('{id}', encodeURIComponent(id));
        const { filingsOnly, other } = app.small.keys;
        const key = resource === 'filings' ? filingsOnly : other;
        const [open, own] = [await app.anyone(url), await app.member(url, key)];
        const leftOut = nullFields(own);
        expect(nulls, url).toEqual(
          expect.arrayContaining(leftOut.filter((name) => !nullFields(open).includes(name))),
        );
        for (const name of nulls) if (own[name] === null) expect(open, url).not.toHaveProperty(name);
        const hidden = [...fields, ...nulls.filter((name) => own[name] === null)];
        expect(without(own, hidden), url).toEqual(open);
      }
    },
  );

  it('[2.4/4] no public answer has a field that is for keys', async () => {
    for (const [path, { fields = [] }] of Object.entries(TWINS)) {
      const resource = path.split('/')[1] ?? '';
      for (const id of path.includes('{id}') ? (IDS_OF[resource] ?? []) : ['']) {
        const { text } = await app.get(`/api/v1/public${path.replace('{id}', encodeURIComponent(id))}`);
        for (const field of fields) expect(text, path).not.toContain(`"${field.split('.').at(-1)}"`);
      }
    }
  });
});

describe('a credential on a public path', () => {
  it('[5/1] changes nothing', async () => {
    for (const path of ['/indices', '/indices/SECRET', '/rates', '/markets?search=steady']) {
      const plain = await app.get(`/api/v1/public${path}`, { 'X-Request-Id': 'same-for-all' });
      for (const key of [app.small.keys.acme, 'nonsense']) {
        const own = await app.get(`/api/v1/public${path}`, {
          ...bearer(key),
          'X-Request-Id': 'same-for-all',
        });
        expect([own.status, own.text]).toEqual([plain.status, plain.text]);
      }
    }
  });
});
