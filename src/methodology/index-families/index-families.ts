import type { IndexDefinition } from '../../model/index-definition.ts';
import { basket } from './basket.ts';
import { gauge } from './gauge.ts';
import type { IndexCalculation, IndexFamily, IndexInput } from './index-family.ts';

const FAMILIES = { basket, gauge } as const satisfies {
  [Methodology in IndexDefinition['methodology']]: IndexFamily<
    Extract<IndexDefinition, { methodology: Methodology }>
  >;
};

/** Calculates an index at one instant by the family that its definition names. */
export function calculateIndex(input: IndexInput): IndexCalculation {
  const { definition } = input;
  if (definition.methodology === 'gauge') return FAMILIES.gauge.calculate({ ...input, definition });
  return FAMILIES.basket.calculate({ ...input, definition });
}
