import { hash } from 'node:crypto';
import { FILERS } from '../../model/filing.ts';
import {
  eachFilingText,
  findFilingTextState,
  findFoundIn,
  listSeriesTerms,
  type SeriesTerms,
  setSeriesFilings,
} from '../../store/filings/series-filings.ts';
import type { Reader, Writer } from '../../store/store.ts';

/** Version of the matching; increment it when the matching changes. */
const LINKING_VERSION = 1;

/** Shorter names are also ordinary abbreviations, such as CPI or GDP, and count only after "rulebook:". */
const PLAIN_NAME = /\b[A-Z][A-Z0-9]{4,}\b/g;
const NAMED_RULEBOOK = /\brulebook:\s*([A-Z][A-Z0-9]*)\b/gi;

/**
 * Links series to the filings that name their contract terms: a series with terms at
 * `…/product-certifications/CITYLOW.pdf` is linked to the filings of its venue that mention CITYLOW. Does nothing if
 * neither filings nor terms have changed since the last time.
 */
export function linkFilings(writer: Writer): void {
  const filers = FILERS.map((filer) => ({ ...filer, terms: listSeriesTerms(writer, filer.family) }));
  const foundIn = hash('sha256', JSON.stringify([LINKING_VERSION, filers, findFilingTextState(writer)]));
  if (findFoundIn(writer) === foundIn) return;
  const pairs = filers.flatMap(({ organizations, terms }) => findPairs(writer, organizations, terms));
  setSeriesFilings(writer, pairs, foundIn);
}

/** The series of a venue with the filings of its organizations that name their terms. */
function findPairs(
  reader: Reader,
  organizations: readonly string[],
  terms: readonly SeriesTerms[],
): { series_id: string; filing_id: number }[] {
  const seriesOf = new Map<string, string[]>();
  for (const series of terms)
    for (const name of namesOfTerms(series))
      seriesOf.set(name, [...(seriesOf.get(name) ?? []), series.series_id]);
  if (seriesOf.size === 0) return [];
  const pairs: { series_id: string; filing_id: number }[] = [];
  for (const { filing_id, text } of eachFilingText(reader, organizations))
    for (const name of namesIn(text))
      for (const series_id of seriesOf.get(name) ?? []) pairs.push({ series_id, filing_id });
  return pairs;
}

/** The file names of a series' terms, without their endings. */
function namesOfTerms({ contract_url, contract_terms_url }: SeriesTerms): Set<string> {
  const names = new Set<string>();
  for (const url of [contract_url, contract_terms_url]) {
    const name = /\/([A-Za-z0-9]+)\.pdf$/i.exec(url ?? '')?.[1];
    if (name) names.add(name.toUpperCase());
  }
  return names;
}

function namesIn(text: string): Set<string> {
  const names = new Set(text.match(PLAIN_NAME));
  for (const [, name = ''] of text.matchAll(NAMED_RULEBOOK)) names.add(name.toUpperCase());
  return names;
}
