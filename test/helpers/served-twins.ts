import { documentKey } from '../../src/routes/document-key.ts';
import { routes } from '../../src/routes/routes.ts';
import type { createApp } from '../../src/serve/serve.ts';
import type { Store } from '../../src/store/store.ts';

/** A public document: where it is published, and what a server is asked for it. */
export interface Twin {
  key: string;
  url: string;
}

/** Every public document that a store has, published or not. */
export function listTwins(store: Store): Twin[] {
  const open = routes.filter((route) => route.tiers.includes('public'));
  return store.read((reader) =>
    open.flatMap(({ path, documents }) =>
      [...(documents?.(reader) ?? [])].map((id) => ({
        key: documentKey(path, id),
        url: `/api/v1/public${path.replace('{id}', encodeURIComponent(id))}`,
      })),
    ),
  );
}

/**
 * The first document that differs from the answer of the server.
 *
 * @param files the publication by key
 */
export async function findUnequalTwin(
  app: Pick<ReturnType<typeof createApp>, 'request'>,
  files: Record<string, string>,
  twins: readonly Twin[],
): Promise<Twin | undefined> {
  for (const twin of twins) {
    const response = await app.request(twin.url);
    // A notice that is not out yet is neither served nor published.
    const expected = response.status === 404 ? undefined : await response.text();
    if (files[twin.key] !== expected) return twin;
  }
  return undefined;
}
