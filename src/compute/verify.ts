import { isDeepStrictEqual } from 'node:util';
import { calculateRate } from '../methodology/rate-families/rate-families.ts';
import { NO_HISTORY, type RateHistory } from '../methodology/rate-families/rate-history.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import type { IndexPrint, RatePrint, ReceiptLine } from '../model/print.ts';
import type { RateDefinition } from '../model/rate-definition.ts';
import { parseInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { findBrokenLink } from '../store/broken-link.ts';
import { type InForce, listDefinitionHistory } from '../store/definitions.ts';
import { selectIndexPrints } from '../store/index-prints.ts';
import { selectFirstRatePrints } from '../store/rate-prints.ts';
import { listCalculations } from '../store/standings.ts';
import type { Reader } from '../store/store.ts';
import { IndexRun, versionAt } from './index-run.ts';
import { printInstants, windows } from './instants.ts';
import { loadIndexInputs } from './load-index-inputs.ts';
import { loadRateHistory } from './load-rate-history.ts';
import { loadViews, type ViewsOfWindow } from './load-views.ts';
import { marketsBehind } from './markets-behind.ts';

/** A print that is not what was recorded, or not what its inputs give. */
interface Difference {
  kind: 'index' | 'rate';
  ticker: string;
  at: Instant;
  reason: string;
}

export interface VerifyReport {
  tickers: number;
  /** Prints whose hash chain was followed. */
  chained: number;
  /** Prints that were calculated once more from the stored inputs. */
  recalculated: number;
  /** At most one a ticker: the first print that differs. */
  differences: Difference[];
}

/**
 * Follows the hash chain of every ticker, then calculates its prints once more from the stored observations, with
 * what was known at each run, and compares level, divisor, weights and marks.
 *
 * @param wanted tickers to verify; all when empty
 */
export function verify(reader: Reader, wanted: readonly string[]): VerifyReport {
  const report: VerifyReport = { tickers: 0, chained: 0, recalculated: 0, differences: [] };
  const all = listDefinitionHistory(reader);
  const rates = all.filter((each) => each.kind === 'rate');
  const history = all.filter(({ definition }) => wanted.length === 0 || wanted.includes(definition.ticker));
  const runs = listCalculations(reader);
  for (const versions of Map.groupBy(history, (each) => `${each.kind} ${each.definition.ticker}`).values()) {
    const { kind, definition } = versions[0] as InForce;
    const { ticker } = definition;
    report.tickers++;
    const { prints, broken } = findBrokenLink(reader, kind, ticker);
    report.chained += prints;
    if (broken) {
      // What is not as it was recorded may not even be readable: there is nothing to compare with.
      report.differences.push({ kind, ticker, at: broken.at, reason: broken.reason });
      continue;
    }
    const { compared, difference } = recalculate(reader, { kind, ticker, versions, rates }, runs);
    report.recalculated += compared;
    if (difference) report.differences.push({ kind, ticker, ...difference });
  }
  return report;
}

type Comparable = { at: Instant; lines: ReceiptLine[] };

/** One calculation at one instant by the versions known then; undefined when it does not print. */
type Step = (versions: readonly InForce[], at: Instant, known: Known) => Comparable | undefined;

/** What was known for the instants of a window. */
interface Known {
  views: ViewsOfWindow;
  inputs?: ReturnType<typeof loadIndexInputs>;
  history: RateHistory;
}

/** A ticker with all that was ever in force for it, and for every rate that it may hold. */
interface Wanted {
  kind: InForce['kind'];
  ticker: string;
  versions: readonly InForce[];
  rates: readonly InForce[];
}

function recalculate(
  reader: Reader,
  { kind, ticker, versions, rates }: Wanted,
  runs: readonly Instant[],
): { compared: number; difference?: { at: Instant; reason: string } } {
  const step = kind === 'index' ? indexStep() : rateStep();
  const select = kind === 'index' ? selectIndexPrints : selectFirstRatePrints;
  let compared = 0;
  let after: Instant | undefined;
  for (const run of runs) {
    const version = versions.find((each) => wasInForce(each, run));
    if (!version) continue;
    const byTicker = ratesInForce(rates, run);
    const adopted = versions.slice(0, versions.indexOf(version) + 1);
    const ids = idsOf(adopted);
    for (const window of windows(dueInstants(version, after, run))) {
      const markets = new Set(ids.flatMap((id) => marketsBehind(id, byTicker)));
      const views = loadViews(reader, markets, window, run);
      const history =
        'sources' in version.definition
          ? loadRateHistory(reader, version.definition, window, run)
          : NO_HISTORY;
      const inputs =
        'sources' in version.definition
          ? undefined
          : loadIndexInputs(reader, ids, window, {
              views,
              rates: byTicker,
              knownAt: run,
            });
      const known = { views, history, ...(inputs ? { inputs } : {}) };
      const calculated = window.flatMap((at) => step(adopted, at, known) ?? []);
      const recorded = select(reader, ticker, window[0] as Instant, window.at(-1) as Instant);
      const difference = firstDifference(calculated, recorded);
      if (difference) return { compared, difference };
      compared += recorded.length;
    }
    after = run;
  }
  return { compared };
}

function dueInstants({ definition }: InForce, after: Instant | undefined, run: Instant): Instant[] {
  const first = parseInstant('sources' in definition ? definition.start_at : definition.base_at) ?? 0;
  return printInstants(definition.interval_minutes, after, first, run);
}

function wasInForce({ adopted_at, withdrawn_at }: InForce, run: Instant): boolean {
  return adopted_at <= run && run < (withdrawn_at ?? Number.POSITIVE_INFINITY);
}

function ratesInForce(rates: readonly InForce[], run: Instant): Map<string, RateDefinition> {
  const inForce = rates.filter((each) => wasInForce(each, run));
  return new Map(inForce.map(({ definition }) => [definition.ticker, definition as RateDefinition]));
}

// A name of the version before still settles or leaves under the version after.
function idsOf(versions: readonly InForce[]): string[] {
  const ids = versions.flatMap(({ definition }) =>
    ('sources' in definition ? definition.sources : definition.constituents).map((each) => each.market_id),
  );
  return [...new Set(ids)];
}

function indexStep(): Step {
  const run = new IndexRun();
  return (versions, at, { views, inputs }) => {
    const version = versionAt(versions.filter(isIndex).filter(tookEffect), at);
    const facts = inputs?.(version.definition, at) ?? { view: views.at(at) };
    return run.calculate(version, at, facts).print;
  };
}

function isIndex(version: InForce): version is InForce & { definition: IndexDefinition } {
  return !('sources' in version.definition);
}

function tookEffect({ withdrawn_at, takes_effect_at }: InForce): boolean {
  return withdrawn_at === null || withdrawn_at >= takes_effect_at;
}

function rateStep(): Step {
  let before: RatePrint | undefined;
  return (versions, at, { views, history }) => {
    const { definition } = versions.at(-1) as InForce;
    const print = calculateRate(definition as RateDefinition, views.at(at), at, before, history);
    before = print ?? before;
    return print;
  };
}

function firstDifference(
  calculated: readonly Comparable[],
  recorded: readonly Comparable[],
): { at: Instant; reason: string } | undefined {
  for (let i = 0; i < Math.max(calculated.length, recorded.length); i++) {
    const [ours, theirs] = [calculated[i], recorded[i]];
    if (!ours || (theirs && theirs.at < ours.at))
      return { at: theirs?.at ?? 0, reason: 'the stored inputs give no print here' };
    if (!theirs || ours.at < theirs.at)
      return { at: ours.at, reason: 'the stored inputs give a print that is missing' };
    const field = COMPARED.find((each) => !isDeepStrictEqual(fieldOf(ours, each), fieldOf(theirs, each)));
    if (field) return { at: ours.at, reason: `${field} differs from what the stored inputs give` };
  }
  return undefined;
}

const COMPARED = ['level', 'price', 'spread', 'divisor', 'cash', 'coverage', 'lines'] as const;

function fieldOf(
  print: Comparable & Partial<IndexPrint & RatePrint>,
  field: (typeof COMPARED)[number],
): unknown {
  return print[field];
}
