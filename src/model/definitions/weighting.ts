import { z } from 'zod';
import { parseCatalogId } from '../platform.ts';
import { amount, type Problem } from './definition-fields.ts';
import { rebalanceCalendar } from './rebalance-calendar.ts';

/** How the constituents of an index are weighted. */

const cap = z
  .number()
  .positive()
  .max(1)
  .optional()
  .describe('No constituent gets a larger share; the excess goes to the others in proportion to theirs');

const attribute = z.string().min(1).optional().describe('With scheme attribute: the attribute to weight by');

const rebalances = rebalanceCalendar
  .optional()
  .describe('When the constituents are reweighted; if left out, only when the definition changes');

/** Each scheme, with the size of a market that it weights by; null if its weights do not change with time. */
export const SCHEMES = {
  fixed: null,
  equal: null,
  attribute: null,
  volume: 'lifetime_volume',
  liquidity: 'open_interest',
} as const;
type Scheme = keyof typeof SCHEMES;

const schemes = Object.keys(SCHEMES) as Scheme[];
const sized = schemes.filter((each) => SCHEMES[each] !== null);

export const basketWeighting = z.strictObject({
  scheme: z
    .enum(schemes)
    .describe(
      'fixed: by weight; equal: the same for all; attribute: by a number of each; volume: by lifetime volume; ' +
        'liquidity: by open interest',
    ),
  attribute,
  cap,
  by: z
    .enum(['value', 'quantity'])
    .default('value')
    .describe('Weights are value shares at the base, or quantities'),
  rebalances,
});

export const gaugeWeighting = z.strictObject({
  scheme: z
    .enum(['fixed', 'equal', 'attribute'])
    .describe('fixed: by weight; equal: the same for all; attribute: by a number of each'),
  attribute,
  cap,
});

export const categoryWeighting = z.strictObject({
  categories: z
    .record(z.string(), amount)
    .describe('Weight of each category before normalising; within one, indices go by weight, else equally'),
  cap,
  rebalances,
});

type Weighting = z.output<typeof basketWeighting> | z.output<typeof gaugeWeighting>;

/** The fields of a constituent that determine its weight. */
interface Weighed {
  market_id: string;
  weight?: number | undefined;
  attributes?: Record<string, number> | undefined;
}

/** Problems of a weighting and of the fields of the constituents that it uses. */
export function weightingProblems(weighting: Weighting, constituents: readonly Weighed[]): Problem[] {
  const problems: Problem[] = [];
  const refuse = (path: Problem['path'], message: string) => problems.push({ path, message });
  const { scheme, attribute: name } = weighting;
  if ((scheme === 'attribute') !== (name !== undefined))
    refuse(['weighting', 'attribute'], 'must be given with scheme attribute, and only there');
  const bySize = SCHEMES[scheme] !== null;
  if ('by' in weighting && weighting.by === 'quantity' && (bySize || weighting.cap !== undefined))
    refuse(['weighting', 'by'], `must be value with a cap and with scheme ${sized.join(' or ')}`);
  constituents.forEach((each, i) => {
    const place = ['constituents', i];
    if (scheme === 'fixed' && each.weight === undefined)
      refuse([...place, 'weight'], 'must be given with scheme fixed');
    if (scheme !== 'fixed' && each.weight !== undefined)
      refuse([...place, 'weight'], `must be left out with scheme ${scheme}`);
    if (name !== undefined && new Map(Object.entries(each.attributes ?? {})).get(name) === undefined)
      refuse([...place, 'attributes'], `must have a number for attribute ${name}`);
    // Venues measure in contracts, shares or dollars, venue B's two families differently: units cannot be mixed.
    const family = parseCatalogId(each.market_id)?.family;
    if (bySize && (!family || family !== parseCatalogId(constituents[0]?.market_id ?? '')?.family))
      refuse(place, `must be a market of the first one's venue and family with scheme ${scheme}`);
  });
  return problems;
}
