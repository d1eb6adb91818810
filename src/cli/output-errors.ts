import { EXIT } from '../commands/context.ts';

/**
 * Lets a command finish even if its output can no longer be written. A reader that went away (`| head`) is no error; after
 * any other failure, such as a full disk, a command that would have exited with 0 exits with 4.
 */
export function surviveOutputErrors({ stdout, stderr }: NodeJS.Process): void {
  let failed = false;
  const failedWith = (name: string, { code, message }: NodeJS.ErrnoException) => {
    if (failed || code === 'EPIPE') return;
    failed = true;
    stderr.write(`foremark: ${name}: ${message}\n`);
    process.once('exit', (ended) => {
      if (ended === EXIT.complete) process.exitCode = EXIT.unusable;
    });
  };
  stdout.on('error', (error) => failedWith('standard output', error));
  stderr.on('error', (error) => failedWith('standard error', error));
}
