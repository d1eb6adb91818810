import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from './helpers/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const texts = z.record(z.string(), z.string());
const {
  scripts: SCRIPTS,
  allowScripts: ALLOWED,
  ...WANTED
} = z
  .object({
    scripts: texts,
    allowScripts: z.record(z.string(), z.boolean()),
    dependencies: texts,
    devDependencies: texts,
    overrides: texts,
  })
  .parse(read('package.json'));
const locked = z.object({
  hasInstallScript: z.boolean().optional(),
  dev: z.boolean().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
});
const LOCKED = z.object({ packages: z.record(z.string(), locked) }).parse(read('package-lock.json')).packages;

let folder: string;
beforeEach(() => {
  // On the disk: what is in memory may not everywhere be started as a program.
  folder = temporaryFolder(mkdtempSync(join(tmpdir(), 'foremark-test-')));
});

/** Writes a program of the shell into a folder of the path. */
function writeProgram(name: string, ...lines: string[]): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
}

/** Runs a program with the folders `brought` and `found` first on its path, as npm puts `node_modules/.bin`. */
function run(program: string, ...args: string[]) {
  const path = ['brought', 'found'].map((name) => join(folder, name));
  return spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: [...path, process.env.PATH].join(delimiter) },
  });
}

describe('a script of package.json on a fresh clone', () => {
  // `foremark` is started often and for one thing: it sets nothing up.
  const own = Object.entries(SCRIPTS).filter(([name]) => name !== 'foremark' && name !== 'prepack');

  it.each(own)('%s sets up, then runs on the installed Node', (_, script) => {
    writeProgram('found/node', `cp ${join(folder, 'later')} ${join(folder, 'brought', 'node')}`);
    writeProgram('later', 'echo the Node that was brought: "$@"');
    mkdirSync(join(folder, 'brought'));
    for (const name of ['vitest', 'tsc', 'biome', 'knip'])
      writeProgram(`found/${name}`, `${join(folder, 'brought', 'node')} ${name} "$@"`);
    const { stdout, stderr, status } = run('sh', '-c', script);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(
      stdout
        .trim()
        .split('\n')
        .every((line) => line.startsWith('the Node that was brought: ')),
    ).toBe(true);
  });
});

it('the command explains the setup in a fresh clone, and works once that is done', () => {
  for (const name of ['scripts', 'src', 'node_modules']) mkdirSync(join(folder, name));
  copyFileSync(join(ROOT, 'scripts', 'foremark.mjs'), join(folder, 'scripts', 'foremark.mjs'));
  writeFileSync(join(folder, 'src', 'main.mjs'), 'console.log(process.argv.slice(2).join());');
  const started = () => run(process.execPath, 'scripts/foremark.mjs', 'check', '--json');
  expect(started()).toMatchObject({ status: 2, stderr: expect.stringContaining('node scripts/setup.mjs') });
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), '{}');
  expect(started()).toMatchObject({ status: 0, stdout: 'check,--json\n' });
});

it('npm may run the install scripts of the packages that have one: since npm 12 it asks', () => {
  const withScript = Object.entries(LOCKED).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const names = withScript.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(names).toContain('node');
  expect(Object.keys(ALLOWED).sort()).toEqual(names.sort());
});

it('every package is pinned: to one version where we name it, and to its bytes, which npm compares', () => {
  const wanted = Object.values(WANTED).flatMap((group) => Object.entries(group));
  expect(wanted.length).toBeGreaterThan(40);
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  const packages = Object.entries(LOCKED).filter(([path]) => path !== '');
  expect(packages.length).toBeGreaterThan(300);
  const isPinned = ({ integrity, resolved }: z.output<typeof locked>) =>
    integrity?.startsWith('sha512-') && resolved === undefined;
  expect(packages.filter(([, each]) => !isPinned(each))).toEqual([]);
});

