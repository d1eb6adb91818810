import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/cli/load-config.ts';
import { config } from '../../src/model/config.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const folder = temporaryFolder();
const file = join(folder, 'foremark.json');

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

/** What is said of a key that is none: which there are, at the top or in a group. */
const of = (group?: 'serve' | 'venues'): string => {
  const settings = load({});
  const keys = group ? Object.keys(settings[group]) : Object.keys(config.shape);
  return `there is no such key, only ${keys.join(', ')}`;
};

describe('settings', () => {
  it('name each font of cards that is none, or is not there', () => {
    const font = join(import.meta.dirname, '../charts/files/boxes.ttf');
    expect(load({ publish: { card_fonts: [font] } }).publish.card_fonts).toEqual([font]);
    expect(refusal({ publish: { card_fonts: [font, file, join(folder, 'gone.ttf'), folder] } })).toBe(
      [
        `${file}: publish.card_fonts.1: ${file} is no TrueType or OpenType font`,
        `${file}: publish.card_fonts.2: ${join(folder, 'gone.ttf')} is not there`,
        `${file}: publish.card_fonts.3: ${folder} is not there`,
      ].join('\n'),
    );
  });

  it('have defaults, which a file and then a variable override', () => {
    expect(load({}).serve).toMatchObject({ host: '127.0.0.1', port: 8787 });
    const settings = { serve: { port: 1000 }, venues: { venue_a: { tags: ['A'] } } };
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
      { tags: ['A'], enabled: false, series: ['KXFED'] },
    ]);
  });

  it('refuse a name for a venue, which nothing ever showed', () => {
    expect(refusal({ venues: { venue_a: { label: 'A' } } })).toContain(
      'venues.venue_a.label: there is no such key',
    );
  });

  it('treat an empty variable as unset', () => {
    expect(load({ store: 'a.db' }, { FOREMARK_STORE: '' }).store).toBe('a.db');
  });

  it('that do not exist are named with their file', () => {
    expect(
      refusal({ stor: 'x', serve: { prt: 1, hst: 2 } })
        .split('\n')
        .sort(),
    ).toEqual([
      `${file}: serve.hst: ${of('serve')}`,
      `${file}: serve.prt: ${of('serve')}`,
      `${file}: stor: ${of()}`,
    ]);
  });

  it('in a folder instead of a file are named with it', () => {
    expect(() => loadConfig(folder, {})).toThrow(`${folder}: must be a file`);
  });

  it('that do not exist are named with their variable', () => {
    expect(refusal({}, { FOREMARK_STOR: 'x' })).toBe(`FOREMARK_STOR: stor: ${of()}`);
    expect(refusal({}, { FOREMARK_VENUES__VENUE_Z__LABEL: 'x' })).toBe(
      `FOREMARK_VENUES__VENUE_Z__LABEL: venues.venue_z: ${of('venues')}`,
    );
  });

  it.each([
    ['FOREMARK_SERVE__PORT', '99999', 'serve.port'],
    ['FOREMARK_SERVE', '8080', 'serve'],
    ['FOREMARK_STORE__PATH', 'x', 'store'],
    ['FOREMARK_VENUES__VENUE_A__BASE_URL', 'ftp://x', 'venues.venue_a.base_url'],
    ['FOREMARK_VENUES__VENUE_A__SERIES', '[1]', 'venues.venue_a.series.0'],
  ])('name the setting of a bad variable %s=%s', (name, value, setting) => {
    expect(refusal({}, { [name]: value }).startsWith(`${name}: ${setting}: `)).toBe(true);
  });

  it('name a variable that looks like a list and is invalid', () => {
    expect(refusal({}, { FOREMARK_VENUES__VENUE_A__SERIES: '[KXFED]' })).toBe(
      'FOREMARK_VENUES__VENUE_A__SERIES: venues.venue_a.series: must be a list, got "[KXFED]"',
    );
  });

  it('read a variable of digits as text where text is meant', () => {
    const { publish, data_label, serve } = load(
      { publish: { s3: { bucket: 'b' } }, serve: { port: 1 } },
      { FOREMARK_PUBLISH__S3__PREFIX: '2026', FOREMARK_DATA_LABEL: 'true', FOREMARK_SERVE__PORT: '99' },
    );
    expect([publish.s3?.prefix, data_label, serve.port]).toEqual(['2026', 'true', 99]);
  });

  it('say what is allowed and what was found', () => {
    const wrong = {
      store: 5,
      publish: { keep_days: '90', keep_generations: 1, variants: ['zip'], s3: {} },
      serve: { port: 99999, trusted_hops: 1.5 },
      venues: { venue_a: { base_url: 'kalshi.com', enabled: 1, series: 'KXFED' }, venue_c: [] },
    };
    expect(refusal(wrong).replaceAll(`${file}: `, '').split('\n').sort()).toEqual([
      'publish.keep_days: must be a number, got "90"',
      'publish.keep_generations: must be at least 2, got 1',
      'publish.s3.bucket: is missing',
      'publish.variants.0: must be one of "gz", "br", got "zip"',
      'serve.port: must be at most 65535, got 99999',
      'serve.trusted_hops: must be a whole number, got 1.5',
      'store: must be a text, got 5',
      'venues.venue_a.base_url: must be an http(s) address, got "kalshi.com"',
      'venues.venue_a.enabled: must be true or false, got 1',
      'venues.venue_a.series: must be a list, got "KXFED"',
      'venues.venue_c: must be an object, got a list',
    ]);
    expect(refusal({ store: '' })).toBe(`${file}: store: must have at least 1 characters, got 0`);
  });

  it('refuse two news feeds of one name: what is known of each is stored under it', () => {
    const feeds = ['https://a.example', 'https://b.example'].map((url) => ({ name: 'wire', url }));
    expect(refusal({ news: { feeds } })).toBe(`${file}: news.feeds: must each have a name of its own`);
  });

  it('refuse a time limit longer than a timer holds, or a slower pace: each would end at once', () => {
    const wrong = {
      publish: { deadline_seconds: 3e6, s3: { bucket: 'b', request_timeout_seconds: 1e12 } },
      ingest: { deadline_seconds: 1e5, request_timeout_seconds: 1e300 },
      venues: { venue_a: { requests_per_second: 1e-7 }, venue_c: { weight_per_second: 1e-4 } },
    };
    expect(refusal(wrong).replaceAll(`${file}: `, '').split('\n').sort()).toEqual([
      'ingest.deadline_seconds: must be at most 86400, got 100000',
      'ingest.request_timeout_seconds: must be at most 86400, got 1e+300',
      'publish.deadline_seconds: must be at most 86400, got 3000000',
      'publish.s3.request_timeout_seconds: must be at most 86400, got 1000000000000',
      'venues.venue_a.requests_per_second: must be at least 0.001, got 1e-7',
      'venues.venue_c.weight_per_second: must be at least 0.001, got 0.0001',
    ]);
  });

  it('limit attachments to a hundred years, within the range of dates', () => {
    expect(refusal({ registries: { cftc: { attachment_days: 1e9 } } })).toBe(
      `${file}: registries.cftc.attachment_days: must be at most 36500, got 1000000000`,
    );
  });

  it('refuse an address with a password, which would be in every log', () => {
    const url = 'https://me:secret@a.example/feed';
    const { news, venues } = { news: { feeds: [{ name: 'a', url }] }, venues: { venue_a: { site: url } } };
    const told = 'must name no user and no password, got "https://…@a.example/feed"';
    expect(refusal({ news })).toBe(`${file}: news.feeds.0.url: ${told}`);
    expect(refusal({ venues })).toBe(`${file}: venues.venue_a.site: ${told}`);
    expect(refusal({ publish: { s3: { bucket: 'b', endpoint: 'ftp://me:secret@a.example' } } })).toContain(
      'must be an http(s) address, got "ftp://…@a.example"',
    );
    expect(load({ news: { feeds: [{ name: 'a', url: 'https://a.example/@me/feed/' }] } }).news.feeds).toEqual(
      [{ name: 'a', url: 'https://a.example/@me/feed/' }],
    );
  });

  it('accept only valid names of a bucket, its prefix and region, with no way out of them', () => {
    const refused = (s3: object) => refusal({ publish: { s3: { bucket: 'b', ...s3 } } });
    for (const region of ['', ' ', 'eu west', 'eu/west', '-eu'])
      expect(refused({ region })).toBe(
        `${file}: publish.s3.region: must be the name of a region, e.g. eu-central-1, got "${region}"`,
      );
    for (const bucket of ['', '.', '../a', 'a/b', 'a b', 'a?b'])
      expect(refused({ bucket })).toBe(
        `${file}: publish.s3.bucket: must be the name of a bucket, got "${bucket}"`,
      );
    for (const prefix of ['../a', 'a/../b', 'a/..', '.', '/a', 'a//b'])
      expect(refused({ prefix })).toBe(
        `${file}: publish.s3.prefix: must be names with a slash between them, none of them . or .., got "${prefix}"`,
      );
    const arn = 'arn:aws:s3:us-west-2:123456789012:accesspoint/a';
    for (const s3 of [
      { bucket: 'my-Index_data.example', region: 'auto', prefix: 'prod/.well-known/a..b' },
      { bucket: 'tenant:bucket', region: 'us-gov-west-1', prefix: '' },
      { bucket: arn, region: 'us-west-2', prefix: 'ä b' },
    ])
      expect(load({ publish: { s3 } }).publish.s3).toMatchObject(s3);
    for (const [prefix, taken] of [
      ['prod/', 'prod'],
      ['/', ''],
    ])
      expect(load({ publish: { s3: { bucket: 'b', prefix } } }).publish.s3?.prefix).toBe(taken);
  });

  it('refuse a store inside the published folder: whoever hosts that would give it away', () => {
    const told = 'must not be in publish.folder, whose files anybody can read';
    expect(refusal({ publish: { folder: '.' }, definitions: '/a' })).toBe(`${file}: store: ${told}`);
    expect(refusal({ publish: { folder: '/a/public' } }, { FOREMARK_STORE: '/a/public/b/c.db' })).toBe(
      `FOREMARK_STORE: store: ${told}`,
    );
    expect(load({ store: 'a/b.db', publish: { folder: 'a/public' } }).store).toBe('a/b.db');
    expect(load({ publish: { folder: '.', s3: { bucket: 'b' } } }).publish.folder).toBe('.');
  });

  it('refuse definitions there too, or either of them behind a link', () => {
    const told = 'must not be in publish.folder, whose files anybody can read';
    expect(refusal({ definitions: 'public/definitions' })).toBe(`${file}: definitions: ${told}`);
    const [real, link] = [join(folder, 'real'), join(folder, 'link')];
    mkdirSync(real);
    symlinkSync(real, link);
    for (const [at, published] of [
      [real, link],
      [link, real],
    ] as const) {
      const publish = { folder: published };
      expect(refusal({ publish, store: join(at, 'a', 'b.db') })).toBe(`${file}: store: ${told}`);
      expect(refusal({ publish, definitions: at })).toBe(`${file}: definitions: ${told}`);
    }
  });

  it.each(['sk-secret\n', 'sk secret', 'sk-sécret'])(
    'refuse an API key that no header can hold, without quoting it: %j',
    (key) => {
      const embeddings = { base_url: 'https://a.example', model: 'm' };
      expect(refusal({ relations: { embeddings } }, { FOREMARK_RELATIONS__EMBEDDINGS__API_KEY: key })).toBe(
        'FOREMARK_RELATIONS__EMBEDDINGS__API_KEY: relations.embeddings.api_key: must be ASCII without blanks, got another',
      );
    },
  );

  it('drop the slashes at the end of a base address', () => {
    const { venues } = load({
      venues: { venue_a: { site: 'https://a.example//', base_url: 'https://b.example/v2/' } },
    });
    expect(venues.venue_a).toMatchObject({ site: 'https://a.example', base_url: 'https://b.example/v2' });
  });

  it('may begin with a byte order mark, as some editors write it', () => {
    expect(load('\uFEFF{"store":"a.db"}').store).toBe('a.db');
  });

  it('name a file in another encoding than UTF-8, with the line, since its letters would be wrong', () => {
    writeFileSync(file, Buffer.from('{\n"data_label":"año"}', 'latin1'));
    expect(() => loadConfig(file, {})).toThrow(`${file}: must be UTF-8, and line 2 is not`);
    writeFileSync(file, Buffer.from('\uFEFF{}', 'utf16le'));
    expect(() => loadConfig(file, {})).toThrow(`${file}: must be UTF-8, and line 1 is not`);
  });

  it.each(['', '{', '[]', 'null', '"x"'])('name a file that holds %j', (text) => {
    expect(refusal(text)).toContain(file);
  });

  it('name a given file that does not exist', () => {
    expect(() => loadConfig(join(folder, 'other.json'), {})).toThrow('other.json');
  });
});
