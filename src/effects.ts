import { setTimeout } from 'node:timers/promises';
import type { Effects } from './model/effects.ts';
import type { Instant } from './model/units.ts';

/**
 * The real outside world. No other file reads the clock.
 *
 * @param fixedNow stops the clock at an instant, so that a run can be repeated to the byte
 */
export function createEffects(fixedNow?: Instant): Effects {
  return {
    now: () => fixedNow ?? Date.now(),
    fetch: (input, init) => fetch(input, init),
    sleep: async (ms, signal) => {
      await setTimeout(ms, undefined, signal ? { signal } : {});
    },
    random: () => Math.random(),
  };
}
