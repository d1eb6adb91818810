import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import { type Card, chartCard } from '../../src/charts/card.ts';
import { formatChange, formatLevel } from '../../src/charts/wording.ts';
import { openRenderer } from '../../src/publish/cards/png.ts';

const { resolve } = createRequire(import.meta.url);
const fontFiles = ['400Regular/Inter_400Regular', '600SemiBold/Inter_600SemiBold'].map((file) =>
  resolve(`@expo-google-fonts/inter/${file}.ttf`),
);

/** A font of boxes: Hebrew letters half as wide as high, some Chinese ones half as wide again. */
const BOXES = join(import.meta.dirname, 'files/boxes.ttf');

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where each text of a card stands, and the end of its line, as the font draws them. */
function boxesOf(svg: string, more: readonly string[] = []): Box[] {
  const open = /^<svg[^>]*>/.exec(svg)?.[0] ?? '';
  return (svg.match(/<text.*?<\/text>|<circle[^>]*>/g) ?? []).map((text) => {
    const options = {
      font: { fontFiles: [...fontFiles, ...more], loadSystemFonts: false, defaultFontFamily: 'Inter' },
    };
    const found = new Resvg(`${open}${text}</svg>`, options).getBBox();
    const { x = 0, y = 0, width = 0, height = 0 } = found ?? {};
    return { left: x, right: x + width, top: y, bottom: y + height };
  });
}

const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const VALUES = [0.001, 50.5, 1000, 123_456.78, 12_345_678.9, 997_534_883.72, 99_753_488_372.9];
const TITLES = [
  'A basket',
  'W'.repeat(200),
  'MMMM mmmm WWWW '.repeat(14),
  'Überlange Wörter, größer als gewöhnlich, '.repeat(6),
  'Supercalifragilisticexpialidocious'.repeat(5),
];

function cardOf(title: string, value: number, change: number): Card {
  return {
    title,
    value: formatLevel(value),
    unit: 'points',
    change: `${formatChange(change, '%')} in 7 days`,
    date: 'as of 29 Oct 2026, 12:00 UTC',
    source: 'Foremark · A.LONG.TICKER-2026',
    points: [value / 3, value / 9, value].map((each, at) => ({ at, value: each })),
    format: formatLevel,
  };
}

describe('a chart card', () => {
  it.each([
    [0.004, 50, '#5a6875'],
    [0.01, 60, '#0b7a53'],
    [-0.01, 40, '#b3372a'],
  ])('colours a change of %d and a line from 50 to %d as they are shown', (change, end, colour) => {
    const points = [50, end].map((value, at) => ({ at, value }));
    const svg = chartCard({ ...cardOf('A basket', 50, change), points });
    expect(svg.match(/<text[^>]*fill="(#\w+)">[^<]*in 7 days/)?.[1]).toBe(colour);
    expect(svg.match(/stroke="(#\w+)" stroke-width="2"/)?.[1]).toBe(colour);
  });

  it.each(TITLES)(
    'has no text over another, past the end of its line, or beyond its edges: %.20s',
    (title) => {
      for (const value of VALUES)
        for (const change of [0, -13.4, 987_654.32]) {
          const boxes = boxesOf(chartCard(cardOf(title, value, change)));
          expect(boxes.length).toBeGreaterThan(6);
          for (const [i, box] of boxes.entries()) {
            expect(box.left, `${value} ${change} ${i}`).toBeGreaterThanOrEqual(30);
            expect(box.right, `${value} ${change} ${i}`).toBeLessThanOrEqual(570);
            for (const other of boxes.slice(i + 1))
              expect(meet(box, other), `${value} ${change} ${i}`).toBe(false);
          }
        }
    },
  );

  it.each([
    '\u4e01'.repeat(80),
    `\u4e01${' \u4e02\u4e03\u4e04\u4e05\u4e06'.repeat(14)}`,
    '\u05d0'.repeat(300),
  ])('has room for a title in letters of another font: %.20s', async (title) => {
    const { widthOf } = await openRenderer([BOXES]);
    const svg = chartCard(cardOf(title, 50, 1), widthOf);
    const boxes = boxesOf(svg, [BOXES]);
    for (const { right } of boxes) expect(right).toBeLessThanOrEqual(570);
    expect(Math.max(...boxes.slice(0, 2).map(({ right }) => right))).toBeGreaterThan(500);
  });

  it('breaks a title without blanks between letters of such scripts, and after their full stop, not before it', () => {
    const split = (before: number) =>
      linesOf(chartCard(cardOf(`${'漢'.repeat(before)}。${'字'.repeat(10)}`, 50, 1)));
    expect(split(29)).toEqual([`${'漢'.repeat(28)}`, `漢。${'字'.repeat(10)}`]);
    expect(split(28)).toEqual([`${'漢'.repeat(28)}。`, `${'字'.repeat(10)}`]);
  });

  it.each([
    ['שלום Biden?', ['\u2067שלום Biden?\u2069']],
    ['2026: هل سيفوز؟', ['\u20672026: هل سيفوز؟\u2069']],
    ['Biden או Trump?', ['Biden או Trump?']],
  ])('marks a title that begins in a script read from the right: %s', (title, lines) => {
    expect(linesOf(chartCard(cardOf(title, 50, 1)))).toEqual(lines);
  });
});

/** The lines of a card's title. */
function linesOf(svg: string): string[] {
  return [...svg.matchAll(/y="(?:44|67)" font-size="18" font-weight="600">(.*?)<\/text>/g)].map(
    ([, line = '']) => line,
  );
}
