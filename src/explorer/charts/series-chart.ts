import { html, nothing, render } from 'lit-html';
import type uPlot from 'uplot';
import type { Point } from '../../charts/line.ts';
import { formatMoment } from '../../charts/wording.ts';
import { THEME_CHANGED } from '../theme.ts';
import { DAY_MS, nearestTo, pointsIn, pointsOf, type Range, rangesOf, WHOLE } from './series.ts';
import { type Chart, drawPlot, HEIGHT } from './series-plot.ts';

/** The most marks near a point that are described; the rest are only counted. */
const MARKS_DESCRIBED = 2;

/**
 * A line chart with ranges. The value under the pointer is shown above the chart. For the keyboard the chart is a
 * slider along time, so that each point can be read out.
 */
class SeriesChart extends HTMLElement {
  #chart: Chart | undefined;
  #plot: uPlot | undefined;
  /** Points of the first line: all, and those within the range. */
  #points: readonly Point[] = [];
  #visible: readonly Point[] = [];
  #range: Range = WHOLE;
  #cursor: number | undefined;
  #watch: ResizeObserver | undefined;
  #redraw = () => this.#draw();

  set chart(chart: Chart) {
    this.#chart = chart;
    this.#points = pointsOf(chart.lines[0]?.points ?? []);
    if (!rangesOf(this.#points).includes(this.#range)) this.#range = WHOLE;
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

  #frame(): void {
    const points = this.#visible;
    const i = this.#cursor ?? points.length - 1;
    // A screen reader speaks the slider's value; an output would say the same again, and follow the pointer aloud.
    render(
      html`<div class="above">
          <output aria-live="off">${this.#reading(i)}</output>
          <div class="ranges" role="group" aria-label="Range">
            ${rangesOf(this.#points).map(
              (range) =>
                html`<button type="button" aria-pressed=${range === this.#range} @click=${() => this.#choose(range)}>${range.label}</button>`,
            )}
          </div>
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
        ${this.#legend()}`,
      this,
    );
  }

  #legend() {
    const chart = this.#chart;
    if (!chart) return nothing;
    const several = chart.lines.length > 1 || chart.band;
    const marked = chart.marks && chart.marks.places.length > 0;
    if (!several && !marked) return nothing;
    return html`<ul class="legend">
      ${several ? chart.lines.map((line, n) => html`<li class="line-${n % 6}">${line.name}</li>`) : nothing}
      ${chart.band ? html`<li class="band">${chart.band.name}</li>` : nothing}
      ${marked ? html`<li class="marked">${chart.marks?.name}; point at one for details</li>` : nothing}
    </ul>`;
  }

  #reading(i: number): string {
    const point = this.#visible[i];
    const chart = this.#chart;
    if (!point || !chart) return 'no values in this range';
    const near = chart.marks?.places.filter((mark) => Math.abs(mark.at - point.at) < DAY_MS / 2) ?? [];
    const texts = near.slice(0, MARKS_DESCRIBED).map((mark) => mark.text);
    if (near.length > texts.length) texts.push(`${near.length - texts.length} more`);
    return [formatMoment(point.at), chart.format(point.value), ...texts].join(' · ');
  }

  #choose(range: Range): void {
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
    this.#visible = pointsIn(this.#points, this.#range);
    this.#frame();
    this.#plot?.destroy();
    const place = this.querySelector<HTMLElement>('.plot');
    const chart = this.#chart;
    this.#plot =
      chart && place ? drawPlot(place, chart, this.#visible, (plot) => this.#follow(plot)) : undefined;
  }

  /** Moves the reading to the point nearest to the pointer, and back to the end when the pointer leaves. */
  #follow(plot: uPlot): void {
    const { left } = plot.cursor;
    if (left === undefined) return;
    const nearest = left < 0 ? undefined : nearestTo(this.#visible, plot.posToVal(left, 'x') * 1000);
    if (nearest === this.#cursor) return;
    this.#cursor = nearest;
    this.#frame();
  }
}

customElements.define('series-chart', SeriesChart);
