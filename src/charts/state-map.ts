import { element, escapeText, picture } from './svg.ts';

/** The states of the US and the District of Columbia as tiles, each row from west to east. */
const ROWS = [
  'AK . . . . . . . . . ME',
  '. . . . . WI . . . VT NH',
  'WA ID MT ND MN IL MI . NY MA .',
  'OR NV WY SD IA IN OH PA NJ CT RI',
  'CA UT CO NE MO KY WV VA MD DE .',
  '. AZ NM KS AR TN NC SC DC . .',
  '. . . OK LA MS AL GA . . .',
  'HI . . TX . . . . FL . .',
].map((row) => row.split(' '));

const TILE = 52;
const GAP = 3;

/** The content of one state's tile. */
export interface StateTile {
  state: string;
  /** The change that determines the colour; absent if there is nothing to compare with. */
  change?: number;
  /** The second line of the tile. */
  text: string;
  /** The whole content in words. */
  title: string;
}

/** Whether every name is the two-letter code of a state, so that a map of tiles can show them. */
export function areStates(names: readonly string[]): boolean {
  const known = new Set(ROWS.flat());
  return names.length > 0 && names.every((name) => name !== '.' && known.has(name));
}

/** A map of the US with one tile per state, coloured by change; states that are not given stay blank. */
export function stateMap(tiles: readonly StateTile[], label: string): string {
  const byState = new Map(tiles.map((tile) => [tile.state, tile]));
  const strongest = Math.max(...tiles.map((tile) => Math.abs(tile.change ?? 0)), Number.MIN_VALUE);
  const drawn = ROWS.flatMap((row, i) =>
    row.flatMap((state, j) => {
      if (state === '.') return [];
      const tile = byState.get(state);
      const x = j * TILE;
      const y = i * TILE;
      const size = TILE - GAP;
      const text = { 'text-anchor': 'middle', x: x + size / 2 };
      const change = tile?.change;
      return element(
        'g',
        { class: tile ? 'tile' : 'tile blank' },
        ...(tile ? [element('title', {}, escapeText(tile.title))] : []),
        element('rect', { x, y, width: size, height: size, rx: 4, class: 'ground' }),
        change === undefined || change === 0
          ? ''
          : element('rect', {
              x,
              y,
              width: size,
              height: size,
              rx: 4,
              class: change < 0 ? 'negative' : 'positive',
              'fill-opacity': 0.15 + (0.5 * Math.abs(change)) / strongest,
            }),
        element('text', { ...text, y: y + 21 }, escapeText(state)),
        tile ? element('text', { ...text, y: y + 38, class: 'value' }, escapeText(tile.text)) : '',
      );
    }),
  );
  const width = 11 * TILE - GAP;
  const height = ROWS.length * TILE - GAP;
  return picture({ width, height, label, class: 'state-map' }, ...drawn);
}
