import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../src');

interface SourceFile {
  path: string;
  /** The folder below src/ that it stands in; the root's own files are `cli`. */
  room: string;
  text: string;
  /** Text without comments. */
  code: string;
  imports: { room?: string; path?: string; package?: string }[];
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:ts|mjs)$/.test(path))
  .map((path): SourceFile => {
    const text = readFileSync(join(SRC, path), 'utf8');
    const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
    const found = [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
      (match) => match[1] as string,
    );
    const imports = found.map((specifier) => {
      if (!specifier.startsWith('.')) return { package: specifier };
      const target = relative(SRC, join(SRC, dirname(path), specifier));
      return { room: roomOf(target), path: target };
    });
    return { path, room: roomOf(path), text, code, imports };
  });

function roomOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] as string) : 'cli';
}

const rooms = [...new Set(files.map((file) => file.room))];
const seenBy = (room: string) =>
  new Set(
    files
      .filter((file) => file.room === room)
      .flatMap((file) => file.imports.flatMap((each) => each.room ?? [])),
  );

/** What each room may import besides itself. Verbs meet in the store. */
const MAY_SEE: Record<string, readonly string[]> = {
  model: [],
  store: ['model'],
  methodology: ['model'],
  routes: ['model', 'store', 'methodology'],
  ingest: ['model', 'store'],
  compute: ['model', 'store', 'methodology'],
  charts: [],
  publish: ['model', 'store', 'methodology', 'routes', 'charts'],
  explorer: ['model', 'methodology', 'routes', 'charts'],
  serve: ['model', 'store', 'methodology', 'routes'],
  commands: ['model', 'store', 'methodology', 'routes', 'ingest', 'compute', 'publish', 'serve', 'cli'],
  cli: ['model', 'store', 'methodology', 'routes', 'ingest', 'compute', 'publish', 'serve', 'commands'],
};

/** The files in which a pattern stands in the code. */
const filesWith = (pattern: RegExp) =>
  files.filter((file) => pattern.test(file.code)).map((file) => file.path);
const filesImporting = (name: RegExp) =>
  files
    .filter((file) => file.imports.some((each) => each.package && name.test(each.package)))
    .map((file) => file.path);

describe('the house', () => {
  it('was read: at least 100 files, each with its imports', () => {
    expect(files.length).toBeGreaterThanOrEqual(100);
    expect(files.flatMap((file) => file.imports).length).toBeGreaterThan(400);
    for (const file of files) {
      const statements = file.code.match(/^(?:import|export) [^;]*?from '/gm)?.length ?? 0;
      expect(file.imports.length, file.path).toBeGreaterThanOrEqual(statements);
    }
  });

  it('has the rooms of the plan and no other', () => {
    expect(rooms.sort()).toEqual(Object.keys(MAY_SEE).sort());
  });

  it.each(Object.keys(MAY_SEE))('%s imports only what lies below it', (room) => {
    const others = [...seenBy(room)].filter((each) => each !== room && !MAY_SEE[room]?.includes(each));
    expect(others).toEqual([]);
  });

  it('no two rooms import each other', () => {
    const both = rooms.flatMap((a) =>
      [...seenBy(a)].filter((b) => a < b && seenBy(b).has(a)).map((b) => `${a} ${b}`),
    );
    // Commands take the root's clock; the root starts them.
    expect(both.filter((pair) => pair !== 'cli commands')).toEqual([]);
  });

  it('no two files import each other', () => {
    const seen = new Map(
      files.map((file) => [file.path, new Set(file.imports.flatMap((each) => each.path ?? []))]),
    );
    const both = files.flatMap(({ path }) =>
      [...(seen.get(path) ?? [])]
        .filter((other) => path < other && seen.get(other)?.has(path))
        .map((other) => `${path} ${other}`),
    );
    expect(both).toEqual([]);
  });

  it('no two sibling folders import each other', () => {
    const seen = new Map<string, Set<string>>();
    for (const { path, imports } of files)
      for (const { path: other = path } of imports) {
        const [from, to] = [dirname(path), dirname(other)];
        if (from !== to && dirname(from) === dirname(to))
          seen.set(from, (seen.get(from) ?? new Set()).add(to));
      }
    const both = [...seen].flatMap(([a, others]) =>
      [...others].filter((b) => a < b && seen.get(b)?.has(a)).map((b) => `${a} ${b}`),
    );
    expect(seen.get('store/prints')).toContain('store/prices');
    // The root's own files lie above their commands.
    expect(both.filter((pair) => pair !== '. commands')).toEqual([]);
  });

  it('commands import nothing of the root but its clock', () => {
    const taken = files
      .filter((file) => file.room === 'commands')
      .flatMap((file) => file.imports.flatMap((each) => (each.room === 'cli' ? (each.path ?? []) : [])));
    expect([...new Set(taken)]).toEqual(['effects.ts']);
  });

  it('the command line loads no command before it is called', () => {
    const own = files.filter(({ path }) => path === 'cli.ts' || path.startsWith('cli/'));
    const loaded = own.flatMap(({ path, code }) =>
      [...code.matchAll(/^import (?!type )[^;]*?from '(\.[^']+)'/gm)].map((match) =>
        relative(SRC, join(SRC, dirname(path), match[1] as string)),
      ),
    );
    expect([...new Set(loaded)].filter((path) => !/^(model|cli)\//.test(path))).toEqual([
      'commands/context.ts',
      'commands/package-root.ts',
      'effects.ts',
    ]);
  });

  it('every relative import names a file with its extension', () => {
    const known = new Set(files.map((file) => file.path));
    const missing = files.flatMap((file) =>
      file.imports.flatMap((each) =>
        each.path && !known.has(each.path) ? `${file.path}: ${each.path}` : [],
      ),
    );
    expect(missing).toEqual([]);
  });

  it('no file is called index.ts, and none has a default export', () => {
    expect(files.filter((file) => /(^|\/)index\.ts$/.test(file.path))).toEqual([]);
    expect(filesWith(/^export default/m)).toEqual([]);
  });
});

