import { expect, it, vi } from 'vitest';
import { drawsBars } from '../../src/commands/context.ts';
import { progressLines } from '../../src/commands/progress.ts';
import { progressBars } from '../../src/commands/progress-bars.ts';
import { quietContext } from '../helpers/quiet-context.ts';

it('[C/1] in a pipe progress is a few plain lines, always including the last', () => {
  const lines: string[] = [];
  const progress = progressLines({ ...quietContext({}, 0), err: (text) => lines.push(text) });
  for (let done = 1; done <= 1000; done++) progress.tell('compute', done, 1000);
  progress.tell('publish', 7);
  progress.tell('publish', 8, 8);
  progress.end();
  expect(lines.length).toBeLessThan(6);
  expect(lines).toContain('compute 1000 of 1000');
  expect(lines.at(-1)).toBe('publish 8 of 8');
  expect(lines.join('')).not.toContain('\u001b');
});

it('on a terminal, progress changes no setting that an interrupted run would leave behind', () => {
  const { stderr } = process;
  const { isTTY } = stderr;
  let shown = '';
  const write = vi.spyOn(stderr, 'write').mockImplementation((text) => {
    shown += String(text);
    return true;
  });
  stderr.isTTY = true;
  const progress = progressBars();
  progress.tell('publish', 5, 10);
  progress.end();
  stderr.isTTY = isTTY;
  write.mockRestore();
  expect(shown).toContain('\u001b[');
  // A hidden cursor, lines that do not wrap.
  for (const left of ['?25l', '?7l']) expect(shown).not.toContain(left);
});

it('a dumb terminal, as in an editor, gets lines', () => {
  expect(drawsBars({ isTTY: true }, 'xterm')).toBe(true);
  expect(drawsBars({ isTTY: true }, 'dumb')).toBe(false);
  expect(drawsBars({}, undefined)).toBe(false);
});
