import { type Frame, linePath, type Point, placed, rangeOf } from './line.ts';
import { element, escapeText, picture } from './svg.ts';

/** Twice this is the size that social sites ask of a picture. */
const WIDTH = 600;
const HEIGHT = 315;
const FRAME: Frame = { left: 32, top: 148, width: 496, height: 104 };
const INK = '#14202b';
const FAINT = '#5a6875';
const RISE = '#0b7a53';
const FALL = '#b3372a';

/** The content of a chart card, as formatted text. */
export interface Card {
  title: string;
  /** The level or price; a word where there is none. */
  value: string;
  /** Its unit, written small beside it. */
  unit?: string;
  /** The change beside it, with its sign. */
  change?: { text: string; rises: boolean };
  /** Instant of the last print and what the value is. */
  date: string;
  /** The publisher. */
  source: string;
  /** In time order. */
  points: readonly Point[];
  /** Formats a value for the axis. */
  format(value: number): string;
}

/** A picture of an index or rate that can be embedded without any script: title, level, line, date, source. */
export function chartCard(card: Card): string {
  const { points, value, unit = '', change } = card;
  const lines = wrapped(card.title);
  const trend = (points.at(-1)?.value ?? 0) >= (points[0]?.value ?? 0) ? RISE : FALL;
  const label = `${card.title}: ${value}${unit && ` ${unit}`}${change ? `, ${change.text}` : ''}, ${card.date}`;
  return picture(
    { width: WIDTH, height: HEIGHT, label, 'font-family': 'Inter, system-ui, sans-serif', fill: INK },
    element('rect', { width: WIDTH, height: HEIGHT, rx: 12, fill: '#ffffff' }),
    element('rect', {
      x: 0.5,
      y: 0.5,
      width: WIDTH - 1,
      height: HEIGHT - 1,
      rx: 11.5,
      fill: 'none',
      stroke: '#d5dce2',
    }),
    ...lines.map((line, i) => write(line, { x: 32, y: 44 + 23 * i, size: 18, weight: 600 })),
    write(value, { x: 32, y: 124, size: 40, weight: 600 }, unit),
    change
      ? write(change.text, {
          x: WIDTH - 32,
          y: 124,
          size: 18,
          anchor: 'end',
          fill: change.rises ? RISE : FALL,
        })
      : '',
    ...drawn(card, trend),
    write(card.date, { x: 32, y: HEIGHT - 24, size: 13, fill: FAINT }),
    write(card.source, { x: WIDTH - 32, y: HEIGHT - 24, size: 13, anchor: 'end', fill: FAINT }),
  );
}

function drawn({ points, format }: Card, stroke: string): string[] {
  const range = rangeOf(points);
  const end = placed(points, FRAME).at(-1);
  if (!range || !end || points.length < 2) return [];
  const bottom = FRAME.top + FRAME.height;
  const path = linePath(points, FRAME);
  const axis = { x: WIDTH - 32, size: 12, anchor: 'end', fill: FAINT };
  return [
    element('path', { d: `${path}V${bottom}H${FRAME.left}Z`, fill: stroke, 'fill-opacity': 0.09 }),
    element('path', { d: path, fill: 'none', stroke, 'stroke-width': 2, 'stroke-linejoin': 'round' }),
    element('circle', { cx: end.x, cy: end.y, r: 3.5, fill: stroke }),
    write(format(range.high), { ...axis, y: FRAME.top + 4 }),
    ...(range.high === range.low ? [] : [write(format(range.low), { ...axis, y: bottom + 4 })]),
  ];
}

interface Writing {
  x: number;
  y: number;
  size: number;
  weight?: number;
  anchor?: string;
  fill?: string;
}

function write(text: string, { x, y, size, weight, anchor, fill }: Writing, unit = ''): string {
  const attributes = { x, y, 'font-size': size, 'font-weight': weight, 'text-anchor': anchor, fill };
  const small = { dx: 8, 'font-size': size * 0.4, 'font-weight': 400, fill: FAINT };
  return element(
    'text',
    attributes,
    escapeText(text),
    unit === '' ? '' : element('tspan', small, escapeText(unit)),
  );
}

/** Characters of a title that fit in a line. */
const LINE = 54;

/** A title in at most two lines, cut where it is longer. */
function wrapped(title: string): string[] {
  const lines: string[] = [];
  for (const word of title.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < LINE) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  const [first = '', second, ...more] = lines;
  if (second === undefined) return [cut(first, LINE)];
  return [cut(first, LINE), cut(more.length > 0 ? `${second} …` : second, LINE)];
}

function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