describe('the explorer', () => {
  it('imports of the product only the shapes of its documents, their keys and the format of counts', () => {
    const running = files
      .filter((file) => file.room === 'explorer')
      .flatMap(({ path, code }) =>
        [...code.matchAll(/^import (?!type )[^;]*?from '(\.[^']+)'/gm)].map((match) =>
          relative(SRC, join(SRC, dirname(path), match[1] as string)),
        ),
      )
      .filter((path) => !path.startsWith('explorer/'));
    expect(running.length).toBeGreaterThan(5);
    expect([...new Set(running)].filter((path) => !path.startsWith('charts/')).sort()).toEqual([
      'model/counted.ts',
      'routes/id-encoding.ts',
      'routes/page-files.ts',
      'routes/reference.ts',
    ]);
  });

  it('is imported by nothing else: its build is published as it is', () => {
    const others = files.filter((file) => file.room !== 'explorer');
    expect(others.filter((file) => file.imports.some((each) => each.room === 'explorer'))).toEqual([]);
  });
});

describe('every package has one home', () => {
  it.each([
    ['better-sqlite3', /^better-sqlite3/, /^store\//],
    ['hono', /^(hono|@hono)/, /^serve\//],
    ['commander', /^commander/, /^cli(\.ts$|\/)/],
    ['uplot', /^uplot/, /^explorer\//],
    ['lit-html', /^lit-html/, /^explorer\//],
    ['resvg', /^@resvg/, /^publish\/cards\/png\.ts$/],
    ['date-fns-tz', /^date-fns/, /^model\/time\.ts$/],
  ])('%s', (_name, name, home) => {
    const found = filesImporting(name);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((path) => !home.test(path))).toEqual([]);
  });
});

describe('methodology', () => {
  it('is arithmetic: no file, network, clock, environment or database', () => {
    const own = files.filter((file) => file.room === 'methodology');
    expect(own.length).toBeGreaterThan(10);
    for (const { path, code, imports } of own) {
      const packages = imports.flatMap((each) => each.package ?? []);
      expect(
        packages.filter((each) => each !== 'simple-statistics'),
        path,
      ).toEqual([]);
      expect(code, path).not.toMatch(/\b(process|fetch|setTimeout|setInterval|performance|console)\b[.(]/);
    }
  });
});

describe('the outside world', () => {
  it('clock and randomness are used in effects.ts alone', () => {
    expect(filesWith(/\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bMath\.random\b/)).toEqual([
      'effects.ts',
    ]);
  });

  it('SQL is in the store alone', () => {
    const sql =
      /\b(SELECT\s+[\s\S]{0,200}?\bFROM|INSERT\s+(OR \w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(TABLE|INDEX|VIEW|TRIGGER)|BEGIN\s+(IMMEDIATE|EXCLUSIVE)|PRAGMA\s)/;
    const found = filesWith(sql);
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter((path) => !path.startsWith('store/'))).toEqual([]);
    // Statements go through a Reader or a Writer, and outside the store nobody writes one.
    const calls = /\b(reader|writer)\.(all|get|run|iterate)\b/;
    expect(filesWith(calls).filter((path) => !path.startsWith('store/'))).toEqual([]);
  });
});
