import { expect, it } from 'vitest';
import { z } from 'zod';
import { findNote, setNote } from '../../src/store/notes.ts';
import { openStore } from '../../src/store/store.ts';

it('is read as written, by its feed and name; another shape counts as no note', () => {
  const shape = z.object({ from: z.number(), held: z.boolean() });
  const note = { from: 1, held: false };
  openStore(':memory:').write((writer) => {
    setNote(writer, 'f', 'x', note);
    setNote(writer, 'f', 'y', { from: 1 });
    expect(findNote(writer, 'f', 'x', shape)).toEqual(note);
    expect(findNote(writer, 'f', 'y', shape)).toBeUndefined();
    expect(findNote(writer, 'g', 'x', shape)).toBeUndefined();
    setNote(writer, 'f', 'y', note);
    expect(findNote(writer, 'f', 'y', shape)).toEqual(note);
  });
});

it('a text is read even where an older program noted it as it is', () => {
  openStore(':memory:').write((writer) => {
    setNote(writer, 'f', 'day', '2026-08-18');
    writer.run("INSERT INTO checkpoints (feed, name, value) VALUES ('f', 'before', '2026-08-17')");
    const days = ['day', 'before'].map((name) => findNote(writer, 'f', name, z.string()));
    expect(days).toEqual(['2026-08-18', '2026-08-17']);
  });
});
