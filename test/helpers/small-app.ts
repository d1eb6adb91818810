import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportRoutes } from '../../src/routes/routes.ts';
import { createApp } from '../../src/serve/serve.ts';
import type { AppOptions } from '../../src/serve/serving.ts';
import { exportStream } from '../../src/serve/threads/export-stream.ts';
import type { ObjectReader } from '../../src/store/archive/archive.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW, openSmallStore, SITES, type SmallStore } from './small-store.ts';

/** A value read from JSON. */
export type Row = Record<string, unknown>;

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; empty when there is none. */
  body: Row;
}

/** The product's own application over a small store, with a clock that can be set. */
export interface SmallApp {
  small: SmallStore;
  app: ReturnType<typeof createApp>;
  clock: { now: number };
  /** Faults reported to the operator. */
  reported: unknown[];
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Answer>;
  /** The body of a public route's 200. */
  anyone(path: string): Promise<Row>;
  /** The body of an authenticated route's 200, by default with Acme's key. */
  member(path: string, key?: string): Promise<Row>;
  close(): void;
}

/** Opens the application at {@link NOW}. */
export function openSmallApp(
  small = openSmallStore(),
  archive?: ObjectReader,
  more: Partial<
    Pick<
      AppOptions,
      | 'label'
      | 'searches'
      | 'startExport'
      | 'exportLimitMs'
      | 'usage'
      | 'addressBudget'
      | 'keyBudget'
      | 'isDraining'
    >
  > = {},
): SmallApp {
  const clock = { now: NOW };
  const reported: unknown[] = [];
  const app = createApp({
    store: small.store,
    ...(archive ? { archive } : {}),
    now: () => clock.now,
    sites: SITES,
    label: '',
    report: (thrown) => reported.push(thrown),
    startExport: exportHere(small.store),
    ...more,
  });
  const get: SmallApp['get'] = async (path, headers = {}, method = 'GET') => {
    const response = await app.request(path, { method, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : {} };
  };
  const ok = async (path: string, headers: Record<string, string>) => {
    const { status, body } = await get(path, headers);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    small,
    app,
    clock,
    reported,
    get,
    anyone: (path) => ok(`/api/v1/public${path}`, {}),
    member: (path, key = small.keys.acme) => ok(`/api/v1${path}`, bearer(key)),
    close: () => small.close(),
  };
}

/** Makes exports without a thread, which would take longer to start than a small export takes. */
function exportHere(store: Store): NonNullable<AppOptions['startExport']> {
  return ({ path, ext, ...asked }, end) => {
    const route = exportRoutes.find((each) => each.path === path);
    if (!route) throw new Error(`no export ${path}`);
    // So small that an export stays under way until it is read.
    const out = new PassThrough({ highWaterMark: 1 });
    store
      .snapshot((reader) => pipeline(exportStream(route, route.rows({ ...asked, reader }), ext), out))
      .catch((thrown) => out.destroy(thrown));
    return out.once('close', end);
  };
}

/** The header that presents a key. */
export function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

/** The rows under a key of a body, `data` unless said otherwise. */
export function rows(body: Row, key = 'data'): Row[] {
  const list = body[key];
  if (!Array.isArray(list)) throw new Error(`no list ${key} in ${JSON.stringify(body).slice(0, 200)}`);
  return list as Row[];
}

/** The row with a value in a field. */
export function rowWith(list: Row[], field: string, value: unknown): Row {
  const row = list.find((each) => each[field] === value);
  if (!row) throw new Error(`no row has ${field} ${String(value)}`);
  return row;
}
