import { describe, expect, test } from 'vitest';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import { keysOf } from './keys-of.ts';

const bytes = (text: string) => Buffer.from(text);

/** What every sink must do: one suite for all of them. @param open gives an empty sink */
export function describeSink(name: string, open: () => Promise<Sink>, keepsMetadata: boolean): void {
  describe(`sink conformance: ${name}`, () => {
    test('what was written is read back to the byte, and replaced whole', async () => {
      const sink = await open();
      const body = Buffer.from(Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256));
      expect(await sink.read('a/b.bin')).toBeUndefined();
      await sink.write('a/b.bin', body);
      expect((await sink.read('a/b.bin'))?.equals(body)).toBe(true);
      await sink.write('a/b.bin', bytes('short'));
      expect((await sink.read('a/b.bin'))?.toString()).toBe('short');
      await sink.write('empty', Buffer.alloc(0));
      expect((await sink.read('empty'))?.byteLength).toBe(0);
    });

    test('an ETag is the same for a write and a find, and changes with the bytes', async () => {
      const sink = await open();
      const first = await sink.write('key', bytes('one'));
      expect((await sink.find('key'))?.etag).toBe(first);
      const second = await sink.write('key', bytes('two'));
      expect(second).not.toBe(first);
      expect(await sink.find('other')).toBeUndefined();
    });

    test('create-only writes once', async () => {
      const sink = await open();
      expect(await sink.write('lock', bytes('1'), { condition: { absent: true } })).toBeDefined();
      expect(await sink.write('lock', bytes('2'), { condition: { absent: true } })).toBeUndefined();
      expect((await sink.read('lock'))?.toString()).toBe('1');
      expect(await keysOf(sink, '')).toEqual(['lock']);
    });

    test('replace-if counts only for the ETag that stands', async () => {
      const sink = await open();
      const first = (await sink.write('pointer', bytes('1'))) ?? '';
      const second = await sink.write('pointer', bytes('2'), { condition: { etag: first } });
      expect(second).toBeDefined();
      expect(await sink.write('pointer', bytes('3'), { condition: { etag: first } })).toBeUndefined();
      expect((await sink.read('pointer'))?.toString()).toBe('2');
      expect(await sink.write('nothing', bytes('x'), { condition: { etag: first } })).toBeUndefined();
    });

    test.each([
      ['create-only', undefined],
      ['replace-if', 'before'],
    ])('of eight writers at once exactly one wins: %s', async (_, before) => {
      const sink = await open();
      const etag = before === undefined ? undefined : await sink.write('race', bytes(before));
      const condition = etag === undefined ? ({ absent: true } as const) : { etag };
      const ended = await Promise.all(
        Array.from({ length: 8 }, (_, i) => sink.write('race', bytes(`writer ${i}`), { condition })),
      );
      expect(ended.filter((each) => each !== undefined)).toHaveLength(1);
      const winner = ended.findIndex((each) => each !== undefined);
      expect((await sink.read('race'))?.toString()).toBe(`writer ${winner}`);
    });

    test('a list gives the keys below a prefix in the order of their bytes, over several pages', async () => {
      const sink = await open();
      const keys = Array.from({ length: 25 }, (_, i) => `p/${String(i * 7).padStart(4, '0')}.json`);
      for (const key of keys.toReversed()) await sink.write(key, bytes('{}'));
      await sink.write('p-other', bytes('{}'));
      await sink.write('q/1', bytes('{}'));
      expect(await keysOf(sink, 'p/')).toEqual(keys);
      expect(await keysOf(sink, 'p')).toEqual(['p-other', ...keys]);
      expect(await keysOf(sink, 'p/0')).toEqual(keys);
      expect(await keysOf(sink, 'none/')).toEqual([]);
    });

    test('nothing lies under a key that other keys begin with, nor below one that has bytes', async () => {
      const sink = await open();
      await sink.write('a/b/c.json', bytes('1'));
      for (const key of ['a', 'a/b', 'a/b/c.json/d']) {
        expect(await sink.read(key)).toBeUndefined();
        expect(await sink.find(key)).toBeUndefined();
      }
    });

    test('removing takes away what is there and minds nothing else', async () => {
      const sink = await open();
      await sink.write('x/1', bytes('1'));
      await sink.write('x/2', bytes('2'));
      await sink.remove('x/1', 'x/3');
      expect(await keysOf(sink, 'x/')).toEqual(['x/2']);
      await sink.remove();
    });

    test('keys as the encoder makes them stay themselves', async () => {
      const sink = await open();
      const keys = ['a~2fb.json', 'a~~0123.json', 'A.json', 'a.b-c_d.json', 'a.json', 'a/~.json'].sort();
      for (const key of keys) await sink.write(key, bytes(key));
      for (const key of keys) expect((await sink.read(key))?.toString()).toBe(key);
      expect(await keysOf(sink, '')).toEqual(keys);
    });

    test.runIf(keepsMetadata)('content type, caching and encoding are kept', async () => {
      const sink = await open();
      const metadata = {
        content_type: 'application/json',
        cache_control: 'public, max-age=15, s-maxage=60',
        content_encoding: 'gzip',
        generation: '12',
      };
      await sink.write('doc.json.gz', bytes('zipped'), { metadata });
      expect((await sink.find('doc.json.gz'))?.metadata).toEqual(metadata);
    });
  });
}
