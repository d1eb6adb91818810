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
    const flat = [0, 10].map((at) => ({ at, value: 4 }));
    expect(linePath(flat, FRAME)).toBe('M0 5L100 5');
    expect(linePath([], FRAME)).toBe('');
  });

  it('is interrupted where there is no value, and a lone value is a dot', () => {
    const points = [0, 1, 5, 9, 10].map((at) => ({ at, value: at }));
    expect(linePath(points, FRAME, 1)).toBe('M0 10L10 9M50 5h0M90 1L100 0');
    expect(sparkline([1, null], 'one')).toBeUndefined();
    // Each value at its own day of those given: the days without one keep their room.
    expect(sparkline([null, 1, null, 2, 3, null], 'late')).toContain('d="M20 23h0M56 13L74 3"');
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

describe('a heat map', () => {
  const map = (names: readonly string[], value: number | null = null) =>
    heatMap(
      names,
      names.map((_row, i) => names.map((_column, j) => (i === j ? 1 : value))),
      'correlation',
    );
  /** What is drawn: attributes of all elements with a name. */
  const all = (svg: string, name: string, ...attributes: string[]) =>
    [...svg.matchAll(new RegExp(`<${name} [^>]*>`, 'g'))].map(([drawn]) =>
      attributes.map((each) => new RegExp(` ${each}="([^"]*)"`).exec(drawn)?.[1]),
    );

  it('has one square per pair, and says where there is nothing to compare', () => {
    const drawn = map(['A', 'B']);
    expect(all(drawn, 'rect', 'class')).toEqual([['positive'], ['absent'], ['absent'], ['positive']]);
    expect(drawn).toContain('A – B: not enough days');
  });

  it('shows the sign of a pair as its colour and the value as its strength, in the row and column of its names', () => {
    const drawn = map(['A', 'B'], -0.25);
    expect(all(drawn, 'rect', 'class', 'fill-opacity', 'x', 'y')).toEqual([
      ['positive', undefined, '13', '18'],
      ['negative', '0.25', '45', '18'],
      ['negative', '0.25', '13', '50'],
      ['positive', undefined, '45', '50'],
    ]);
    expect(drawn).toContain('A – B: -0.25');
    expect(drawn).toContain('viewBox="0 0 77 82"');
    expect(all(map(['A', 'B'], 0), 'rect', 'class')[1]).toEqual(['positive']);
    // A name is beside the middle of its row, and above the middle of its column.
    expect(all(drawn, 'text', 'x', 'y', 'text-anchor')).toEqual([
      ['7', '38', 'end'],
      ['29', '12', 'middle'],
      ['7', '70', 'end'],
      ['61', '12', 'middle'],
    ]);
  });

  it('numbers names that are too long to head a column, and has no labels for more than 48', () => {
    const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
    expect(texts(map(['A', 'GA']))).toEqual(['A', 'A', 'GA', 'GA']);
    expect(texts(map(['A', 'Georgia']))).toEqual(['A 1', '1', 'Georgia 2', '2']);
    expect(texts(map(['The Senate seat of Georgia, won by the party of the governor', 'B']))[0]).toBe(
      'The Senate seat…of the governor 1',
    );
    const many = (count: number) => map(Array.from({ length: count }, (_, i) => `N${i}`));
    expect(texts(many(48))).toHaveLength(96);
    expect(texts(many(49))).toEqual([]);
    // Squares shrink with their number, to ten pixels at the least, and the letters with them.
    expect(all(many(48), 'text', 'font-size')[0]).toEqual(['9']);
    expect(all(many(49), 'rect', 'x', 'y').at(-1)).toEqual(['528', '528']);
    expect(all(many(100), 'rect', 'x', 'y').at(-1)).toEqual(['990', '990']);
  });
});

describe('a map of states', () => {
  const map = stateMap(
    [
      { state: 'GA', change: 2, text: '+2.0', title: 'Georgia up' },
      { state: 'OH', change: -1, text: '−1.0', title: 'Ohio down' },
      { state: 'ME', change: 0, text: '0.0', title: 'Maine' },
      { state: 'TX', text: 'new', title: 'Texas' },
    ],
    'four',
  );
  const tile = (title: string) => new RegExp(`<g [^>]*><title>${title}</title>.*?</g>`).exec(map)?.[0];

  it('has a tile for each of the fifty and the capital, blank where nothing is given', () => {
    expect(map.match(/<g class="tile"/g)).toHaveLength(4);
    expect(map.match(/<g class="tile blank"/g)).toHaveLength(47);
    for (const text of ['+2.0', '−1.0', '0.0', 'new']) expect(map).toContain(`class="value">${text}</text>`);
    expect(areStates(['GA', 'DC'])).toBe(true);
    expect(areStates(['North', 'South'])).toBe(false);
    expect(areStates(['.'])).toBe(false);
    expect(areStates([])).toBe(false);
  });

  it('colours what changed by its sign, the more the stronger', () => {
    expect(tile('Georgia up')).toContain('class="positive" fill-opacity="0.65"');
    expect(tile('Ohio down')).toContain('class="negative" fill-opacity="0.4"');
    for (const still of ['Maine', 'Texas']) expect(tile(still)).not.toContain('fill-opacity');
  });
});

it('numbers and instants are formatted for people', () => {
  expect(formatLevel(1398.418539)).toBe('1,398.42');
  expect(formatLevel(0.4)).toBe('0.40');
  expect(formatLevel(0)).toBe('0.00');
  expect(formatLevel(0.00098)).toBe('0.00098');
  expect(formatCents(0.0333)).toBe('0.0333¢');
  expect(formatChange(-1.5, '%')).toBe('−1.50%');
  expect(formatChange(-0.001, '¢')).toBe('0.00¢');
  expect(formatMoment('2026-10-29T12:00:00Z')).toBe('29 Oct 2026, 12:00 UTC');
});
