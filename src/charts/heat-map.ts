import { element, escapeText, picture } from './svg.ts';

/** Room for a name at the side. */
const MARGIN = 4;

/**
 * A square of correlations: one small square a pair, its tone by the sign and as strong as the value. Colours are
 * the reader's (classes positive, negative and absent); each square says its pair and value when pointed at.
 *
 * @param values n × n, same order as names, -1 to 1; null where there is none
 */
export function heatMap(
  names: readonly string[],
  values: readonly (readonly (number | null)[])[],
  label: string,
): string {
  const cell = Math.max(9, Math.min(36, Math.floor(560 / names.length)));
  const size = cell * names.length;
  const squares = values.flatMap((row, i) =>
    row.map((value, j) => {
      const said = value === null ? 'not enough days' : value.toFixed(2);
      return element(
        'rect',
        {
          x: MARGIN + j * cell,
          y: MARGIN + i * cell,
          width: cell - 1,
          height: cell - 1,
          class: value === null ? 'absent' : value < 0 ? 'negative' : 'positive',
          'fill-opacity': value === null ? undefined : Math.abs(value),
        },
        element('title', {}, escapeText(`${names[i]} – ${names[j]}: ${said}`)),
      );
    }),
  );
  return picture(
    { width: size + 2 * MARGIN, height: size + 2 * MARGIN, label, class: 'heat-map' },
    ...squares,
  );
}
