import { expect } from 'vitest';
import { documentKey } from '../../src/routes/document-key.ts';
import { routes } from '../../src/routes/routes.ts';
import type { createApp } from '../../src/serve/serve.ts';
import type { Store } from '../../src/store/store.ts';

/**
 * Expects every published document to have the bytes that the server answers, and no other to be published.
 *
 * @param files the publication by key; only its live tree counts, not the archive and the bulk files
 */
export async function expectServedTwins(
  store: Store,
  app: Pick<ReturnType<typeof createApp>, 'request'>,
  files: Record<string, string>,
): Promise<void> {
  const left = new Set(Object.keys(files).filter((key) => key.startsWith('api/v1/public/')));
  const open = routes.filter((route) => route.tiers.includes('public'));
  const asked = store.read((reader) =>
    open.flatMap(({ path, documents }) =>
      documents ? [...documents(reader)].map((id) => ({ path, id })) : [],
    ),
  );
  for (const { path, id } of asked) {
    const url = `/api/v1/public${path.replace('{id}', encodeURIComponent(id))}`;
    const response = await app.request(url);
    const key = documentKey(path, id);
    // A notice that is not out yet is neither served nor published.
    if (response.status === 404) expect(files[key], url).toBeUndefined();
    else expect(files[key], url).toBe(await response.text());
    left.delete(key);
  }
  expect([...left]).toEqual([]);
}
