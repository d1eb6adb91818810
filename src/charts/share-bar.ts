import { element, picture } from './svg.ts';

const WIDTH = 56;
const HEIGHT = 8;

/**
 * A bar as long as a share.
 *
 * @param share of the largest one, 0 to 1
 */
export function shareBar(share: number): string {
  const filled = Math.max(0, Math.min(1, share)) * WIDTH;
  return picture(
    { width: WIDTH, height: HEIGHT, class: 'share-bar' },
    element('rect', { width: filled, height: HEIGHT, rx: 2, fill: 'currentColor' }),
  );
}
