import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type Config, publishedFolder } from '../model/config.ts';
import type { WrittenProblem } from '../model/written-value.ts';

/** The problems of settings with the files and folders that they name. */
export function fileProblems(config: Config): WrittenProblem[] {
  return [...exposedPaths(config), ...fontProblems(config)];
}

/** A store or definitions inside the publication folder would be readable by anybody. */
function exposedPaths({ publish, ...config }: Config): WrittenProblem[] {
  const folder = publishedFolder(publish);
  if (folder === undefined) return [];
  const lies = (path: string) => liesIn(folder, path) || liesIn(linkedPath(folder), linkedPath(path));
  return (['store', 'definitions'] as const)
    .filter((name) => lies(config[name]))
    .map((name) => ({
      path: [name],
      message: 'must not be in publish.folder, whose files anybody can read',
    }));
}

/** How files of TrueType and OpenType fonts begin, and collections of them. */
const FONT_BEGINS: readonly string[] = ['\0\u0001\0\0', 'OTTO', 'true', 'ttcf'];

/** The renderer takes no notice of a font that it cannot read. */
function fontProblems({ publish: { card_fonts: files } }: Config): WrittenProblem[] {
  return files.flatMap((file, i) => {
    const found = existsSync(file) && statSync(file).isFile();
    if (found && FONT_BEGINS.includes(readFileSync(file).toString('latin1', 0, 4))) return [];
    const message = found ? 'is no TrueType or OpenType font' : 'is not there';
    return [{ path: ['publish', 'card_fonts', i], message: `${file} ${message}` }];
  });
}

function liesIn(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && !/^\.\.([/\\]|$)/.test(way);
}

/** A path with its symbolic links resolved, as far as it exists. */
function linkedPath(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  return join(linkedPath(dirname(whole)), basename(whole));
}
