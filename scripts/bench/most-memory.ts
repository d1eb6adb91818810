import { readFileSync } from 'node:fs';

/**
 * The most memory that this process held so far, in MB. Linux tells it; what Node tells counts what the process held that
 * began this one, too, as it does where nothing else is told.
 */
export function mostMemory(): number {
  return Math.round((heldAtMost() ?? process.resourceUsage().maxRSS) / 1024);
}

function heldAtMost(): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes);
  } catch {
    return undefined;
  }
}
