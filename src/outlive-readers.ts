import { EXIT } from './commands/context.ts';

/**
 * Has the command go on when its output cannot be written: it has begun something. That a reader has gone (`| head`, a
 * program of logs that died) is no error; where a disk is full, say, a command that was complete otherwise ends with 4.
 */
export function outliveReaders({ stdout, stderr }: NodeJS.Process): void {
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
