import { spawnSync } from 'node:child_process';
import { linkSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { keysOf } from './keys-of.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

describe('a folder as a sink', () => {
  it('reads what was written, and nothing where nothing was', async () => {
    const sink = folderSink(join(folder, 'made', 'on', 'demand'));
    expect(await sink.read('a/b.json')).toBeUndefined();
    expect(await keysOf(sink, 'a')).toEqual([]);
    await sink.write('a/b.json', Buffer.from('1'));
    await sink.write('a/b.json', Buffer.from('2'));
    expect((await sink.read('a/b.json'))?.toString()).toBe('2');
  });

  it('lists a folder and its subfolders with slashes, and removes a key once or twice', async () => {
    const sink = folderSink(folder);
    for (const key of ['a/b.json', 'a/c/d.json', 'e.json']) await sink.write(key, Buffer.from(key));
    expect(await keysOf(sink, 'a')).toEqual(['a/b.json', 'a/c/d.json']);
    await sink.remove('a/b.json');
    await sink.remove('a/b.json');
    expect(await keysOf(sink, 'a')).toEqual(['a/c/d.json']);
    // In the order of their bytes, which is not that of UTF-16.
    const letters = ['a', '\uff5e', '\u{1f600}'];
    for (const letter of letters.toReversed()) await sink.write(`z/${letter}`, Buffer.from('1'));
    expect(await keysOf(sink, 'z/')).toEqual(letters.map((letter) => `z/${letter}`));
  });

  it('leaves no folder empty, and can write again where one was removed', async () => {
    const sink = folderSink(folder);
    const other = folderSink(folder);
    const keys = ['a/b/c.json', 'a/b/d.json', 'a/e.json'];
    for (const key of keys) await sink.write(key, Buffer.from(key));
    await sink.remove('a/b/c.json');
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['d.json']);
    await other.remove('a/b/d.json');
    expect(readdirSync(join(folder, 'a'))).toEqual(['e.json']);
    await sink.write('a/b/c.json', Buffer.from('again'));
    expect((await sink.read('a/b/c.json'))?.toString()).toBe('again');
    await sink.remove(...keys);
    expect(readdirSync(folder)).toEqual([]);
    await sink.write('e.json', Buffer.from('again'));
    expect(await sink.link?.('e.json', 'a/b/c.json')).toBe(true);
  });

  it('moves a whole file into place: the previous one stays open to its readers', async () => {
    const sink = folderSink(folder);
    await sink.write('a.json', Buffer.from('before'));
    const before = statSync(join(folder, 'a.json')).ino;
    await sink.write('a.json', Buffer.from('after'));
    expect(statSync(join(folder, 'a.json')).ino).not.toBe(before);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('renames a file onto another or onto itself, and leaves nothing beside it', async () => {
    const sink = folderSink(folder);
    await sink.write('archive/a', Buffer.from('a'));
    await sink.write('tree/b.json', Buffer.from('b'));
    for (const key of ['tree/a.json', 'tree/b.json', 'tree/b.json'])
      expect(await sink.link?.('archive/a', key)).toBe(true);
    expect(await keysOf(sink, 'tree/')).toEqual(['tree/a.json', 'tree/b.json']);
    const inode = (key: string) => statSync(join(folder, key)).ino;
    expect(inode('tree/a.json')).toBe(inode('archive/a'));
    expect(inode('tree/b.json')).toBe(inode('archive/a'));
    await sink.write('tree/b.json', Buffer.from('c'));
    expect((await sink.read('archive/a'))?.toString()).toBe('a');
    await sink.remove('archive/a');
    expect((await sink.read('tree/a.json'))?.toString()).toBe('a');
  });

  it('dates a file by a later second than the one it replaces: hosts tell files apart by second and size', async () => {
    const sink = folderSink(folder);
    const second = (key: string) => Math.floor(statSync(join(folder, key)).mtimeMs / 1000);
    const seconds: number[] = [];
    for (const body of ['1', '2', '3']) {
      await sink.write('tree/a.json', Buffer.from(body));
      seconds.push(second('tree/a.json'));
    }
    for (const object of ['archive/4', 'archive/5']) {
      await sink.write(object, Buffer.from(object));
      expect(await sink.link?.(object, 'tree/a.json')).toBe(true);
      seconds.push(second('tree/a.json'));
    }
    // The same file again: nothing was replaced.
    expect(await sink.link?.('archive/5', 'tree/a.json')).toBe(true);
    expect(second('tree/a.json')).toBe(seconds.at(-1));
    const etag = (await sink.find('tree/a.json'))?.etag ?? '';
    await sink.write('tree/a.json', Buffer.from('6'), { condition: { etag } });
    seconds.push(second('tree/a.json'));
    expect(seconds).toEqual([...new Set(seconds)].sort((a, b) => a - b));
  });

  it('says when a file cannot be renamed, and does nothing', async () => {
    const sink = folderSink(folder);
    await sink.write('b.json', Buffer.from('b'));
    expect(await sink.link?.('archive/missing', 'a.json')).toBe(false);
    expect(await sink.link?.('archive/missing', 'b.json')).toBe(false);
    expect(await keysOf(sink, '')).toEqual(['b.json']);
    expect((await sink.read('b.json'))?.toString()).toBe('b');
  });

  it('leaves nothing of a file that could not be put into place', async () => {
    const sink = folderSink(folder);
    await sink.write('a/b.json', Buffer.from('b'));
    await expect(sink.write('a', Buffer.from('a'))).rejects.toMatchObject({ code: 'sink_unavailable' });
    expect(await keysOf(sink, '')).toEqual(['a/b.json']);
  });

  it('never writes into what a killed process of the same number left: it may be a second name of another file', async () => {
    const sink = folderSink(folder);
    for (const key of ['archive/a', 'archive/d', 'c.json']) await sink.write(key, Buffer.from(key));
    for (const name of ['b.json', 'c.json'])
      linkSync(join(folder, 'archive/a'), join(folder, `${name}~${process.pid}~writing`));
    await sink.write('b.json', Buffer.from('b.json'));
    expect(await sink.link?.('archive/d', 'c.json')).toBe(true);
    const texts = ['archive/a', 'b.json', 'c.json'].map((key) => readFileSync(join(folder, key), 'utf8'));
    expect(texts).toEqual(['archive/a', 'b.json', 'archive/d']);
    expect(readdirSync(folder)).toEqual(['archive', 'b.json', 'c.json']);
  });

  it('removes what processes that have ended left beside its files, and nothing that is being written', async () => {
    const sink = folderSink(folder);
    const { pid: ended } = spawnSync('true');
    const left = [ended, process.pid].map((pid) => `a.json~${pid}~writing`);
    const others = [`a.json~${process.ppid}~writing`, 'a.json~writing', `a.json~${ended}~writing.txt`];
    for (const name of [...left, ...others]) writeFileSync(join(folder, name), 'half');
    await sink.removeLeftovers?.('', 'none/');
    expect(readdirSync(folder)).toEqual(others.toSorted());
  });

  it('[C/4] says which folder cannot be used and why, with the code of an unusable place', async () => {
    const taken = join(folder, 'taken');
    writeFileSync(taken, 'a file');
    const sink = folderSink(taken);
    const refused = { code: 'sink_unavailable', message: expect.stringContaining(taken) };
    await expect(sink.write('a.json', Buffer.from('1'))).rejects.toMatchObject(refused);
    await expect(sink.read('a.json')).rejects.toMatchObject(refused);
    await expect(keysOf(sink, 'a')).rejects.toMatchObject(refused);
    await expect(sink.remove('a.json')).rejects.toMatchObject(refused);
  });
});
