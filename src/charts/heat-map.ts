import { element, escapeText, picture } from './svg.ts';

/** With more names there is no room for labels. */
const LABELLED = 48;
/**
 * Names up to this length, such as those of states, also head the columns; longer ones are replaced by their number
 * there.
 */
const SHORT = 4;
const LONGEST = 30;
const LETTER = 7;
const GAP = 6;
/** Room for the labels of the columns. */
const TOP = 18;

/**
 * A heat map of correlations: one cell per pair, whose colour shows the sign and whose strength shows the value.
 * Colours come from the style sheet (classes positive, negative and absent); a cell shows its pair and value as its
 * title.
 *
 * @param values n × n, same order as names, -1 to 1; null where there is none
 */
export function heatMap(
  names: readonly string[],
  values: readonly (readonly (number | null)[])[],
  label: string,
): string {
  const cell = Math.max(10, Math.min(32, Math.floor(560 / names.length)));
  const labels = names.length <= LABELLED ? labelsOf(names, cell) : NO_LABELS;
  const { left, top } = labels;
  const squares = values.flatMap((row, i) =>
    row.map((value, j) => {
      const said = value === null ? 'not enough days' : value.toFixed(2);
      return element(
        'rect',
        {
          x: left + j * cell,
          y: top + i * cell,
          width: cell - 1,
          height: cell - 1,
          class: value === null ? 'absent' : value < 0 ? 'negative' : 'positive',
          'fill-opacity': value === null || i === j ? undefined : Math.abs(value),
        },
        element('title', {}, escapeText(`${names[i]} – ${names[j]}: ${said}`)),
      );
    }),
  );
  const size = cell * names.length;
  return picture(
    { width: left + size, height: top + size, label, class: 'heat-map' },
    ...labels.texts,
    ...squares,
  );
}

/** The labels beside the cells, and the room that they take. */
interface Labels {
  left: number;
  top: number;
  texts: string[];
}

const NO_LABELS: Labels = { left: 0, top: 0, texts: [] };

/** The names of the rows and the columns. */
function labelsOf(names: readonly string[], cell: number): Labels {
  const short = names.every((name) => name.length <= SHORT);
  const rows = names.map((name, i) => (short ? name : `${cut(name)} ${i + 1}`));
  const left = GAP + Math.max(...rows.map((text) => text.length)) * LETTER;
  const font = { 'font-size': Math.min(11, cell - 2), class: 'label' };
  const texts = names.flatMap((name, i) => {
    const middle = (i + 0.5) * cell;
    const row = { ...font, x: left - GAP, y: TOP + middle + 4, 'text-anchor': 'end' };
    const column = { ...font, x: left + middle, y: TOP - GAP, 'text-anchor': 'middle' };
    return [
      element('text', row, escapeText(rows[i] ?? '')),
      element('text', column, escapeText(short ? name : String(i + 1))),
    ];
  });
  return { left, top: TOP, texts };
}

/** Shortens a long name in the middle, since names mostly differ at the ends. */
function cut(name: string): string {
  const characters = [...name];
  if (characters.length <= LONGEST) return name;
  const kept = Math.floor(LONGEST / 2);
  return `${characters.slice(0, kept).join('').trimEnd()}…${characters.slice(-kept).join('').trimStart()}`;
}
