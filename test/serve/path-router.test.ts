import { RegExpRouter } from 'hono/router/reg-exp-router';
import { expect, it } from 'vitest';
import { PathRouter } from '../../src/serve/path-router.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { openSmallApp } from '../helpers/small-app.ts';
import { openSmallStore } from '../helpers/small-store.ts';
import { memorySink } from '../publish/memory-sink.ts';

const small = ofEachTest(openSmallStore);

it('a fixed path takes precedence over a variable one; nothing may follow either', () => {
  const router = new PathRouter<string>();
  for (const path of ['/filings/:id', '/filings/filters', '/filings/:id/news', '/files/*'])
    router.add('ALL', path, path);
  const found = (path: string) => router.match('GET', path)[0].map(([handler]) => handler);
  expect(found('/filings/filters')).toEqual(['/filings/filters']);
  expect(found('/filings/filter')).toEqual(['/filings/:id']);
  expect(found('/filings/filters2')).toEqual(['/filings/:id']);
  expect(found('/filings/filters/news')).toEqual(['/filings/:id/news']);
  expect(found('/files/of/any/depth')).toEqual(['/files/*']);
  for (const path of [
    '/',
    '',
    '/filings',
    '/filings/',
    '/filings/filters/',
    '/filings/1/2',
    '/filings/1/news/',
  ])
    expect([path, found(path)]).toEqual([path, []]);
});

it('the application looks its paths up by name and by one expression, never in a tree', () => {
  const { app } = openSmallApp(small, memorySink());
  expect(app.router).toBeInstanceOf(PathRouter);
  const expression = new RegExpRouter<string>();
  const varying = app.routes.map(({ path }) => path).filter((path) => /[*:]/.test(path));
  for (const path of varying) expression.add('ALL', path, path);
  expect(varying.length).toBeGreaterThan(20);
  expect(() => expression.match('GET', '/')).not.toThrow();
});
