import { html, nothing, render } from 'lit-html';
import uPlot from 'uplot';
import type { Point } from '../charts/line.ts';
import { formatMoment } from '../charts/wording.ts';
import { THEME_CHANGED } from './theme.ts';

/** A line of a chart. */
interface ChartLine {
  name: string;
  points: readonly Point[];
}

/** Something that happened, marked where it did. */
export interface ChartMark {
  at: number;
  text: string;
}

/** What a chart shows. The first line is the one that is read out. */
export interface Chart {
  label: string;
  lines: readonly ChartLine[];
  /** The room between two lines, under the others. */
  band?: { name: string; low: readonly Point[]; high: readonly Point[] };
  marks?: readonly ChartMark[];
  format(value: number): string;
}

const DAY_MS = 86_400_000;
const RANGES = [
  { label: '1 day', days: 1 },
  { label: '1 week', days: 7 },
  { label: '1 month', days: 30 },
  { label: '3 months', days: 90 },
  { label: 'All', days: Number.POSITIVE_INFINITY },
] as const;

const HEIGHT = 300;

/**
 * A line chart with ranges. The value under the pointer stands below it in words; with the keyboard the chart is
 * a slider along time, so that each point can be read out.
 */
class SeriesChart extends HTMLElement {
  #chart: Chart | undefined;
  #plot: uPlot | undefined;
  #range: (typeof RANGES)[number] = RANGES[4];
  #cursor: number | undefined;
  #watch: ResizeObserver | undefined;
  #redraw = () => this.#draw();

  set chart(chart: Chart) {
    this.#chart = chart;
    this.#cursor = undefined;
    if (this.isConnected) this.#draw();
  }

