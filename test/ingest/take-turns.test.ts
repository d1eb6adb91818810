import fc from 'fast-check';
import { expect, it } from 'vitest';
import { takeTurns } from '../../src/ingest/take-turns.ts';
import { openStore } from '../../src/store/store.ts';

it('ids take turns when there are more than a run may ask about, however many come and go', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.boolean(), { minLength: 26, maxLength: 26 }), { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 4, max: 30 }),
      (there, most) => {
        const store = openStore(':memory:');
        const letters = [...'abcdefghijklmnopqrstuvwxyz'];
        const asked = new Set<string>();
        for (const run of there) {
          // What stays is there in every run.
          const ids = letters.filter((_, i) => i % 2 === 0 || run[i]);
          const turns = store.write((writer) => takeTurns(writer, 'feed', ids, most));
          expect(turns.length).toBe(Math.min(most, ids.length));
          expect(new Set(turns).size).toBe(turns.length);
          for (const id of turns) asked.add(id);
        }
        expect(letters.filter((id, i) => i % 2 === 0 && !asked.has(id))).toEqual([]);
        store.close();
      },
    ),
    { numRuns: 50 },
  );
});
