import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mirrorArchive } from '../../../src/publish/mirror.ts';
import { prune } from '../../../src/publish/prune.ts';
import { rollback } from '../../../src/publish/rollback.ts';
import { verifyArchive } from '../../../src/publish/verify.ts';
import { PUBLICATION_KEY } from '../../../src/routes/page-files.ts';
import { generationKey, POINTER_KEY, SHARDS } from '../../../src/store/archive/archive.ts';
import { findDocumentAt, findGeneration, readPointer } from '../../../src/store/archive/archive-reads.ts';
import { rounds } from '../../helpers/rounds.ts';
import { DAY, followPointer, HOUR, publishTexts, type Texts, texts, treeOf } from '../generation-steps.ts';
import { type MemorySink, memorySink } from '../memory-sink.ts';

/** Documents of which some change or disappear. */
function textsWith(count: number, said: ReadonlyMap<number, string | undefined>): Texts {
  const all = texts(count, (i) => said.get(i) ?? 'same');
  for (const [i, word] of said) if (word === undefined) delete all[`api/v1/public/d${i}.json`];
  return all;
}

const textAt = async (sink: MemorySink, key: string, at: number) =>
  (await findDocumentAt(sink, key, at))?.body.toString();

describe('the shards of a generation', () => {
  test('grow by what changed, and are rewritten once changes exceed an eighth of the whole', async () => {
    const sink = memorySink(4);
    const said = new Map<number, string>();
    const written: number[] = [];
    const shards = () => [...sink.objects.keys()].filter((key) => key.startsWith(SHARDS)).length;
    for (let step = 0; step < 14; step++) {
      for (let i = 0; step > 0 && i < 100; i++) said.set(step * 100 + i, 'other');
      const before = shards();
      await publishTexts(sink, textsWith(5_000, said), { now: DAY + step });
      written.push(shards() - before);
    }
    expect(written).toEqual([8, 1, 1, 1, 1, 1, 1, 8, 1, 1, 1, 1, 1, 1]);
  });

  test('are about one for each thousand documents, and as many as before until that is far off', async () => {
    const sink = memorySink(4);
    const counts: [documents: number, shards: number | undefined][] = [];
    for (const [hour, documents] of [10, 5_000, 3_000, 2_000, 900, 1_800, 3_000].entries()) {
      await publishTexts(sink, textsWith(documents, new Map()), { now: DAY + hour * HOUR });
      const newest = await findGeneration(sink, () => true);
      counts.push([documents, newest?.record.shards.length]);
    }
    expect(counts).toEqual([
      [10, 1],
      [5_000, 8],
      [3_000, 8],
      [2_000, 8],
      [900, 1],
      [1_800, 1],
      [3_000, 4],
    ]);
  });

  test('give what was published at each kept instant, whatever came and went', async () => {
    const change = fc.record({ at: fc.nat({ max: 39 }), word: fc.constantFrom('a', 'b', undefined) });
    const step = fc.oneof(fc.array(change, { maxLength: 4 }), fc.constant('rollback' as const));
    const run = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const [sink, copy] = [memorySink(4), memorySink(4)];
      const said = new Map<number, string | undefined>();
      const served: Texts[] = [];
      await publishTexts(sink, textsWith(40, said));
      for (const [i, step] of steps.entries()) {
        const now = DAY + i * HOUR;
        if (step === 'rollback')
          await rollback(1, { sink, now, variants: [] }).catch((thrown) =>
            expect(thrown).toMatchObject({ code: 'not_found' }),
          );
        else {
          for (const { at, word } of step) said.set(at, word);
          await publishTexts(sink, textsWith(40, said), { now });
          expect(treeOf(sink)).toEqual(textsWith(40, said));
        }
        expect(await followPointer(sink.objects)).toEqual(treeOf(sink));
        served.push(treeOf(sink));
      }
      await mirrorArchive(sink, copy);
      for (const [i, all] of served.entries())
        for (const key of Object.keys(texts(40, () => '')))
          expect(await textAt(copy, key, DAY + i * HOUR)).toBe(all[key]);
      await prune({ sink, now: DAY + 100 * HOUR, keepGenerations: 3, keepDays: 0, dryRun: false });
      for (const place of [sink, copy]) expect((await verifyArchive(place)).problems).toEqual([]);
    });
    await fc.assert(run, { numRuns: rounds(25) });
  });
});

/** Rewrites the only generation of an archive in the format from before shards had changes. */
async function writeAsBefore({ objects, ...sink }: MemorySink): Promise<void> {
  const pointer = await readPointer(sink);
  if (!pointer) throw new Error('nothing was published');
  const { changes, ...record } = JSON.parse(String(objects.get(generationKey(pointer))));
  const body = Buffer.from(JSON.stringify({ ...record, format: 1 }));
  const sha256 = hash('sha256', body);
  const key = generationKey({ generation: 1, sha256 });
  const moved = { ...JSON.parse(String(objects.get(POINTER_KEY))), sha256, key };
  objects.delete(generationKey(pointer));
  objects.set(key, body).set(POINTER_KEY, Buffer.from(JSON.stringify(moved)));
  const said = { ...JSON.parse(String(objects.get(PUBLICATION_KEY))), sha256 };
  objects.set(PUBLICATION_KEY, Buffer.from(JSON.stringify(said)));
}

test('an archive from before shards had changes is read, and continues', async () => {
  const sink = memorySink(4);
  await publishTexts(
    sink,
    texts(40, () => 'one'),
  );
  await writeAsBefore(sink);
  expect((await verifyArchive(sink)).problems).toEqual([]);
  const wanted = texts(40, (i) => (i === 3 ? 'two' : 'one'));
  delete wanted['api/v1/public/d4.json'];
  await publishTexts(sink, wanted, { now: DAY + HOUR });
  expect((await findGeneration(sink, () => true))?.record.changes).toHaveLength(1);
  expect((await verifyArchive(sink)).problems).toEqual([]);
  const said = (at: number) => Promise.all([3, 4].map((i) => textAt(sink, `api/v1/public/d${i}.json`, at)));
  expect(await said(DAY)).toEqual(['{"d":"one"}', '{"d":"one"}']);
  expect(await said(DAY + HOUR)).toEqual(['{"d":"two"}', undefined]);
});