  connectedCallback(): void {
    this.#watch = new ResizeObserver(() => {
      const plot = this.#plot;
      if (plot && plot.width !== this.clientWidth) plot.setSize({ width: this.clientWidth, height: HEIGHT });
    });
    this.#watch.observe(this);
    addEventListener(THEME_CHANGED, this.#redraw);
    if (this.#chart) this.#draw();
  }

  disconnectedCallback(): void {
    this.#watch?.disconnect();
    removeEventListener(THEME_CHANGED, this.#redraw);
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  get #main(): readonly Point[] {
    return this.#chart?.lines[0]?.points ?? [];
  }

  /** Points of the first line that are in the range. */
  get #visible(): readonly Point[] {
    const last = this.#main.at(-1)?.at ?? 0;
    const from = last - this.#range.days * DAY_MS;
    return this.#main.filter((point) => point.at >= from);
  }

  #frame(): void {
    const points = this.#visible;
    const i = this.#cursor ?? points.length - 1;
    const first = this.#main[0];
    const last = this.#main.at(-1);
    const spanDays = first && last ? (last.at - first.at) / DAY_MS : 0;
    render(
      html`<div class="ranges" role="group" aria-label="Range">
          ${RANGES.filter(
            (range, n) => range.days === Number.POSITIVE_INFINITY || (RANGES[n]?.days ?? 0) < spanDays,
          ).map(
            (range) =>
              html`<button type="button" aria-pressed=${range === this.#range} @click=${() => this.#choose(range)}>${range.label}</button>`,
          )}
        </div>
        <div
          class="plot"
          role="slider"
          tabindex="0"
          aria-label=${this.#chart?.label ?? ''}
          aria-valuemin="0"
          aria-valuemax=${Math.max(0, points.length - 1)}
          aria-valuenow=${Math.max(0, i)}
          aria-valuetext=${this.#reading(i)}
          @keydown=${(event: KeyboardEvent) => this.#step(event)}
        ></div>
        <output>${this.#reading(i)}</output>
        ${this.#legend()}`,
      this,
    );
  }

  #legend() {
    const chart = this.#chart;
    if (!chart || (chart.lines.length < 2 && !chart.band)) return nothing;
    return html`<ul class="legend">
      ${chart.lines.map((line, n) => html`<li class="line-${n % 6}">${line.name}</li>`)}
      ${chart.band ? html`<li class="band">${chart.band.name}</li>` : nothing}
    </ul>`;
  }

  #reading(i: number): string {
    const point = this.#visible[i];
    const chart = this.#chart;
    if (!point || !chart) return 'no values in this range';
    const near = chart.marks?.filter((mark) => Math.abs(mark.at - point.at) < DAY_MS / 2) ?? [];
    return [formatMoment(point.at), chart.format(point.value), ...near.map((mark) => mark.text)].join(' · ');
  }

  #choose(range: (typeof RANGES)[number]): void {
    this.#range = range;
    this.#cursor = undefined;
    this.#draw();
  }

  #step(event: KeyboardEvent): void {
    const last = this.#visible.length - 1;
    const now = this.#cursor ?? last;
    const page = Math.max(1, Math.round(last / 10));
    const to = {
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      PageDown: now - page,
      PageUp: now + page,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#cursor = Math.max(0, Math.min(last, to));
    this.#frame();
    const plot = this.#plot;
    const point = this.#visible[this.#cursor];
    if (plot && point)
      plot.setCursor(
        { left: plot.valToPos(point.at / 1000, 'x'), top: plot.valToPos(point.value, 'y') },
        false,
      );
  }

  #draw(): void {
    this.#frame();
    this.#plot?.destroy();
    this.#plot = undefined;
    const place = this.querySelector<HTMLElement>('.plot');
    const chart = this.#chart;
    const visible = this.#visible;
    const [first, last] = [visible[0], visible.at(-1)];
    if (!chart || !place || !first || !last || visible.length < 2) return;
    const styles = getComputedStyle(this);
    const colour = (name: string) => styles.getPropertyValue(name).trim();
    const within = (points: readonly Point[]) =>
      points.filter((point) => point.at >= first.at && point.at <= last.at);
    const { band, lines } = chart;
    const drawn = [...(band ? [band.high, band.low] : []), ...lines.map((line) => line.points)];
    const tables = drawn.map((points): uPlot.AlignedData => {
      const kept = within(points);
      return [kept.map((point) => point.at / 1000), kept.map((point) => point.value)];
    });
    const axis = {
      stroke: colour('--faint'),
      grid: { stroke: colour('--rule'), width: 1 },
      ticks: { show: false },
    };
    const edge: uPlot.Series = { width: 0, points: { show: false }, spanGaps: true };
    this.#plot = new uPlot(
      {
        width: this.clientWidth,
        height: HEIGHT,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
        axes: [
          {
            ...axis,
            values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => tickText(tick, step)),
          },
          { ...axis, size: 64, values: (_plot, ticks) => ticks.map((tick) => tick.toLocaleString('en-US')) },
        ],
        series: [
          {},
          ...(band ? [edge, edge] : []),
          ...lines.map(
            (_line, n): uPlot.Series => ({
              stroke: colour(`--line-${n % 6}`),
              width: n === 0 ? 2 : 1.25,
              points: { show: false },
              spanGaps: true,
            }),
          ),
        ],
        ...(band ? { bands: [{ series: [1, 2], fill: colour('--band') }] } : {}),
        hooks: {
          draw: [(plot) => drawMarks(plot, chart.marks ?? [], colour('--accent'))],
          setCursor: [(plot) => this.#follow(plot)],
        },
      },
      uPlot.join(tables),
      place,
    );
  }

  /** Brings the reading to the point of the first line that is nearest to the pointer. */
  #follow(plot: uPlot): void {
    const { left } = plot.cursor;
    if (left === undefined || left < 0) return;
    const at = plot.posToVal(left, 'x') * 1000;
    const points = this.#visible;
    let nearest = 0;
    points.forEach((point, i) => {
      if (Math.abs(point.at - at) < Math.abs((points[nearest]?.at ?? 0) - at)) nearest = i;
    });
    if (nearest === this.#cursor) return;
    this.#cursor = nearest;
    this.#frame();
  }
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A tick of the time axis: the day, or within a day the hour. */
function tickText(seconds: number, step: number): string {
  const instant = new Date(seconds * 1000);
  const midnight = seconds % 86_400 === 0;
  return step >= 86_400 || midnight ? DAY.format(instant) : instant.toISOString().slice(11, 16);
}

function drawMarks(plot: uPlot, marks: readonly ChartMark[], stroke: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4, 3]);
  for (const mark of marks) {
    const x = plot.valToPos(mark.at / 1000, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

customElements.define('series-chart', SeriesChart);
