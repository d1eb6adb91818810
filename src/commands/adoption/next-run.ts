import { planChange } from '../../methodology/index-changes.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import { parseCatalogId } from '../../model/platform.ts';
import { formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { hasMarket } from '../../store/catalog/catalog.ts';
import { earlierVersions } from '../../store/definitions/adopt-definitions.ts';
import type { DefinitionFiles } from '../../store/definitions/definition-files.ts';
import {
  listIndexDefinitions,
  listRateDefinitions,
  selectNewest,
} from '../../store/definitions/definitions.ts';
import { hasServedCatalog } from '../../store/runs.ts';
import type { Reader } from '../../store/store.ts';
import { heldDefinitions } from './held-definitions.ts';

/** What the next run will do that is no problem, but may not be intended. */
export interface NextRun {
  /** Tickers whose files are gone; none while any file has a problem. */
  withdraws: string[];
  /** Changed indices, and when the change takes effect if the run is now; those that an earlier run announced too. */
  changes: { file: string; ticker: string; takes_effect_at: string }[];
  /** Markets that definitions name but the catalog does not have: mistyped, or not listed yet. */
  unlisted: { file: string; market_id: string }[];
}

/** Predicts what the next run will do. @param files without the definitions that it will refuse */
export function foreseeRun(reader: Reader, files: DefinitionFiles, now: Instant): NextRun {
  return {
    withdraws: files.problems.length > 0 ? [] : withdrawnFrom(reader, files),
    changes: files.indices.flatMap((index) => {
      const effect = laterEffect(reader, index, now);
      const file = files.indexFiles.get(index.ticker) ?? '';
      return effect ? [{ file, ticker: index.ticker, takes_effect_at: formatInstant(effect) }] : [];
    }),
    // Before the first run no market is known.
    unlisted: hasServedCatalog(reader) ? unlistedOf(reader, files) : [],
  };
}

/** When a definition will take effect; undefined if it has, or will with the next run. */
function laterEffect(reader: Reader, after: IndexDefinition, now: Instant): Instant | undefined {
  const newest = selectNewest(reader, 'index', after.ticker);
  if (!newest) return undefined;
  const { takes_effect_at } = planChange(earlierVersions(reader, newest, now), after, now);
  return takes_effect_at > now ? takes_effect_at : undefined;
}

function withdrawnFrom(reader: Reader, files: DefinitionFiles): string[] {
  const held = heldDefinitions(reader, files);
  const gone = (
    inForce: readonly { definition: { ticker: string } }[],
    stay: readonly { ticker: string }[],
  ) => {
    const staying = new Set(stay.map((each) => each.ticker));
    return inForce.map(({ definition }) => definition.ticker).filter((ticker) => !staying.has(ticker));
  };
  return [
    ...gone(listIndexDefinitions(reader), [...files.indices, ...held.indices]),
    ...gone(listRateDefinitions(reader), [...files.rates, ...held.rates]),
  ];
}

function unlistedOf(reader: Reader, { indices, rates, indexFiles, rateFiles }: DefinitionFiles) {
  const unlisted = (file: string, named: readonly { market_id: string }[]) =>
    named
      .filter(({ market_id }) => parseCatalogId(market_id) && !hasMarket(reader, market_id))
      .map(({ market_id }) => ({ file, market_id }));
  return [
    ...indices.flatMap((each) => unlisted(indexFiles.get(each.ticker) ?? '', each.constituents)),
    ...rates.flatMap((each) => unlisted(rateFiles.get(each.ticker) ?? '', each.sources)),
  ];
}

/** The prediction as lines of text. */
export function nextRunLines({ withdraws, changes, unlisted }: NextRun): string[] {
  return [
    ...withdraws.map((ticker) => `the next run withdraws ${ticker}, whose file is gone`),
    ...changes.map(
      ({ file, ticker, takes_effect_at }) =>
        `${file} changes what ${ticker} prices, from ${takes_effect_at} on at the earliest`,
    ),
    ...unlisted.map(
      ({ file, market_id }) => `${file} names ${market_id}, which is not in the catalog so far`,
    ),
  ];
}
