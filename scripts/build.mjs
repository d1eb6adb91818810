// Bundles src and the simulated world to dist/, where few files are soon read, copies the SQL migrations and tables
// beside their readers, and builds the explorer.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist');

/** Packages that are needed before a command has begun: to look each up and load it file by file takes longer than it. */
const TAKEN_IN = [
  '@hono/node-server',
  'commander',
  'hono',
  'ipaddr.js',
  'lru-cache',
  'simple-statistics',
  'zod',
];

/** What is started as a program or thread: the name that each is found under, as in the sources. */
const ENTRIES = {
  'src/main': 'src/main.ts',
  'src/bundle/search-thread': 'src/serve/threads/search-thread.ts',
  'src/bundle/export-thread': 'src/serve/threads/export-thread.ts',
  'src/bundle/reader-process': 'src/ingest/attachments/reader-process.ts',
  'src/bundle/reader-thread': 'src/ingest/attachments/reader-thread.ts',
  'scripts/world/serve': 'scripts/world/serve.ts',
};

/**
 * Takes Node's own modules as they are. To import one makes all its exports at once, also those that Node keeps until they
 * are asked for (the standard streams, a web client): a tenth of the time that a start takes.
 */
const takeBuiltins = {
  name: 'take-builtins',
  renderChunk: (code) => ({ code: code.replace(IMPORT_OF_BUILTIN, builtinTaken), map: null }),
};
const IMPORT_OF_BUILTIN =
  /^import (?:(?<whole>[\w$]+)(?:, )?)?(?<names>\{[^}]*\})? from "(?<builtin>node:[\w/]+)";$/gm;

function builtinTaken(...match) {
  const { whole, names, builtin } = match.at(-1);
  const taken = [whole, names?.replaceAll(' as ', ': ')].filter((each) => each !== undefined);
  return `const ${taken.map((each) => `${each} = process.getBuiltinModule("${builtin}")`).join(', ')};`;
}

rmSync(out, { recursive: true, force: true });
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  ssr: { noExternal: TAKEN_IN },
  plugins: [takeBuiltins],
  build: {
    ssr: true,
    outDir: out,
    target: 'node22',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: ENTRIES,
      output: { entryFileNames: '[name].js', chunkFileNames: 'src/bundle/[name]-[hash].js' },
    },
  },
});
// Two folders down, as their readers stand in the sources: what lies beside them is found by the same paths.
cpSync(join(root, 'src/store/migrations'), join(out, 'src/bundle/migrations'), { recursive: true });
cpSync(join(root, 'data/similarity'), join(out, 'data/similarity'), { recursive: true });
writeFileSync(join(out, 'licences.txt'), TAKEN_IN.map(licenceOf).join('\n\n'));
await import('./build-explorer.mjs');

/** The licence of a package whose code is in ours. */
function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${name} says no licence`);
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
