const LOOK_EVERY_MS = 500;

/**
 * Under `npm run`, asks this process to end once npm's shell is gone. npm hands a signal to its shell alone, and dash
 * dies of it without telling the program that it started, which would go on for nobody.
 */
export function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  look.unref();
}
