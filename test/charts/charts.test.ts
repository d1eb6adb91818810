import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartCard } from '../../src/charts/card.ts';
import { heatMap } from '../../src/charts/heat-map.ts';
import { linePath } from '../../src/charts/line.ts';
import { sparkline } from '../../src/charts/sparkline.ts';
import { areStates, stateMap } from '../../src/charts/state-map.ts';
import { escapeText } from '../../src/charts/svg.ts';
import { formatCents, formatChange, formatLevel, formatMoment } from '../../src/charts/wording.ts';

const FRAME = { left: 0, top: 0, width: 100, height: 10 };

describe('a line', () => {
  it('runs from left to right through its frame, the highest value at the top', () => {
    const points = [
      { at: 0, value: 1 },
      { at: 5, value: 3 },
      { at: 10, value: 2 },
    ];
    expect(linePath(points, FRAME)).toBe('M0 10L50 0L100 5');
  });

  it('is in the middle when nothing moved, and empty without points', () => {
    expect(linePath([{ at: 0, value: 4 }], FRAME)).toBe('M0 5H100');
    expect(linePath([], FRAME)).toBe('');
    expect(sparkline([1], 'one')).toBeUndefined();
  });

  it('stays inside its frame, whatever the values', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 2 }), (values) => {
        const path = linePath(
          values.map((value, at) => ({ at, value })),
          FRAME,
        );
        const numbers = path.match(/-?[\d.]+(e-?\d+)?/g)?.map(Number) ?? [];
        expect(numbers.every((each) => each >= 0 && each <= 100)).toBe(true);
      }),
    );
  });
});

describe('text in a picture', () => {
  it('is never treated as markup, and is valid XML', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = escapeText(text);
        expect(written).not.toMatch(/[<>"]/);
        expect(written.isWellFormed()).toBe(true);
        expect([...written].filter((each) => each < ' ' && !'\t\n\r'.includes(each))).toEqual([]);
      }),
    );
    const card = chartCard({
      title: '<b>"A" & B</b>',
      value: '1',
      date: '',
      source: '',
      points: [],
      format: String,
    });
    expect(card).toContain('&lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;');
  });

  it('is cut after two lines of a title', () => {
    const title = 'word '.repeat(60);
    const card = chartCard({ title, value: '1', date: '', source: '', points: [], format: String });
    expect(card.match(/<text[^>]*font-size="18"/g)).toHaveLength(2);
    expect(card).toContain('…</text>');
  });
});

it('a heat map has one square per pair, and says where there is nothing to compare', () => {
  const map = heatMap(
    ['A', 'B'],
    [
      [1, null],
      [null, 1],
    ],
    'two',
  );
  expect(map.match(/<rect/g)).toHaveLength(4);
  expect(map).toContain('A – B: not enough days');
});

it('a map of states has a tile for each of the fifty and the capital', () => {
  const map = stateMap([{ state: 'GA', change: 2, text: '+2.0', title: 'Georgia' }], 'one');
  expect(map.match(/<g /g)).toHaveLength(51);
  expect(map.match(/class="positive"/g)).toHaveLength(1);
  expect(areStates(['GA', 'DC'])).toBe(true);
  expect(areStates(['North', 'South'])).toBe(false);
  expect(areStates(['.'])).toBe(false);
});

it('numbers and instants are formatted for people', () => {
  expect(formatLevel(1398.418539)).toBe('1,398.42');
  expect(formatLevel(0.4)).toBe('0.40');
  expect(formatLevel(0)).toBe('0.00');
  expect(formatLevel(0.00098)).toBe('0.00098');
  expect(formatCents(0.0333)).toBe('0.0333¢');
  expect(formatChange(-1.5, '%')).toBe('−1.50%');
  expect(formatChange(0.001, '¢')).toBe('0.00¢');
  expect(formatMoment('2026-10-29T12:00:00Z')).toBe('29 Oct 2026, 12:00 UTC');
});
