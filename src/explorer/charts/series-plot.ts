import uPlot from 'uplot';
import type { Point } from '../../charts/line.ts';
import type { LinePoint } from './series.ts';
import { tickRoom, timeTick, valueTicks } from './ticks.ts';

interface ChartLine {
  name: string;
  points: readonly LinePoint[];
}

/** An event, marked at its instant. */
export interface ChartMark {
  at: number;
  text: string;
}

/** What a chart shows. The first line is the one that is read out. */
export interface Chart {
  label: string;
  lines: readonly ChartLine[];
  /** A shaded area between two lines, below the others. */
  band?: { name: string; low: readonly Point[]; high: readonly Point[] };
  marks?: { name: string; places: readonly ChartMark[] };
  format(value: number): string;
}

/** The height of a plot, in pixels. */
export const HEIGHT = 300;
/** Below this width, in pixels, dates are closer together. */
const NARROW = 500;

/**
 * Draws a chart from the first to the last of the visible points, in the colours that the style sheet gives its
 * element.
 *
 * @param visible points of the first line, in time order
 * @param follow is told when the pointer moves
 * @returns undefined for fewer than two points
 */
export function drawPlot(
  place: HTMLElement,
  chart: Chart,
  visible: readonly Point[],
  follow: (plot: uPlot) => void,
): uPlot | undefined {
  const [first, last] = [visible[0], visible.at(-1)];
  if (!first || !last || visible.length < 2) return undefined;
  const styles = getComputedStyle(place);
  const colour = (name: string) => styles.getPropertyValue(name).trim();
  const { band, lines, marks } = chart;
  const tables = [...(band ? [band.high, band.low] : []), ...lines.map((line) => line.points)].map(
    (points): uPlot.AlignedData => {
      const kept = points.filter(({ at }) => at >= first.at && at <= last.at);
      return [kept.map(({ at }) => at / 1000), kept.map(({ value }) => value)];
    },
  );
  return new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      axes: axesOf(colour, place.clientWidth < NARROW ? 72 : 84),
      series: [{}, ...seriesOf(chart, colour)],
      ...(band ? { bands: [{ series: [1, 2], fill: colour('--band') }] } : {}),
      hooks: {
        draw: [(plot) => drawMarks(plot, marks?.places ?? [], colour('--line-1'))],
        setCursor: [follow],
      },
    },
    uPlot.join(tables),
    place,
  );
}

type Colour = (name: string) => string;

function axesOf(colour: Colour, space: number): uPlot.Axis[] {
  const axis: uPlot.Axis = {
    stroke: colour('--faint'),
    grid: { stroke: colour('--rule'), width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...axis,
      space,
      size: 36,
      values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => timeTick(tick, step)),
    },
    {
      ...axis,
      size: (_plot, texts) => tickRoom(texts),
      values: (_plot, ticks, _axis, _space, step) => valueTicks(ticks, step),
    },
  ];
}

function seriesOf({ band, lines }: Chart, colour: Colour): uPlot.Series[] {
  const edge: uPlot.Series = { width: 0, points: { show: false }, spanGaps: true };
  return [
    ...(band ? [edge, edge] : []),
    ...lines.map(
      (_line, n): uPlot.Series => ({
        stroke: colour(`--line-${n % 6}`),
        width: n === 0 ? 2 : 1.25,
        ...(lines.length === 1 && !band ? { fill: colour('--band') } : {}),
        points: { show: false, size: 4, filter: isolated },
      }),
    ),
  ];
}

/** The positions of values between two interruptions, which are drawn as dots: no line leads to them. */
function isolated({ data }: uPlot, series: number): number[] {
  const own = [...(data[series] ?? []).entries()].filter(([, value]) => value !== undefined);
  const isAbsent = (i: number) => (own[i]?.[1] ?? null) === null;
  return own.flatMap(([place], i) => (!isAbsent(i) && isAbsent(i - 1) && isAbsent(i + 1) ? [place] : []));
}

/** Draws each mark as a faint line with a tip at its foot, so that the curve stays readable under many of them. */
function drawMarks(plot: uPlot, marks: readonly ChartMark[], colour: string): void {
  const { ctx, bbox } = plot;
  const tip = 4 * devicePixelRatio;
  const foot = bbox.top + bbox.height;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  for (const mark of marks) {
    const x = plot.valToPos(mark.at / 1000, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.globalAlpha = 0.25;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, foot);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.moveTo(x - tip, foot);
    ctx.lineTo(x + tip, foot);
    ctx.lineTo(x, foot - 2 * tip);
    ctx.fill();
  }
  ctx.restore();
}
