// Bundles src and the simulated world to dist/, since a few files load faster than hundreds, copies the SQL migrations and
// data tables beside their readers, and builds the explorer.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist');

/**
 * Packages that are bundled as well, since every start needs them: finding and loading their files one by one would
 * take longer.
 */
const BUNDLED = [
  '@hono/node-server',
  'commander',
  'hono',
  'ipaddr.js',
  'lru-cache',
  'simple-statistics',
  'zod',
];

/** Programs and threads, by the path under which each is found. */
const ENTRIES = {
  'src/main': 'src/main.mjs',
  'src/bundle/search-thread': 'src/serve/threads/search-thread.ts',
  'src/bundle/export-thread': 'src/serve/threads/export-thread.ts',
  'src/bundle/reader-process': 'src/ingest/attachments/reader-process.ts',
  'src/bundle/reader-thread': 'src/ingest/attachments/reader-thread.ts',
  'scripts/world/serve': 'scripts/world/serve.ts',
};

/**
 * Replaces imports of Node's own modules by `getBuiltinModule`. An import evaluates all exports, including lazy ones (the
 * standard streams, fetch), which takes a tenth of the start-up time.
 */
const takeBuiltins = {
  name: 'take-builtins',
  renderChunk: (/** @type {string} */ code) => ({
    code: code.replace(IMPORT_OF_BUILTIN, builtinTaken),
    map: null,
  }),
};
const IMPORT_OF_BUILTIN =
  /^import (?:(?<whole>[\w$]+)(?:, )?)?(?<names>\{[^}]*\})? from "(?<builtin>node:[\w/]+)";$/gm;

/** @param {any[]} match the parts of the import, the named ones last */
function builtinTaken(...match) {
  const { whole, names, builtin } = match.at(-1);
  const taken = [whole, names?.replaceAll(' as ', ': ')].filter((each) => each !== undefined);
  return `const ${taken.map((each) => `${each} = process.getBuiltinModule("${builtin}")`).join(', ')};`;
}

// All but the explorer, which its own build replaces: a publish may need it meanwhile.
for (const name of existsSync(out) ? readdirSync(out) : [])
  if (name !== 'explorer') rmSync(join(out, name), { recursive: true, force: true });
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  ssr: { noExternal: BUNDLED },
  plugins: [takeBuiltins],
  build: {
    ssr: true,
    outDir: out,
    emptyOutDir: false,
    target: 'node22',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: ENTRIES,
      output: { entryFileNames: '[name].js', chunkFileNames: 'src/bundle/[name]-[hash].js' },
    },
  },
});
// Two folders down, like their readers in the sources, so that the same relative paths work.
cpSync(join(root, 'src/store/migrations'), join(out, 'src/bundle/migrations'), { recursive: true });
cpSync(join(root, 'data/similarity'), join(out, 'data/similarity'), { recursive: true });
writeFileSync(join(out, 'licences.txt'), BUNDLED.map(licenceOf).join('\n\n'));
await import('./build-explorer.mjs');

/**
 * The licence of a package whose code is in ours.
 * @param {string} name
 */
function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${name} says no licence`);
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
