const LOOK_EVERY_MS = 500;

/**
 * Under `npm run`, asks this process to end once npm's shell is gone. npm passes a signal to that shell only, and dash
 * dies of it without telling the program it started, which would then run on with nobody to stop it.
 */
export function exitWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  look.unref();
}
