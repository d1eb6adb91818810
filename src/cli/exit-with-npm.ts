const LOOK_EVERY_MS = 500;

/**
 * Under `npm run`, ends this process once npm's shell is gone. npm signals only that shell, and dash dies without passing
 * the signal on: the program would run on with nobody left to stop it.
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
