/** Where everything is published: a folder, or a bucket. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileTree } from '../helpers/file-tree.ts';
import { type Fault, startFakeS3 } from '../s3/fake-s3.ts';

export interface Outlet {
  /** The settings by which `publish` finds it. */
  settings: object;
  /** All texts by key. */
  files(): Record<string, string>;
  /** Replaces one, past the product; its twin in the archive stays. */
  write(key: string, body: string | Buffer): void;
  remove(key: string): void;
  /** Loses all. */
  clear(): void;
  /** Has one of so many requests fail, where it is asked over a network; none at 0. */
  fail(one_in: number, fault: Fault): void;
  close(): Promise<void>;
}

export function folderOutlet(folder: string): Outlet {
  const remove = (key: string) => rmSync(join(folder, key), { force: true });
  return {
    settings: { folder },
    files: () => (existsSync(folder) ? fileTree(folder) : {}),
    write(key, body) {
      remove(key);
      mkdirSync(dirname(join(folder, key)), { recursive: true });
      writeFileSync(join(folder, key), body);
    },
    remove,
    clear: () => rmSync(folder, { recursive: true, force: true }),
    fail() {},
    close: async () => {},
  };
}

const BUCKET = 'operations';

export async function bucketOutlet(): Promise<Outlet> {
  process.env.AWS_ACCESS_KEY_ID ??= 'AKTEST';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'SKTEST';
  const fake = await startFakeS3();
  const { objects } = fake;
  return {
    settings: { s3: { bucket: BUCKET, endpoint: fake.endpoint, path_style: true } },
    files: () =>
      Object.fromEntries(
        [...objects].map(([key, { body }]) => [key.slice(BUCKET.length + 1), body.toString()]),
      ),
    write: (key, body) => void objects.set(`${BUCKET}/${key}`, { body: Buffer.from(body), headers: {} }),
    remove: (key) => void objects.delete(`${BUCKET}/${key}`),
    clear: () => objects.clear(),
    fail(one_in, fault) {
      fake.fault = one_in === 0 ? undefined : ({ index }) => (index % one_in === 0 ? fault : undefined);
    },
    close: () => fake.close(),
  };
}
