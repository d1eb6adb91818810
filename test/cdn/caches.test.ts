import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDigests } from '../../src/publish/archive/generation-digests.ts';
import { metadataOf } from '../../src/publish/headers.ts';
import { objectKey } from '../../src/store/archive/archive.ts';
import { findGeneration, readContent } from '../../src/store/archive/archive-reads.ts';
import { rounds } from '../helpers/rounds.ts';
import { DAY, publishTexts, type Texts } from '../publish/generation-steps.ts';
import { type MemorySink, memorySink } from '../publish/memory-sink.ts';

const LIVE = ['api/v1/public/indices.json', 'api/v1/public/indices/A.json', 'api/v1/public/markets/b.json'];
const RELATED = ['api/v1/public/markets/b/related.json', 'api/v1/public/rates/C/news.json'];
/** The longest that a document may be answered after it was replaced, in seconds, by the page on operating. */
const LONGEST = { live: 120, related: 900 };
const NODES = 3;

/** A publication behind nodes of a CDN, each of which keeps what it may. Time passes in seconds. */
class Caches {
  readonly origin: MemorySink = memorySink(4);
  readonly generations: { at: number; texts: Texts }[] = [];
  readonly #nodes = Array.from({ length: NODES }, () => new Map<string, { body: Buffer; at: number }>());
  now = 0;
  isDead = false;

  async publish(): Promise<void> {
    const n = this.generations.length + 1;
    const texts = Object.fromEntries([...LIVE, ...RELATED].map((key) => [key, `{"said":${n}}`]));
    await publishTexts(this.origin, texts, { now: DAY + this.now * 1000 });
    this.generations.push({ at: this.now, texts });
  }

  evict(node: number, share: number): void {
    const kept = this.#nodes[node] as Map<string, unknown>;
    for (const [i, key] of [...kept.keys()].entries()) if (i % share === 0) kept.delete(key);
  }

  /** Answers as RFC 9111 and RFC 5861 allow a shared cache to: for as long as it may, and from the origin after that. */
  read(node: number, key: string): Buffer | undefined {
    const kept = this.#nodes[node]?.get(key);
    const control = metadataOf(key).cache_control ?? '';
    const seconds = (name: string) => Number(new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(control)?.[1] ?? 0);
    const age = kept ? this.now - kept.at : Number.POSITIVE_INFINITY;
    const fresh = seconds('s-maxage') || seconds('max-age');
    if (kept && age < fresh) return kept.body;
    const isUsable = age < fresh + seconds('stale-while-revalidate');
    const isAnswered = age < fresh + seconds('stale-if-error');
    if (!this.isDead) this.#fetch(node, key, !control.includes('no-store'));
    if (kept && (isUsable || (this.isDead && isAnswered))) return kept.body;
    if (this.isDead) throw new Error('the origin does not answer');
    return this.origin.objects.get(key);
  }

  #fetch(node: number, key: string, isKept: boolean): void {
    const body = this.origin.objects.get(key);
    if (body && isKept) this.#nodes[node]?.set(key, { body, at: this.now });
  }
}

const node = fc.nat(NODES - 1);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      node,
      key: fc.constantFrom(...LIVE, ...RELATED),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.oneof(fc.nat(20), fc.nat(1_000)) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('publish' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('evict' as const), node, share: fc.integer({ min: 1, max: 3 }) }),
  },
);

describe('a publication behind a CDN', () => {
  it('a document is answered no longer after it was replaced than its class may be kept', async () => {
    let outdated = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const caches = new Caches();
        await caches.publish();
        for (const each of steps) {
          if (each.do === 'wait') caches.now += each.seconds;
          else if (each.do === 'publish') {
            caches.now += 1;
            await caches.publish();
          } else if (each.do === 'evict') caches.evict(each.node, each.share);
          else {
            const { said } = JSON.parse(String(caches.read(each.node, each.key)));
            const replacedAt = caches.generations[said]?.at;
            if (replacedAt === undefined) continue;
            outdated++;
            const longest = RELATED.includes(each.key) ? LONGEST.related : LONGEST.live;
            expect(caches.now - replacedAt).toBeLessThan(longest);
          }
        }
      }),
      { numRuns: rounds(100) },
    );
    expect(outdated).toBeGreaterThan(10);
  });

  it('who follows the pointer reads one whole generation, whatever node answers and whatever is published meanwhile', async () => {
    let meanwhile = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.record({ node, publishes: fc.nat(3), evicts: node })),
        async (turns) => {
          const caches = new Caches();
          await caches.publish();
          await caches.publish();
          for (let i = 0; i < 3; i++) {
            const current = caches.generations.length;
            const reader: MemorySink = {
              ...caches.origin,
              async read(key) {
                const { node: asked, publishes, evicts } = turns.next().value;
                const body = caches.read(asked, key);
                caches.now += 2;
                if (publishes === 0) await caches.publish();
                caches.evict(evicts, 2);
                return body;
              },
            };
            const found = await findGeneration(reader, () => true);
            if (!found) throw new Error('the pointer names no record');
            const read: Texts = {};
            for (const [key, sha256] of await readDigests(reader, found.record))
              read[key] = String(await readContent(reader, objectKey(sha256), sha256));
            expect(found.ref.generation).toBe(current);
            expect(read).toEqual(caches.generations[current - 1]?.texts);
          }
          meanwhile += caches.generations.length - 2;
        },
      ),
      { numRuns: rounds(30) },
    );
    expect(meanwhile).toBeGreaterThan(10);
  });

  it('a dead origin shows at once in publication.json, and in every document once it may not be kept any longer', async () => {
    const caches = new Caches();
    await caches.publish();
    const all = [...LIVE, ...RELATED];
    const answered = () =>
      [...all, 'publication.json'].filter((key) => {
        try {
          return caches.read(0, key) !== undefined;
        } catch {
          return false;
        }
      });
    expect(answered()).toEqual([...all, 'publication.json']);
    caches.isDead = true;
    expect(answered()).toEqual(all);
    caches.now = LONGEST.live;
    expect(answered()).toEqual(RELATED);
    caches.now = LONGEST.related;
    expect(answered()).toEqual([]);
  });
});
