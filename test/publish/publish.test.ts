import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { shardCache } from '../../src/publish/archive/shard-cache.ts';
import { mirrorArchive } from '../../src/publish/mirror.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import { encodeId } from '../../src/routes/document-key.ts';
import { SHARDS, shardKey } from '../../src/store/archive/archive.ts';
import { setCatalogState } from '../../src/store/runs.ts';
import type { Store } from '../../src/store/store.ts';
import { fileTree } from '../helpers/file-tree.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { publishStore } from '../helpers/publish-store.ts';
import {
  adopt,
  book,
  IDS,
  INDICES,
  NOW,
  observe,
  openSmallStore,
  put,
  RATES,
} from '../helpers/small-store.ts';
import { keysOf } from './keys-of.ts';
import { memorySink } from './memory-sink.ts';

const small = ofEachTest(openSmallStore);

const folderOf = (name = 'public') => join(small.folder, name);
const publishTo = (sink: Sink, now = NOW) => publishStore(small.store, sink, now, { label: 'simulated' });

/** The documents of the live tree. */
function documentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(fileTree(folder)).filter(([key]) => key.startsWith('api/')));
}

/** Records the changes to a sink in order; from the n-th on they fail, as on a full disk. */
function failingSink(folder: string, from = Number.POSITIVE_INFINITY): Sink & { changes: string[] } {
  const inner = folderSink(folder);
  const changes: string[] = [];
  const change = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    if (changes.length + 1 >= from) throw new Error('cut off');
    changes.push(what);
    return work();
  };
  return {
    ...inner,
    changes,
    write: (key, ...more) => change(`write ${key}`, () => inner.write(key, ...more)),
    link: (from, to) => change(`write ${to}`, async () => (await inner.link?.(from, to)) ?? false),
    remove: (...keys) => change(`remove ${keys.join(' ')}`, () => inner.remove(...keys)),
  };
}

function changeTheWorld(): number {
  const later = NOW + 6 * HOUR_MS;
  observe(small.store, IDS.steady, [book(later, 0.6)]);
  adopt(small.store, INDICES.slice(2), RATES.slice(1), later);
  compute(small.store, later, () => {});
  return later;
}

