import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { spoilPage } from './page-spoilers.ts';
import type { Ask, Reply } from './route.ts';
import {
  dropFirstRow,
  emptyAsks,
  emptyCandles,
  oddPrices,
  postdate,
  renamePrices,
  renameTitles,
  repeatEachRow,
  reverseOutcomes,
  revisePrices,
  shuffleRows,
  zeroPrices,
} from './row-spoilers.ts';
import { send, writeBody } from './send.ts';
import { dropIds, emptyRows, type Json, repeatCursor, repeatRows, spoilPrice } from './spoilers.ts';

/** The ways an answer can fail. */
export const FAULT_KINDS = [
  'truncate',
  'cut',
  'html',
  'status',
  'hang',
  'reset',
  'repeat_cursor',
  'repeat_page',
  'bad_price',
  'missing_id',
  'empty',
  'bomb',
  'slow',
  'zero_prices',
  'empty_candles',
  'rename_prices',
  'odd_prices',
  'empty_asks',
  'rename_titles',
  'reverse_outcomes',
  'revise_prices',
  'postdate',
  'shuffle_rows',
  'repeat_each_row',
  'drop_first_row',
] as const;

type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault for requests whose path begins with a prefix. */
export interface Fault {
  path_prefix: string;
  kind: FaultKind;
  /** How many requests it affects. */
  times: number;
  /** How many matching requests succeed first. */
  after?: number;
  /** Status of kind `status`. */
  code?: number;
  /** Seconds of Retry-After of kind `status`. */
  retry_after?: number;
  /** Unpacked size of kind `bomb`. */
  megabytes?: number;
  /** Delay of kind `slow`. */
  seconds?: number;
}

/** The active faults, which every answer passes through. */
export interface Faults {
  add(faults: Fault[]): void;
  clear(): void;
  list(): Fault[];
  respond(ask: Ask, response: ServerResponse, answer: () => Reply): Promise<void>;
}

/**
 * Starts without faults. A request meets the first matching fault that is not used up.
 *
 * @param onHang is told the path of each request that is left without an answer
 */
export function createFaults(onHang: (path: string) => void = () => {}): Faults {
  const faults: Fault[] = [];
  const before = new Map<string, Json>();
  const pages = new Map<string, string>();

  function take(path: string): Fault | undefined {
    for (const fault of faults) {
      if (fault.times <= 0 || !path.startsWith(fault.path_prefix)) continue;
      if ((fault.after ?? 0) > 0) {
        fault.after = (fault.after ?? 0) - 1;
        continue;
      }
      fault.times--;
      return fault;
    }
    return undefined;
  }

  // Some faults repeat parts of the answer before at the same path.
  function spoilReply(kind: FaultKind | undefined, path: string, reply: Reply): Reply {
    const whole = String(writeBody(reply.body));
    if (isPage(reply)) {
      const page = spoilPage(kind ?? '', whole, pages.get(path));
      pages.set(path, whole);
      return { ...reply, body: { raw: page } };
    }
    if (isFile(reply)) return spoilFile(kind, reply, whole);
    if (!isJson(reply)) return reply;
    const body = JSON.parse(whole) as Json;
    const spoil = kind && SPOILERS[kind];
    const spoilt = spoil ? spoil(body, before.get(path)) : body;
    before.set(path, body);
    return { ...reply, body: spoilt };
  }

  return {
    add: (more) => void faults.push(...more.map((fault) => ({ ...fault }))),
    clear() {
      faults.length = 0;
      before.clear();
      pages.clear();
    },
    list: () => faults.map((fault) => ({ ...fault })),
    async respond(ask, response, answer) {
      const fault = take(ask.path);
      if (fault === undefined && faults.length === 0) {
        send(response, answer());
        return;
      }
      if (fault?.kind === 'hang') return onHang(ask.path);
      if (fault !== undefined && strikeLine(fault, response)) return;
      if (fault?.kind === 'slow') await setTimeout(1000 * (fault.seconds ?? 1));
      sendBytes(fault?.kind, response, spoilReply(fault?.kind, ask.path, answer()));
    },
  };
}

function isPage({ headers }: Reply): boolean {
  return /\b(html|rss|atom)\b/.test(headers?.['content-type'] ?? '');
}