it('nothing that Foremark needs in use runs a script when it is installed', () => {
  const used = Object.entries(LOCKED).filter(([path, { dev }]) => path !== '' && !dev);
  expect(used.map(([path]) => path)).toContain('node_modules/better-sqlite3');
  expect(used.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
});

describe('setup', () => {
  const lock = (packages: Record<string, { version?: string; optional?: boolean }>) =>
    JSON.stringify({ packages: { '': {}, ...packages } });

  beforeEach(() => {
    mkdirSync(join(folder, 'scripts'));
    mkdirSync(join(folder, 'node_modules'));
    copyFileSync(join(ROOT, 'scripts', 'setup.mjs'), join(folder, 'scripts', 'setup.mjs'));
    writeFileSync(join(folder, 'scripts', 'build-explorer.mjs'), '');
    writeProgram('brought/npm', 'echo npm "$@"');
    writeFileSync(
      join(folder, 'package-lock.json'),
      lock({
        'node_modules/a': { version: '1.0.0' },
        'node_modules/b': { version: '2.0.0', optional: true },
      }),
    );
  });
  const installed = (text: string) => writeFileSync(join(folder, 'node_modules', '.package-lock.json'), text);
  const installs = () => run(process.execPath, 'scripts/setup.mjs').stderr.includes('npm ci ');

  it('installs when nothing is installed, or another version', () => {
    expect(installs()).toBe(true);
    installed(lock({ 'node_modules/a': { version: '0.9.0' } }));
    expect(installs()).toBe(true);
  });

  it('installs development packages even where npm is told to omit them, as by NODE_ENV', () => {
    const { stderr } = run(process.execPath, 'scripts/setup.mjs');
    for (const kind of ['dev', 'optional']) expect(stderr).toContain(` --include=${kind}`);
  });

  it('lets npm run only the script that brings Node, since the others would compile what comes compiled', () => {
    const asked = run(process.execPath, 'scripts/setup.mjs').stderr.match(/^npm .*/gm);
    expect(asked).toEqual([
      expect.stringMatching(/^npm ci --ignore-scripts /),
      expect.stringMatching(/^npm rebuild .* node$/),
    ]);
    installed(lock({ 'node_modules/a': { version: '1.0.0' } }));
    expect(run(process.execPath, 'scripts/setup.mjs').stderr).toBe('');
  });

  it('says how to get the right Node where npm may run no install scripts', () => {
    const old = ['--no-experimental-strip-types', 'scripts/setup.mjs'];
    const { status, stderr } = run(process.execPath, ...old);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^npm brought no Node: .* npm rebuild node --ignore-scripts=false$/m);
    mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
    expect(run(process.execPath, ...old).status).toBe(0);
  });

  it('leaves what npm installed by itself, without packages of other platforms', () => {
    installed(lock({ 'node_modules/a': { version: '1.0.0' } }));
    expect(installs()).toBe(false);
  });
});

it('setup builds the explorer beside the one that is there, and again when a source that it is made of has changed', () => {
  const rooms = ['charts', 'explorer', 'model', 'routes', 'store'];
  for (const name of ['scripts', 'dist/explorer', 'node_modules/vite', ...rooms.map((room) => `src/${room}`)])
    mkdirSync(join(folder, name), { recursive: true });
  const change = (path: string, text: string) => writeFileSync(join(folder, path), text);
  copyFileSync(join(ROOT, 'scripts', 'build-explorer.mjs'), join(folder, 'scripts', 'build-explorer.mjs'));
  change('package-lock.json', '{}');
  change('dist/explorer/index.html', '');
  change('node_modules/vite/package.json', '{ "type": "module", "main": "vite.js" }');
  change(
    'node_modules/vite/vite.js',
    `import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
    export const build = ({ build: { outDir } }) => {
      console.log(existsSync('dist/explorer/index.html') ? 'built beside it' : 'built');
      mkdirSync(outDir);
      writeFileSync(outDir + '/index.html', 'new');
    };`,
  );
  const said = () => run(process.execPath, 'scripts/build-explorer.mjs').stdout;
  expect([said(), said()]).toEqual(['built beside it\n', '']);
  expect(readdirSync(join(folder, 'dist'))).toEqual(['explorer']);
  expect(readFileSync(join(folder, 'dist/explorer/index.html'), 'utf8')).toBe('new');
  const after = (room: string) => {
    change(`src/${room}/changed.ts`, room);
    return said() !== '';
  };
  expect(rooms.filter(after)).toEqual(['charts', 'explorer', 'model', 'routes']);
});
