import { expect, it } from 'vitest';
import { DAY_MS } from '../../src/model/time.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { publishStore } from '../helpers/publish-store.ts';
import { openSmallApp } from '../helpers/small-app.ts';
import { NOW } from '../helpers/small-store.ts';
import { memorySink } from './memory-sink.ts';

const app = ofEachTest(openSmallApp);

it('[4.5/1][C/4] filings of the window are published as they are served, and leave when it moves on', async () => {
  const sink = memorySink();
  const publishAt = async (now: number) => {
    app.clock.now = now;
    const { store } = app.small;
    await publishStore(store, sink, now);
    const files: Record<string, string> = {};
    for await (const key of sink.list('api/v1/public/filings')) files[key] = String(await sink.read(key));
    return files;
  };
  const compare = async (files: Record<string, string>) => {
    for (const [key, text] of Object.entries(files))
      expect((await app.get(`/${key.slice(0, -'.json'.length)}`)).text, key).toBe(text);
  };
  const at = (ids: number[]) =>
    [
      'api/v1/public/filings.json',
      'api/v1/public/filings/filters.json',
      ...ids.flatMap((id) => [
        `api/v1/public/filings/${id}.json`,
        `api/v1/public/filings/${id}/markdown.json`,
      ]),
    ].sort();
  const first = await publishAt(NOW);
  expect(Object.keys(first).sort()).toEqual(at([101, 102, 103]));
  await compare(first);
  const later = await publishAt(NOW + DAY_MS);
  expect(Object.keys(later).sort()).toEqual(at([102, 103]));
  await compare(later);
});