// Sends an answer whole, without its end, or cut off: announced whole, half of it sent, and the connection dropped.
function sendBytes(kind: FaultKind | undefined, response: ServerResponse, reply: Reply): void {
  const bytes = Buffer.from(writeBody(reply.body));
  const half = bytes.subarray(0, bytes.length / 2);
  if (kind === 'truncate') send(response, { ...reply, body: { raw: half } });
  else if (kind === 'cut') {
    response.writeHead(200, {
      'content-type': 'application/json',
      ...reply.headers,
      'content-length': bytes.length,
    });
    response.write(half, () => response.destroy());
  } else send(response, reply);
}

function isFile({ headers }: Reply): boolean {
  return /^(text|application\/xml)/.test(headers?.['content-type'] ?? '');
}

// Sent as JSON since it has no other type.
function isJson({ headers }: Reply): boolean {
  return headers?.['content-type'] === undefined;
}

// A file is corrupted as text: all rows but the header are missing, or the first row is wrong.
function spoilFile(kind: FaultKind | undefined, reply: Reply, text: string): Reply {
  const [header = '', first = '', ...rest] = text.split('\n');
  const withFirst = (row: string) => ({ ...reply, body: { raw: [header, row, ...rest].join('\n') } });
  if (kind === 'empty') return { ...reply, body: { raw: header } };
  if (kind === 'bad_price') return withFirst(first.replace(/,0\.\d+/, ',1.70'));
  return kind === 'missing_id' ? withFirst(first.replace(/^[^,]*/, '')) : reply;
}

// Faults of the connection, the status or the content type, which need no answer. True when it was sent.
function strikeLine(fault: Fault, response: ServerResponse): boolean {
  switch (fault.kind) {
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>');
      return true;
    case 'status':
      sendStatus(fault, response);
      return true;
    case 'reset':
      response.destroy();
      return true;
    case 'bomb':
      sendBomb(fault.megabytes ?? 512, response);
      return true;
    default:
      return false;
  }
}

function sendStatus(fault: Fault, response: ServerResponse): void {
  const code = fault.code ?? 500;
  if (fault.path_prefix.startsWith('/us') && code === 429) {
    // The proxy before the venue refuses with an HTML page, and Retry-After 0 by default.
    response.writeHead(429, { 'content-type': 'text/html', 'retry-after': String(fault.retry_after ?? 0) });
    response.end('<!DOCTYPE html><html><head><title>Rate limited</title></head><body></body></html>');
    return;
  }
  const after = fault.retry_after === undefined ? {} : { 'retry-after': String(fault.retry_after) };
  send(response, { status: code, body: statusBody(fault.path_prefix, code), headers: after });
}

function statusBody(path: string, code: number): unknown {
  if (path.startsWith('/kalshi')) {
    return code === 429
      ? { error: 'too many requests' }
      : { error: { code: 'internal_error', message: 'fault' } };
  }
  if (path.startsWith('/data')) {
    const name = { 429: 'rate_limited', 503: 'dependency_unavailable' }[code] ?? 'internal';
    return { error: 'fault', code: name, retryable: code === 429 || code === 503, trace_id: 'fault' };
  }
  if (path.startsWith('/us')) return { code: 13, message: 'fault', details: [] };
  return path.startsWith('/gamma') ? { type: 'internal error', error: 'fault' } : { error: 'fault' };
}

// Gzip members may be concatenated, so a huge body is one small member repeated.
function sendBomb(megabytes: number, response: ServerResponse): void {
  const member = gzipSync(Buffer.alloc(2 ** 20, ' '));
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  for (let i = 0; i < megabytes; i++) response.write(member);
  response.end();
}

/** The faults that change an answer; `previous` is the answer before at the same path. */
const SPOILERS: { [Kind in FaultKind]?: (body: Json, previous: Json | undefined) => Json } = {
  repeat_cursor: repeatCursor,
  repeat_page: repeatRows,
  bad_price: spoilPrice,
  missing_id: dropIds,
  empty: emptyRows,
  zero_prices: zeroPrices,
  empty_candles: emptyCandles,
  rename_prices: renamePrices,
  odd_prices: oddPrices,
  empty_asks: emptyAsks,
  rename_titles: renameTitles,
  reverse_outcomes: reverseOutcomes,
  revise_prices: revisePrices,
  postdate,
  shuffle_rows: shuffleRows,
  repeat_each_row: repeatEachRow,
  drop_first_row: dropFirstRow,
};
