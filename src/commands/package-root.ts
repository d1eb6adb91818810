import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root folder of the package or clone that contains this program. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The version of the package, as `foremark --version` tells it. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(packageRoot(), 'package.json'), 'utf8'),
  );
  return version;
}
