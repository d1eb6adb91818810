import { expect, it } from 'vitest';
import { z } from 'zod';
import { findNote, setNote } from '../../src/ingest/notes.ts';
import { openStore } from '../../src/store/store.ts';

it('is read as it was noted, by its feed and name; another shape is no note', () => {
  const shape = z.object({ from: z.number(), held: z.boolean() });
  const note = { from: 1, held: false };
  openStore(':memory:').write((writer) => {
    setNote(writer, 'f', 'x', note);
    setNote(writer, 'f', 'y', { from: 1 });
    expect(findNote(writer, 'f', 'x', shape)).toEqual(note);
    expect(findNote(writer, 'f', 'y', shape)).toBeUndefined();
    expect(findNote(writer, 'g', 'x', shape)).toBeUndefined();
  });
});
