import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { adoptFolder } from '../../../src/commands/adoption/adopt.ts';
import type { IndexDefinition } from '../../../src/model/definitions/index-definition.ts';
import { DAY_MS, HOUR_MS } from '../../../src/model/time.ts';
import { indexHead } from '../../../src/routes/indices/index-body.ts';
import { publicIndexTickers, publicRateTickers, visibleIndices } from '../../../src/routes/visibility.ts';
import { openStore } from '../../../src/store/store.ts';
import { basket, index, rate } from '../../helpers/hand-definitions.ts';
import { quietContext } from '../../helpers/quiet-context.ts';
import { openStoreFile } from '../../helpers/store-file.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const NOW = Date.parse('2026-10-20T12:00:00Z');
const DESK = { visibility: 'organization', organization: 'desk' };

const base_at = '2026-10-01T00:00:00Z';
const market = { market_id: 'venue_a:A' };
/** A public basket of a rate, and a public composite of a basket. */
const made = basket('BASKET', [], { base_at, constituents: [market, { rate: 'R' }] });
const composite = index('COMPOSITE', 'composite', {
  base_at,
  weighting: { categories: { a: 1 } },
  constituents: [
    { index: 'PART', category: 'a' },
    { index: 'REST', category: 'a' },
  ],
});
const part = basket('PART', ['A'], { base_at });
const rest = basket('REST', ['A'], { base_at });
const itsRate = (more: object = {}) => rate('R', ['A'], { start_at: base_at, ...more });
const open = ['BASKET', 'COMPOSITE', 'PART', 'REST', 'R'];

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  expect(adopt(NOW, [made, composite, part, rest], [itsRate()])).toEqual({ problems: [], open });
});

/** Adopts only these definitions. @returns the problems, and what is public then */
function adopt(now: number, indices: readonly object[], rates: readonly object[]) {
  for (const [kind, definitions] of Object.entries({ indices, rates })) {
    rmSync(join(folder, kind), { recursive: true, force: true });
    mkdirSync(join(folder, kind));
    for (const [i, each] of definitions.entries())
      writeFileSync(join(folder, kind, `${i}.json`), JSON.stringify(each));
  }
  const store = openStoreFile(join(folder, 'foremark.db'));
  try {
    const problems = adoptFolder(store, quietContext({ definitions: folder }, now));
    return {
      problems: problems.map(
        ({ file, path, message }) => `${file.slice(folder.length + 1)} ${path} ${message}`,
      ),
      open: store.read((reader) => [...publicIndexTickers(reader), ...publicRateTickers(reader)]),
    };
  } finally {
    store.close();
  }
}

const HELD = [
  'indices/2.json visibility PART must stay for all who may read the index COMPOSITE while that is made of it',
  'rates/0.json visibility R must stay for all who may read the index BASKET while that is made of it',
];
const closed = (indices: object[]) => [[...indices, { ...part, ...DESK }, rest], [itsRate(DESK)]] as const;

test('[5/2] an input removed from an index can be made private only once the removal takes effect', () => {
  const fewer = closed([
    { ...made, constituents: [market] },
    { ...composite, constituents: [{ index: 'REST', category: 'a' }] },
  ]);
  expect(adopt(NOW + HOUR_MS, ...fewer)).toEqual({ problems: HELD, open });
  expect(adopt(NOW + DAY_MS, ...fewer)).toEqual({ problems: HELD, open });
  const counts = NOW + DAY_MS + HOUR_MS;
  expect(adopt(counts, ...fewer)).toEqual({ problems: [], open: ['BASKET', 'COMPOSITE', 'REST'] });
});

test('[5/2] while an index still uses an earlier definition, all its inputs stay open to its readers', () => {
  const { problems, open: stays } = adopt(NOW + 2 * DAY_MS, ...closed([{ ...made, name: 7 }, composite]));
  expect(problems).toEqual([
    expect.stringContaining('indices/0.json name'),
    'indices/1.json constituents.0.index COMPOSITE names the index PART, which only desk may read',
    ...HELD,
  ]);
  expect(stays.sort()).toEqual([...open].sort());
});

test('[5/2] an index is made private together with its inputs, or withdrawn when they are', () => {
  const together = closed([
    { ...made, ...DESK },
    { ...composite, ...DESK },
  ]);
  expect(adopt(NOW + HOUR_MS, ...together)).toEqual({ problems: [], open: ['REST'] });
  expect(adopt(NOW + 2 * HOUR_MS, [made, composite, part, rest], [itsRate()]).open).toEqual(open);
  const withdrawn = closed([]);
  expect(adopt(NOW + 3 * HOUR_MS, ...withdrawn)).toEqual({ problems: [], open: ['REST'] });
});

test('[5/2] an index that once held something private is not made public: its history would reveal it', () => {
  const own = [
    { ...made, ...DESK },
    { ...part, ...DESK },
  ];
  expect(adopt(NOW + HOUR_MS, own, [itsRate(DESK)])).toEqual({ problems: [], open: [] });
  const told =
    'indices/0.json visibility BASKET must stay as it is: its history tells of R, which only desk may read';
  const opened = [{ ...made, constituents: [market] }, part];
  expect(adopt(NOW + 2 * HOUR_MS, opened, [itsRate(DESK)])).toEqual({ problems: [told], open: ['PART'] });
  expect(adopt(NOW + 9 * DAY_MS, opened, [])).toEqual({ problems: [told], open: ['PART'] });
  const all = adopt(NOW + 9 * DAY_MS, opened, [itsRate()]);
  expect(all).toEqual({ problems: [], open: ['BASKET', 'PART', 'R'] });
});

test('[2.4/9] an index says who may read it now, even while another change of it waits to take effect', () => {
  const shown = () => {
    const store = openStore(join(folder, 'foremark.db'), { readonly: true });
    const asker = { tier: 'authenticated', organization: 'desk', now: NOW + HOUR_MS } as const;
    try {
      return store.read((reader) => indexHead(found(visibleIndices(reader, asker)), { reader, ...asker }));
    } finally {
      store.close();
    }
  };
  const found = (indices: ReturnType<typeof visibleIndices>) =>
    indices.find((each) => each.definition.ticker === 'PART')?.definition as IndexDefinition;
  const other = { ...part, constituents: [{ market_id: 'venue_a:B' }] };
  expect(adopt(NOW + HOUR_MS, [{ ...other, ...DESK }, rest], []).problems).toEqual([]);
  expect(shown().visibility).toBe('organization');
});
