import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEffects } from '../../src/effects.ts';
import type { Meter, VenueRequest } from '../../src/ingest/wire/request.ts';
import { createRequester } from '../../src/ingest/wire/requester.ts';
import { type FixtureVenue, Raw, raw, startFixtureVenue } from './fixture-venue.ts';
import { testEffects } from './run-ingest.ts';

const { BROTLI_PARAM_QUALITY } = constants;

describe('a request to a venue', () => {
  let venue: FixtureVenue;
  beforeAll(async () => {
    venue = await startFixtureVenue();
  });
  afterAll(() => venue.close());

  const LIMITS = {
    attempts: 3,
    request_timeout_seconds: 60,
    max_body_bytes: 1_000_000,
    requests_per_second: 100_000,
  };

  const requester = (limits: object = {}, effects = testEffects()) =>
    createRequester(effects, { ...LIMITS, ...limits }, new AbortController().signal);
  const newMeter = (): Meter => ({ requests: 0, bytes: 0 });
  const ask = async (
    answers: unknown[],
    changes: Partial<typeof LIMITS> & Pick<VenueRequest, 'format'> = {},
  ) => {
    let i = 0;
    venue.on('/page', () => answers[Math.min(i++, answers.length - 1)]);
    const effects = testEffects();
    const meter = newMeter();
    const { format, ...limits } = changes;
    const result: { json?: unknown; body?: Buffer; error?: string } = await requester(limits, effects)(
      { url: `${venue.origin}/page`, ...(format && { format }) },
      meter,
    ).then(
      ({ json, body }) => ({ json, body }),
      (thrown: Error) => ({ error: thrown.message.replace(/^GET \S+ /, '') }),
    );
    return { ...result, meter, slept: effects.slept };
  };

  it('keeps the exact bytes and the JSON they hold', async () => {
    expect(await ask([{ events: [] }])).toMatchObject({
      json: { events: [] },
      meter: { requests: 1, bytes: 13 },
    });
  });

  it('may use any share of a second', async () => {
    expect((await ask([{ ok: 1 }], { request_timeout_seconds: 5.0005 })).json).toEqual({ ok: 1 });
  });

  it.each([408, 425, 429, 500, 502, 503, 504])(
    'retries after %d, at least a second later',
    async (status) => {
      const { json, slept } = await ask([raw('{"error":"too many requests"}', status), { ok: 1 }]);
      expect(json).toEqual({ ok: 1 });
      expect(slept).toEqual([1000]);
    },
  );

  it('doubles the pause and gives up after the last try, in the words of the venue', async () => {
    const { error, meter, slept } = await ask([raw('{"error":"too many requests"}', 429)], { attempts: 4 });
    expect(error).toBe('answered 429 "too many requests" (4 tries)');
    expect(meter.requests).toBe(4);
    expect(slept).toEqual([1000, 2000, 4000]);
    const patient = await ask([raw('', 429)], { attempts: 7 });
    expect(patient.slept.slice(3)).toEqual([8000, 15_000, 15_000]);
  });

  it('waits as long as Retry-After asks, and a second when it is absent', async () => {
    const limited = (after: string) =>
      raw('slow down', 429, { 'retry-after': after, 'content-type': 'text/html' });
    expect((await ask([limited('10'), { ok: 1 }])).slept).toEqual([10_000]);
    expect((await ask([limited('0'), { ok: 1 }])).slept).toEqual([1000]);
    expect((await ask([limited('2.5'), { ok: 1 }])).slept).toEqual([2500]);
    expect((await ask([limited('soon'), { ok: 1 }])).slept).toEqual([1000]);
    expect((await ask([limited('120'), { ok: 1 }])).slept).toEqual([120_000]);
  });

  it.each([
    ['ours', 'Tue, 10 Nov 2026 12:00:00 GMT', 'Tue, 10 Nov 2026 12:00:07 GMT', 7000],
    ['an hour ahead', 'Tue, 10 Nov 2026 13:00:00 GMT', 'Tue, 10 Nov 2026 13:00:07 GMT', 7000],
    ['an hour behind', 'Tue, 10 Nov 2026 11:00:00 GMT', 'Tue, 10 Nov 2026 11:00:07 GMT', 7000],
    ['past the date', 'Tue, 10 Nov 2026 12:00:00 GMT', 'Tue, 10 Nov 2026 11:00:00 GMT', 1000],
    ['not stated, so taken to be ours', '-', 'Tue, 10 Nov 2026 12:00:07 GMT', 7000],
  ])(
    'waits until the date of Retry-After by the clock of the venue, which is %s',
    async (_of, date, until, ms) => {
      const limited = raw('slow down', 429, { date, 'retry-after': until });
      expect(await ask([limited, { ok: 1 }])).toMatchObject({ json: { ok: 1 }, slept: [ms] });
    },
  );

  it('gives up on a venue that asks to wait longer than two minutes', async () => {
    const { error, meter } = await ask([raw('{}', 503, { 'retry-after': '3600' })]);
    expect([error, meter.requests]).toEqual(['answered 503', 1]);
  });

  it.each([
    ['{"error":{"code":"bad_request","message":"bad cursor"}}', 'answered 400 "bad cursor"'],
    ['{"code":"bad_request","message":"flat"}', 'answered 400 "flat"'],
    ['{"type":"validation error","error":"id is invalid"}', 'answered 400 "id is invalid"'],
    ['<html>no JSON</html>', 'answered 400'],
    ['null', 'answered 400'],
    ['{"error":null,"message":"no market"}', 'answered 400 "no market"'],
    [JSON.stringify({ error: 'x'.repeat(300) }), `answered 400 "${'x'.repeat(200)}"`],
  ])('does not repeat a refusal: %s', async (body, message) => {
    const { error, meter } = await ask([raw(body, 400)]);
    expect([error, meter.requests]).toEqual([message, 1]);
  });

  it('does not repeat a 503 that says it is final', async () => {
    const body = '{"error":"unavailable","code":"dependency_unavailable","retryable":false}';
    expect((await ask([raw(body, 503)])).meter.requests).toBe(1);
    expect((await ask([raw(body.replace('false', 'true'), 503)])).meter.requests).toBe(3);
  });

  it('reads JSON that begins with a byte order mark', async () => {
    expect((await ask([raw('\ufeff{"ok":1}')])).json).toEqual({ ok: 1 });
  });

  it('does not accept a page of HTML with status 200', async () => {
    const html = raw('<html>maintenance</html>', 200, { 'content-type': 'text/html; charset=utf-8' });
    expect((await ask([html, { ok: 1 }])).json).toEqual({ ok: 1 });
    expect((await ask([html])).error).toBe('answered HTML instead of JSON (3 tries)');
  });

  it('does not accept a page that is cut anywhere, and accepts the complete one that follows', async () => {
    const whole = JSON.stringify({ events: [{ event_ticker: 'KX-1', title: 'ä' }], cursor: 'abc' });
    const bytes = Buffer.from(whole);
    for (let cut = 0; cut < bytes.length; cut++) {
      const { json, meter } = await ask([raw(bytes.subarray(0, cut)), raw(bytes)]);
      expect([cut, json, meter.requests]).toEqual([cut, JSON.parse(whole), 2]);
    }
    expect((await ask([raw('')])).error).toBe('answer is empty (3 tries)');
    expect((await ask([raw('{"a"')])).error).toBe('answer of 4 bytes is cut off or not JSON (3 tries)');
  });

  it('does not accept a body shorter than announced, or a reset connection', async () => {
    const short = new Raw((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"a":1}');
      setTimeout(() => response.destroy(), 20);
    });
    const reset = new Raw((response) => response.socket?.resetAndDestroy());
    expect((await ask([short, reset, { ok: 1 }])).json).toEqual({ ok: 1 });
    expect((await ask([reset])).error).toMatch(/^connection failed: (?!fetch failed).+ \(3 tries\)$/);
  });

  describe('that is compressed and was cut off before it was sent', () => {
    // As a proxy may store it: the connection ends as it should, and fetch decompresses what is there.
    const item = (i: number) => `<item><title>T${i}</title><link>https://a.example/${i}</link></item>`;
    const rss = `<rss><channel>${Array.from({ length: 60 }, (_, i) => item(i)).join('')}</channel></rss>`;
    const TEXTS = {
      json: JSON.stringify(Array.from({ length: 300 }, (_, i) => ({ ticker: `KX-${i * 7919}` }))),
      csv: Array.from({ length: 300 }, (_, i) => `${i},${i * 7919}\n`).join(''),
      html: `<html>${Array.from({ length: 300 }, (_, i) => `<p>${i * 7919}</p>`).join('')}</html>`,
      feed: rss,
      file: Array.from({ length: 300 }, (_, i) => `line ${i * 7919}\n`).join(''),
    };
    const COMPRESSED = {
      gzip: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
      zstd: zstdCompressSync,
    };

    it.each(Object.keys(TEXTS) as (keyof typeof TEXTS)[])(
      'is never taken for whole, or not asked for, as %s',
      async (format) => {
        const text = TEXTS[format];
        const asked = format === 'json' ? {} : { format };
        const isEndless = format === 'csv' || format === 'file';
        for (const [encoding, compress] of isEndless ? [] : Object.entries(COMPRESSED)) {
          const bytes = compress(Buffer.from(text));
          const cut = (at: number) => raw(bytes.subarray(0, at), 200, { 'content-encoding': encoding });
          for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
            const { body, error } = await ask([cut(at)], { ...asked, attempts: 1 });
            if (body) expect(body.toString(), `${encoding} ${at}`).toBe(text);
            else expect(error).toMatch(/^(answer |connection failed)/);
          }
        }
        // The whole one is read: compressed where the text shows its end, uncompressed where it does not.
        const whole = new Raw((response, { headers }) => {
          const isPlain = headers['accept-encoding'] === 'identity';
          expect(isPlain).toBe(isEndless);
          response.writeHead(200, isPlain ? {} : { 'content-encoding': 'gzip' });
          response.end(isPlain ? text : gzipSync(text));
        });
        expect((await ask([whole], { ...asked, attempts: 1 })).body?.toString()).toBe(text);
      },
    );

    it('is read as a file, if it is sent so unasked; an empty file is none', async () => {
      const gzip = raw(gzipSync(TEXTS.csv), 200, { 'content-encoding': 'gzip' });
      expect((await ask([gzip], { format: 'csv' })).body?.toString()).toBe(TEXTS.csv);
      expect((await ask([raw('')], { format: 'file' })).error).toBe('answer is empty (3 tries)');
    });
  });

  it.each([
    ['<rss><channel><item><link>https://a.example</link></item></channel></rss>', '\n<!-- served -->\n'],
    ['<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry></a:entry></a:feed>', ''],
    ['<rdf:RDF><item></item></rdf:RDF>', '\n'],
    ['{"items":[1,2]}', '\n'],
  ])('of a feed is not accepted if it is cut anywhere: %s', async (feed, rest) => {
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const whole = Buffer.from(feed + rest, encoding);
      expect((await ask([raw(whole)], { format: 'feed' })).body).toEqual(whole);
    }
    for (let cut = 1; cut < feed.length; cut++)
      expect((await ask([raw(feed.slice(0, cut))], { format: 'feed', attempts: 1 })).error).toBe(
        `answer of ${cut} bytes is cut off or not a feed`,
      );
  });

  it('says on one line why no encrypted connection came about', async () => {
    const url = `${venue.origin.replace('http:', 'https:')}/page`;
    const asked = requester()({ url }, newMeter());
    await expect(asked).rejects.toThrow(/^GET \S+ connection failed: .*wrong version number.* \(3 tries\)$/);
  });

  // At its best quality Brotli takes twenty times as long.
  const brotli = (body: Buffer) => brotliCompressSync(body, { params: { [BROTLI_PARAM_QUALITY]: 2 } });
  it.each<[string, (body: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotli],
    ['zstd', zstdCompressSync],
    ['gzip, gzip', (body) => gzipSync(gzipSync(body))],
    ['br, gzip, zstd', (body) => zstdCompressSync(gzipSync(brotli(body)))],
  ])(
    'stops reading a body in %s that inflates beyond the limit, and does not retry',
    async (encoding, pack) => {
      const bomb = pack(Buffer.alloc(20_000_000, 0x20));
      expect(bomb.byteLength).toBeLessThan(50_000);
      const { error, meter } = await ask([raw(bomb, 200, { 'content-encoding': encoding })]);
      expect([error, meter.requests]).toEqual(['answer is longer than 1000000 bytes', 1]);
      expect((await ask([{ ok: 1 }], { max_body_bytes: 8 })).json).toEqual({ ok: 1 });
    },
  );

  it('takes the last value of a key that occurs twice, as every common reader of JSON does', async () => {
    expect((await ask([raw('{"price":0.4,"price":0.6,"p\\u0072ice":0.5}')])).json).toEqual({ price: 0.5 });
  });

  it('follows no redirect, and says where it leads', async () => {
    const { error, meter } = await ask([raw('', 302, { location: '/elsewhere' })]);
    expect([error, meter.requests]).toEqual(['answered with a redirect to "/elsewhere"', 1]);
    expect((await ask([raw('', 301)])).error).toBe('answered with a redirect to ""');
  });

  it('takes no answer for unchanged that it has none of', async () => {
    expect((await ask([raw('', 304)])).error).toBe('answered 304');
  });

  it('gives up a try that hangs', async () => {
    const { error } = await ask([new Raw(() => {})], { request_timeout_seconds: 0.05, attempts: 2 });
    expect(error).toBe('no complete answer in 0.05 s (2 tries)');
  });

  it('stops asking a host after three requests in a row that failed for good', async () => {
    venue.on('/down', () => raw('', 500));
    const meter = newMeter();
    const request = requester();
    for (let i = 0; i < 6; i++) await request({ url: `${venue.origin}/down` }, meter).catch(() => {});
    expect(meter.requests).toBe(9);
  });

  it('goes on asking a host that answers in between, or refuses', async () => {
    const states = [500, 500, 200, 500, 500, 404, 404, 404, 200];
    let status = 0;
    venue.on('/shaky', () => raw('{}', status));
    const meter = newMeter();
    const request = requester({ attempts: 1 });
    for (status of states) await request({ url: `${venue.origin}/shaky` }, meter).catch(() => {});
    expect(meter.requests).toBe(states.length);
  });

  it('that is long is named by its beginning', async () => {
    venue.on('/long', () => raw('', 404));
    const url = `${venue.origin}/long?ids=${'x'.repeat(200)}`;
    const asked = requester()({ url }, newMeter());
    await expect(asked).rejects.toThrow(`${`GET ${url}`.slice(0, 160)}…: answered 404`);
  });

  it('says who asks, and where to write to when that is configured', async () => {
    const said: unknown[] = [];
    venue.on(
      '/who',
      () =>
        new Raw((response, { headers }) => {
          said.push(headers['user-agent']);
          response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        }),
    );
    for (const contact of [undefined, 'mailto:desk@example.org'])
      await requester({ contact })({ url: `${venue.origin}/who` }, newMeter());
    expect(said).toEqual(['foremark', 'foremark (+mailto:desk@example.org)']);
  });

  it('keeps to its pace', async () => {
    venue.on('/paced', () => ({}));
    const effects = testEffects();
    const request = requester({ requests_per_second: 5 }, effects);
    const meter = newMeter();
    await Promise.all([1, 2, 3].map(() => request({ url: `${venue.origin}/paced` }, meter)));
    expect(effects.slept).toEqual([200, 200, 200]);
  });

  it('waits for its turn no longer than the run lasts', async () => {
    venue.on('/slow', () => ({}));
    const run = new AbortController();
    const request = createRequester(createEffects(), { ...LIMITS, requests_per_second: 0.001 }, run.signal);
    const meter = newMeter();
    const ask = () => request({ url: `${venue.origin}/slow` }, meter);
    await ask();
    const second = ask();
    run.abort();
    await expect(second).rejects.toThrow('aborted');
    expect(meter.requests).toBe(1);
  });
});
