import { readFileSync } from 'node:fs';

/**
 * The peak memory of this process in MB: from Linux where possible, since Node's figure includes the memory of the parent
 * process at the fork.
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
