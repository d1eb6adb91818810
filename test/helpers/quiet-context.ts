import type { CommandContext } from '../../src/commands/context.ts';
import { createEffects } from '../../src/effects.ts';
import { config } from '../../src/model/config.ts';
import type { Instant } from '../../src/model/units.ts';

/** What a command gets at an instant, in the form of the settings file; it says nothing. */
export function quietContext(settings: object, now: Instant): CommandContext {
  return {
    config: config.parse(settings),
    effects: createEffects(now),
    json: true,
    out: () => {},
    err: () => {},
    isTerminal: false,
  };
}