describe('publish', () => {
  it('[C/4] writes the archive, then the pointer, then the live tree, and last the record of the tree', async () => {
    const sink = failingSink(folderOf());
    const report = await publishTo(sink);
    const stages = sink.changes.map((change) =>
      change.replace(/^write (archive\/[a-z]+|api|publication).*/, '$1'),
    );
    expect([...new Set(stages)]).toEqual([
      'archive/objects',
      'archive/shards',
      'archive/generations',
      'archive/pointer',
      'api',
      'publication',
    ]);
    expect(stages).toEqual(stages.toSorted((a, b) => stages.indexOf(a) - stages.indexOf(b)));
    const said = JSON.parse(fileTree(folderOf())['publication.json'] ?? '') as object;
    const documents = Object.keys(documentsOf(folderOf())).length;
    expect(said).toMatchObject({
      generation: 1,
      as_of: '2026-04-15T12:00:00Z',
      label: 'simulated',
      documents,
    });
    expect(report).toMatchObject({ generation: 1, documents: report.written, removed: 0, place: folderOf() });
  });

  it('[C/4] touches only documents that differ', async () => {
    await publishTo(folderSink(folderOf()), NOW + 1);
    const places = Object.keys(documentsOf(folderOf()));
    const inodes = () => new Map(places.map((key) => [key, statSync(join(folderOf(), key)).ino]));
    const before = inodes();
    expect(await publishTo(folderSink(folderOf()), NOW + 2)).toMatchObject({
      generation: 1,
      written: 0,
      bytes_written: 0,
    });
    expect(inodes()).toEqual(before);
    put(small.store, { market_id: IDS.settled, status: 'settled', payout: 1, question: 'Another?' });
    const sink = failingSink(folderOf());
    const report = await publishTo(sink, NOW + 3);
    // The market, the list that shows it, and the rate that it is a source of.
    expect(report).toMatchObject({ generation: 2, written: 3 });
    const written = sink.changes.map((change) => change.slice(6)).filter((key) => key.startsWith('api/'));
    expect(places.filter((key) => inodes().get(key) !== before.get(key)).sort()).toEqual(written.sort());
  });

  it('[C/4] stores a document and its object as one file, never with an older time than the previous one', async () => {
    const question = (text: string) =>
      put(small.store, { market_id: IDS.settled, status: 'settled', payout: 1, question: text });
    const files = [];
    for (const [i, text] of ['One?', 'Two?', 'One?'].entries()) {
      question(text);
      await publishTo(folderSink(folderOf()), NOW + i);
      const [key = ''] = Object.keys(documentsOf(folderOf())).filter((key) =>
        key.endsWith(`/markets/${encodeId(IDS.settled)}.json`),
      );
      files.push(statSync(join(folderOf(), key)));
    }
    const [first, second, third] = files;
    expect(first?.nlink).toBeGreaterThan(1);
    expect(second?.nlink).toBeGreaterThan(1);
    expect(third?.ino).not.toBe(first?.ino);
    expect(third?.mtimeMs).toBeGreaterThanOrEqual(second?.mtimeMs ?? Number.NaN);
  });

  it('[C/1] completes a publish that was cut off at any change, to the same bytes as one that was not', async () => {
    await publishTo(folderSink(folderOf('first')));
    const later = changeTheWorld();
    const whole = failingSink(folderOf('whole'));
    for (const [key, text] of Object.entries(fileTree(folderOf('first'))))
      await folderSink(folderOf('whole')).write(key, Buffer.from(text));
    const withdrawn = Object.keys(documentsOf(folderOf('first'))).filter((key) =>
      /SMALL|GAUGE|R\.STEADY/.test(key),
    );
    expect((await publishTo(whole, later)).removed).toBe(withdrawn.length);
    const expected = documentsOf(folderOf('whole'));
    for (let n = 1; n <= whole.changes.length; n++) {
      const folder = folderOf(`cut-${n}`);
      for (const [key, text] of Object.entries(fileTree(folderOf('first'))))
        await folderSink(folder).write(key, Buffer.from(text));
      await expect(publishTo(failingSink(folder, n), later)).rejects.toThrow('cut off');
      await publishTo(folderSink(folder), later);
      expect(documentsOf(folder), `cut off at change ${n}`).toEqual(expected);
    }
  });

  it('[2.4/4] leaves nothing of a first publish that was cut off before an index was made private', async () => {
    const small_json = 'write api/v1/public/indices/SMALL.json';
    const whole = failingSink(folderOf('whole'));
    await publishTo(whole);
    const sink = failingSink(folderOf(), whole.changes.indexOf(small_json) + 3);
    await expect(publishTo(sink)).rejects.toThrow('cut off');
    expect(sink.changes).toContain(small_json);
    const hidden = INDICES.map((each) =>
      each.ticker === 'SMALL' ? { ...each, visibility: 'organization', organization: 'acme' } : each,
    );
    adopt(small.store, hidden, RATES);
    writeFileSync(join(folderOf(), 'api/v1/public/indices.json~writing'), 'half');
    await publishTo(folderSink(folderOf()));
    const left = Object.keys(documentsOf(folderOf()));
    expect(left.filter((key) => /SMALL|writing/.test(key))).toEqual([]);
  });

  it('leaves nothing of a publish or mirror that was killed while it wrote a file of the top', async () => {
    const { pid } = spawnSync('true');
    const copy = folderSink(folderOf('copy'));
    const leftIn = (folder: string) => {
      const keys = ['index.html', 'publication.json', 'archive/pointer.json', 'api/v1/openapi.json'];
      return keys.map((key) => join(folder, `${key}~${pid}~writing`));
    };
    await publishTo(folderSink(folderOf()));
    await mirrorArchive(folderSink(folderOf()), copy);
    mkdirSync(folderOf('copy/api/v1'), { recursive: true });
    const left = [...leftIn(folderOf()), ...leftIn(folderOf('copy'))];
    for (const file of left) writeFileSync(file, 'half');
    expect(await publishTo(folderSink(folderOf()))).toMatchObject({ written: 0 });
    await mirrorArchive(folderSink(folderOf()), copy);
    expect(left.filter((file) => existsSync(file))).toEqual([]);
  });

  it('[2.4/4] publishes nothing of an organization anywhere', async () => {
    await publishTo(folderSink(folderOf()));
    for (const [key, text] of Object.entries(fileTree(folderOf()))) {
      expect(key).not.toMatch(/secret/i);
      expect(text, key).not.toMatch(/secret|acme|canary|visibility/i);
    }
  });

  it('[3/2][4.1/3] withdraws the market list while the catalog rebuilds, and restores it after', async () => {
    const list = 'api/v1/public/markets.json';
    await publishTo(folderSink(folderOf()));
    const before = documentsOf(folderOf());
    small.store.write((writer) => setCatalogState(writer, 'rebuilding', NOW));
    expect(await publishTo(folderSink(folderOf()))).toMatchObject({ removed: 1 });
    const { [list]: _list, ...rest } = before;
    expect(documentsOf(folderOf())).toEqual(rest);
    small.store.write((writer) => setCatalogState(writer, 'serving', NOW));
    await publishTo(folderSink(folderOf()));
    expect(fileTree(folderOf())[list]).toBe(before[list]);
  });

  it('publishes markets with hostile ids beside each other and inside its folder', async () => {
    const ids = [
      'venue_b:us:x',
      'venue_b:us:x.json',
      'venue_b:us:x/indices',
      'venue_b:us:../../..',
      `venue_b:us:${'y'.repeat(1900)}`,
    ];
    for (const market_id of ids) put(small.store, { market_id });
    await publishTo(folderSink(folderOf()));
    const found = Object.values(fileTree(join(folderOf(), 'api/v1/public/markets')));
    const markets = found.map((text) => (JSON.parse(text) as { market_id?: string }).market_id);
    for (const id of ids) expect(markets).toContain(id);
    expect(
      Object.keys(fileTree(small.folder)).filter(
        (key) => !/^public\/(api\/v1\/public\/|archive\/|publication\.json)|^foremark\.db/.test(key),
      ),
    ).toEqual([]);
  });

  it('is refused where another store publishes for the first time just before it', async () => {
    const other = openSmallStore();
    const sink = memorySink();
    const publishFrom = (store: Store) => publishStore(store, sink, NOW, { program: 'a' });
    let asked = 0;
    sink.before = async (_request, key) => {
      if (key === 'archive/pointer.json' && ++asked === 2) await publishFrom(other.store);
    };
    await expect(publishFrom(small.store)).rejects.toMatchObject({ code: 'sink_unavailable' });
    expect(String(sink.objects.get('archive/pointer.json'))).toContain('"generation":1,');
    other.close();
  });

  it('leaves in the cache of shards those of its generation', async () => {
    const [sink, near] = [memorySink(), memorySink()];
    near.objects.set(shardKey('0'.repeat(64)), Buffer.from('{}'));
    const { store } = small;
    const shards = shardCache(near);
    await publishStore(store, sink, NOW, { shards });
    expect(await keysOf(near, '')).toEqual(await keysOf(sink, SHARDS));
  });

  it('says that an invalid pointer cannot be used, and writes nothing', async () => {
    await folderSink(folderOf()).write('archive/pointer.json', Buffer.from('{"generation":'));
    const sink = failingSink(folderOf());
    await expect(publishTo(sink)).rejects.toMatchObject({ code: 'archive_damaged' });
    expect(sink.changes).toEqual([]);
  });
});
