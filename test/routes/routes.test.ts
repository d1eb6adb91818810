import { expect, it } from 'vitest';
import { routes } from '../../src/routes/routes.ts';

it('[4.5/1][4.5/2][4.5/3][4.5/4][4.5/6][4.5/7][4.3/2][4.3/3][4.3/4][4.3/5][4.4/3][4.1/4][4.1/5][4.1/8] every route that this version has is in the list, on its tiers', () => {
  const paths = (tier: 'public' | 'authenticated') =>
    routes.filter((route) => route.tiers.includes(tier)).map((route) => route.path);
  const common = [
    '/indices',
    '/indices/{id}',
    '/indices/{id}/prices',
    '/indices/{id}/constituents',
    '/indices/{id}/correlation',
    '/indices/{id}/daily-values',
    '/indices/{id}/membership-events',
    '/announcements',
    '/announcements/{id}',
    '/rates',
    '/rates/{id}',
    '/rates/{id}/prices',
    '/events',
    '/markets',
    '/markets/{id}',
    '/markets/{id}/indices',
    '/filings',
    '/filings/{id}',
    '/filings/{id}/markdown',
  ];
  const own = ['/markets/{id}/candles', '/filings/events', '/filings/{id}/actions', '/usage'];
  expect(paths('public').sort()).toEqual([...common, '/filings/filters'].sort());
  expect(paths('authenticated').sort()).toEqual([...common, ...own].sort());
});
