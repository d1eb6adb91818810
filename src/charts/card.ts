import { type Frame, linePath, type Point, placed, rangeOf } from './line.ts';
import { element, escapeText, picture } from './svg.ts';
import { textWidth, type WidthOf } from './text-width.ts';
import { formatDay, wayOf } from './wording.ts';

/** Half of the size that social sites ask for; the PNG is drawn at twice this size. */
const WIDTH = 600;
const HEIGHT = 315;
const MARGIN = 32;
const ROOM = WIDTH - 2 * MARGIN;
/** The frame of the line and of the axis labels to the right of it. */
const FRAME: Frame = { left: MARGIN, top: 148, width: ROOM, height: 104 };
const TITLE_SIZE = 18;
const VALUE_SIZE = 40;
const CHANGE_SIZE = 18;
const UNIT_SIZE = 0.4;
const AXIS_SIZE = 12;
/** How far below the line the day of its beginning is written. */
const DAY_BELOW = 16;
/** The space between the line and its axis labels, and between the value and its change. */
const GAP = 12;
const INK = '#14202b';
const FAINT = '#5a6875';
const COLOURS = { rise: '#0b7a53', fall: '#b3372a' };

/** The content of a chart card, as formatted text. */
export interface Card {
  title: string;
  /** The level or price, or a word if there is none. */
  value: string;
  /** The unit of the value, written small beside it. */
  unit?: string;
  /** The change shown beside the value, with its sign. */
  change?: string;
  /** When the last print was made, in words; empty if there is none. */
  date: string;
  /** The publisher. */
  source: string;
  /** In time order. */
  points: readonly Point[];
  /** Formats a value for the axis. */
  format(value: number): string;
}

/**
 * A picture of an index or rate that can be embedded without any script: title, level, line with its first day, date, source.
 *
 * @param widthOf measures the title, if it is not drawn in Inter
 */
export function chartCard(card: Card, widthOf: WidthOf = textWidth): string {
  const { value, unit = '', change } = card;
  const lines = wrapped(card.title, (line) => widthOf(line, TITLE_SIZE) <= ROOM);
  const label = `${card.title}: ${value}${unit && ` ${unit}`}${change ? `, ${change}` : ''}, ${card.date}`;
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
    ...lines.map((line, i) =>
      write(isolated(line, card.title), { x: MARGIN, y: 44 + 23 * i, size: TITLE_SIZE, weight: 600 }),
    ),
    write(value, { x: MARGIN, y: 124, size: valueSize(card), weight: 600 }, unit),
    change
      ? write(change, {
          x: WIDTH - MARGIN,
          y: 124,
          size: CHANGE_SIZE,
          anchor: 'end',
          fill: colourOf(wayOf(change)),
        })
      : '',
    ...drawn(card),
    write(card.date, { x: MARGIN, y: HEIGHT - 24, size: 13, fill: FAINT }),
    write(card.source, { x: WIDTH - MARGIN, y: HEIGHT - 24, size: 13, anchor: 'end', fill: FAINT }),
  );
}

/** The font size at which a value and its unit leave room for the change beside them. */
function valueSize({ value, unit = '', change }: Card): number {
  const taken = change ? textWidth(change, CHANGE_SIZE) + GAP : 0;
  const wanted =
    textWidth(value, VALUE_SIZE) + (unit === '' ? 0 : GAP + textWidth(unit, VALUE_SIZE * UNIT_SIZE));
  return Math.floor(VALUE_SIZE * Math.min(1, (ROOM - taken) / wanted));
}

function colourOf(way: keyof typeof COLOURS | undefined): string {
  return way === undefined ? FAINT : COLOURS[way];
}

function drawn({ points, format }: Card): string[] {
  const range = rangeOf(points);
  if (!range || points.length < 2) return [];
  const [high, low] = [format(range.high), format(range.low)];
  const beside = Math.max(textWidth(high, AXIS_SIZE), textWidth(low, AXIS_SIZE));
  const frame = { ...FRAME, width: FRAME.width - beside - GAP };
  const end = placed(points, frame).at(-1);
  const bottom = frame.top + frame.height;
  const path = linePath(points, frame);
  const axis = { x: WIDTH - MARGIN, size: AXIS_SIZE, anchor: 'end', fill: FAINT };
  const begins = `from ${formatDay(points[0]?.at ?? 0)}`;
  const trend = (points.at(-1)?.value ?? 0) - (points[0]?.value ?? 0);
  const stroke = colourOf(trend > 0 ? 'rise' : trend < 0 ? 'fall' : undefined);
  return [
    element('path', { d: `${path}V${bottom}H${frame.left}Z`, fill: stroke, 'fill-opacity': 0.09 }),
    element('path', { d: path, fill: 'none', stroke, 'stroke-width': 2, 'stroke-linejoin': 'round' }),
    element('circle', { cx: end?.x, cy: end?.y, r: 3.5, fill: stroke }),
    write(high, { ...axis, y: frame.top + 4 }),
    write(begins, { x: frame.left, y: bottom + DAY_BELOW, size: AXIS_SIZE, fill: FAINT }),
    ...(range.high === range.low ? [] : [write(low, { ...axis, y: bottom + 4 })]),
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
  const small = { dx: 8, 'font-size': size * UNIT_SIZE, 'font-weight': 400, fill: FAINT };
  return element(
    'text',
    attributes,
    escapeText(text),
    unit === '' ? '' : element('tspan', small, escapeText(unit)),
  );
}

type Fits = (line: string) => boolean;

/** Where a line may end: after a space, and between letters of scripts that are written without spaces. */
const BREAK =
  /(?<= )|(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}、。，？！」）])(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])/u;

/** A title in at most two lines; a longer one is cut. */
function wrapped(title: string, fits: Fits): string[] {
  const pieces = title.trim().replace(/\s+/g, ' ').split(BREAK);
  const next = () => {
    const fitting = countFitting(pieces, (line) => fits(line.trimEnd()));
    return pieces.splice(0, Math.max(1, fitting)).join('').trimEnd();
  };
  const first = cut(next(), fits);
  if (pieces.length === 0) return [first];
  const second = next();
  return [first, cut(pieces.length === 0 ? second : `${second} …`, fits)];
}

/** The letters of a line that fit, followed by an ellipsis if any are left out. */
function cut(line: string, fits: Fits): string {
  if (fits(line)) return line;
  const letters = [...line];
  const count = countFitting(letters, (begin) => fits(`${begin}…`));
  return `${letters.slice(0, count).join('')}…`;
}

/**
 * How many parts of a line fit, counted from its beginning. A binary search, since one measurement may take a
 * millisecond.
 */
function countFitting(parts: readonly string[], fits: Fits): number {
  const fitsUpTo = (count: number) => fits(parts.slice(0, count).join(''));
  if (fitsUpTo(parts.length)) return parts.length;
  let [count, tooMany] = [0, parts.length];
  while (tooMany - count > 1) {
    const middle = (count + tooMany) >> 1;
    if (fitsUpTo(middle)) count = middle;
    else tooMany = middle;
  }
  return count;
}

const RIGHT_TO_LEFT = /^\P{L}*[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u;

/** A line of a title, marked as right-to-left text if the title begins in such a script. */
function isolated(line: string, title: string): string {
  return RIGHT_TO_LEFT.test(title) ? `\u2067${line}\u2069` : line;
}
