#!/usr/bin/env node
// The command. It checks the Node version before anything native is loaded, then starts the CLI. Plain JavaScript, which
// any Node reads; and one file of TypeScript loaded before the cache is there would load the stripper of types each time.
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

const NEEDED = /** @type {const} */ ([22, 18]);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `foremark needs Node ${NEEDED.join('.')} or newer, this is ${process.versions.node}\n` +
      'in a clone, npm run brings the right one: npm run foremark -- --help\n',
  );
  process.exitCode = 2;
} else {
  process.env.TZ = 'UTC';
  keepCompiled();
  const { surviveOutputErrors } = await import('./cli/output-errors.ts');
  surviveOutputErrors(process);
  const { exitWithNpm } = await import('./cli/exit-with-npm.ts');
  exitWithNpm();
  const { runCli } = await import('./cli.ts');
  process.exitCode = await runCli(process.argv.slice(2));
}

/**
 * Keeps stripped and compiled sources between starts, which halves the start-up time. Since they are executed, they are
 * kept in the user's own cache folder; without one there is no cache.
 */
function keepCompiled() {
  const caches = [process.env.XDG_CACHE_HOME ?? '', join(homeOf(), '.cache')].find(isAbsolute);
  if (caches !== undefined) module.enableCompileCache(join(caches, 'foremark'));
}

// Node throws when neither the environment nor the system knows a home folder for the user.
function homeOf() {
  try {
    return homedir();
  } catch {
    return '';
  }
}
