import { describe, expect, it } from 'vitest';
import { measure } from './measure.ts';
import { METHODS, type Method } from './methods.ts';
import { hasRecordings } from './recorded-texts.ts';
import { rewordedSet } from './reworded.ts';
import { proposedPairs, worldSet } from './sets.ts';

const [ours, ...others] = METHODS as [Method, ...Method[]];

describe('[1/2] the quality of text matching', () => {
  it('reworded questions rank above near misses of every kind', () => {
    const set = rewordedSet();
    const figures = measure(ours, set, 0.5);
    expect(figures.first).toBeGreaterThanOrEqual(0.98);
    expect(figures.nearMiss).toBeGreaterThanOrEqual(0.99);
    expect(figures.precision).toBeGreaterThanOrEqual(0.98);
    for (const other of others) expect(measure(other, set, 0.5).first).toBeLessThan(figures.first - 0.2);
  });

  it('contracts of the simulated world find their twin on the other venue', () => {
    const figures = measure(ours, worldSet('held-out', 40), 0.5);
    expect(figures.first).toBeGreaterThanOrEqual(0.97);
    expect(figures.nearMiss).toBeGreaterThanOrEqual(0.99);
  });

  it.skipIf(!hasRecordings)('pairs that others proposed across two venues rank first', () => {
    expect(measure(ours, proposedPairs(), 0.5).first).toBeGreaterThanOrEqual(0.95);
  });
});
