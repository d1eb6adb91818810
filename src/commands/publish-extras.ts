import { join } from 'node:path';
import { isBuilt } from '../publish/explorer/site-files.ts';
import type { PublishOptions } from '../publish/publish.ts';
import type { CommandContext } from './context.ts';
import { packageRoot } from './package-root.ts';
import { programDigest } from './program-digest.ts';

/**
 * What the settings ask to be published beside the documents. Warns when the explorer is wanted but not built.
 */
export function publishExtras({
  config: { publish, venue_names: venues },
  err,
}: CommandContext): Pick<
  PublishOptions,
  'program' | 'variants' | 'bulk' | 'cards' | 'cardFonts' | 'explorer' | 'venues'
> {
  const { variants, bulk, cards, card_fonts: cardFonts } = publish;
  const folder = join(packageRoot(), 'dist', 'explorer');
  const built = publish.explorer && isBuilt(folder);
  if (publish.explorer && !built)
    err(`the explorer is not built in ${folder}: published without it; node scripts/setup.mjs builds it`);
  const wanted = { variants, bulk, cards, cardFonts, venues };
  return { program: programDigest(), ...wanted, ...(built ? { explorer: folder } : {}) };
}
