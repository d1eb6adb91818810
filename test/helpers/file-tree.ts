import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every file under a folder with its text, by its path below the folder.
 *
 * @param below only the files of a folder in it
 */
export function fileTree(folder: string, below = ''): Record<string, string> {
  const entries = readdirSync(join(folder, below), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}
