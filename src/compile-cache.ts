import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Keeps stripped and compiled sources between starts, which halves the time of a start. They lie in a folder of the
 * user's own, because what lies there is executed; a user who has none does without.
 */
export function keepCompiled(): void {
  const caches = [process.env.XDG_CACHE_HOME ?? '', join(homeOf(), '.cache')].find(isAbsolute);
  if (caches !== undefined) enableCompileCache(join(caches, 'foremark'));
}

// Node throws where the environment names no home and the user is none that the system knows.
function homeOf(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}
