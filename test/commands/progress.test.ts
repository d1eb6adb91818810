import { expect, it } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { showProgress } from '../../src/commands/progress.ts';
import { createEffects } from '../../src/effects.ts';
import { config } from '../../src/model/config.ts';

it('[C/1] in a pipe progress is plain lines, few of them, and always the last', () => {
  const lines: string[] = [];
  const context: CommandContext = {
    config: config.parse({}),
    effects: createEffects(0),
    json: false,
    out: () => {},
    err: (text) => lines.push(text),
    isTerminal: false,
  };
  const progress = showProgress(context);
  for (let done = 1; done <= 1000; done++) progress.tell('compute', done, 1000);
  progress.tell('publish', 7);
  progress.tell('publish', 8, 8);
  progress.end();
  expect(lines.length).toBeLessThan(6);
  expect(lines).toContain('compute 1000 of 1000');
  expect(lines.at(-1)).toBe('publish 8 of 8');
  expect(lines.join('')).not.toContain('\u001b');
});
