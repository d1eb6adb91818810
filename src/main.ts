#!/usr/bin/env node
/** The command. It checks the Node version before anything native is loaded, then starts the CLI. */
const NEEDED = [22, 18] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `foremark needs Node ${NEEDED.join('.')} or newer, this is ${process.versions.node}\n` +
      'in a clone, npm run brings the right one: npm run foremark -- --help\n',
  );
  process.exitCode = 2;
} else {
  process.env.TZ = 'UTC';
  const { keepCompiled } = await import('./cli/compile-cache.ts');
  keepCompiled();
  const { surviveOutputErrors } = await import('./cli/output-errors.ts');
  surviveOutputErrors(process);
  const { exitWithNpm } = await import('./cli/exit-with-npm.ts');
  exitWithNpm();
  const { runCli } = await import('./cli.ts');
  process.exitCode = await runCli(process.argv.slice(2));
}
