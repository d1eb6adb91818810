import { parseCatalogId } from '../../model/platform.ts';
import { findMarketStatus } from '../../store/catalog/catalog.ts';
import type { DefinitionFiles } from '../../store/definitions/definition-files.ts';
import { listIndexDefinitions, listRateDefinitions } from '../../store/definitions/definitions.ts';
import { hasServedCatalog } from '../../store/runs.ts';
import type { Reader } from '../../store/store.ts';
import { heldDefinitions } from './held-definitions.ts';

/** What the next run will do that is no problem, but may not be intended. */
export interface NextRun {
  /** Tickers whose files are gone; none while any file has a problem. */
  withdraws: string[];
  /** Markets that definitions name but the catalog does not have: mistyped, or not listed yet. */
  unlisted: { file: string; market_id: string }[];
}

/** Predicts what the next run will do. @param files without the definitions that it will refuse */
export function foreseeRun(reader: Reader, files: DefinitionFiles): NextRun {
  return {
    withdraws: files.problems.length > 0 ? [] : withdrawnFrom(reader, files),
    // Before the first run no market is known.
    unlisted: hasServedCatalog(reader) ? unlistedOf(reader, files) : [],
  };
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
      .filter(({ market_id }) => parseCatalogId(market_id) && !findMarketStatus(reader, market_id))
      .map(({ market_id }) => ({ file, market_id }));
  return [
    ...indices.flatMap((each) => unlisted(indexFiles.get(each.ticker) ?? '', each.constituents)),
    ...rates.flatMap((each) => unlisted(rateFiles.get(each.ticker) ?? '', each.sources)),
  ];
}

/** The prediction as lines of text. */
export function nextRunLines({ withdraws, unlisted }: NextRun): string[] {
  return [
    ...withdraws.map((ticker) => `the next run withdraws ${ticker}, whose file is gone`),
    ...unlisted.map(
      ({ file, market_id }) => `${file} names ${market_id}, which is not in the catalog so far`,
    ),
  ];
}
