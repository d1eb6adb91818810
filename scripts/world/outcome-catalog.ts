import { createHash } from 'node:crypto';
import type { WorldEvent } from './topics/topic.ts';
import type { Contract } from './truth/contracts.ts';
import type { TruthEvent } from './truth/events.ts';

/** An outcome at Hyperliquid; nobody trades the fallback of a question. */
export interface Outcome {
  number: number;
  name: string;
  description: string;
  truth: TruthEvent;
  contract?: Contract;
}

/** A question with its outcomes. */
export interface Question {
  number: number;
  name: string;
  description: string;
  truth: TruthEvent;
  named: Outcome[];
  fallback: Outcome;
}

/** Everything that Hyperliquid will ever list in this world. */
export interface OutcomeCatalog {
  /** By number, as text. */
  outcomes: Map<string, Outcome>;
  questions: Question[];
}

/** No listings yet. */
export function emptyOutcomeCatalog(): OutcomeCatalog {
  return { outcomes: new Map(), questions: [] };
}

const GRID = { core: 10, edge: 10 };

/**
 * Lists a question at Hyperliquid if it is one of those that the venue carries: the Fed's decisions as one
 * question in free text, month-end prices of two coins as recurring outcomes, in both ways of coding them.
 */
export function addOutcomes(catalog: OutcomeCatalog, { truth, kalshi: face }: WorldEvent): void {
  if (face === undefined) return;
  const coin = /^SIM(BTC|ETH)M-/.exec(truth.key)?.[1];
  if (coin !== undefined) {
    const time = new Date(truth.known_at).toISOString().replaceAll('-', '').replace('T', '-');
    const until = `${time.slice(0, 11)}${time.slice(12, 14)}`;
    for (const { outcome, ticker, text } of face.markets) {
      const strike = text().floor_strike ?? 0;
      const coded =
        coin === 'BTC'
          ? {
              name: 'Recurring',
              description: `class:priceBinary|underlying:BTC|expiry:${until}|targetPrice:${strike}|period:1M`,
            }
          : {
              name: 'template:binaryPrice',
              description: `perp:sim:ETH|priceDescription:oracle price|seconds:3|threshold:${strike}|time:${until}`,
            };
      add(catalog, {
        ...coded,
        number: numberOf(ticker),
        truth,
        contract: contractOf(ticker, truth, outcome),
      });
    }
  }
  if (!truth.key.startsWith('SIMFED-')) return;
  const named = face.markets.map(({ outcome, ticker, text }) => ({
    number: numberOf(ticker),
    name: text().yes_sub_title,
    description: text().rules,
    truth,
    contract: contractOf(ticker, truth, outcome),
  }));
  const other = { name: 'Other', description: 'Simulated. Pays if no other outcome does.', truth };
  const fallback = { ...other, number: numberOf(`${truth.key}|other`) };
  for (const each of [...named, fallback]) add(catalog, each);
  const number = numberOf(`${truth.key}|question`);
  catalog.questions.push({
    number,
    name: face.title,
    description: 'Simulated question.',
    truth,
    named,
    fallback,
  });
}

function add(catalog: OutcomeCatalog, outcome: Outcome): void {
  catalog.outcomes.set(String(outcome.number), outcome);
}

function contractOf(ticker: string, event: TruthEvent, outcome: number): Contract {
  return { venue: 'hyperliquid', id: String(numberOf(ticker)), event, outcome, grid: GRID };
}

// The same in every world, unlike a count of what was listed before.
function numberOf(name: string): number {
  const digest = createHash('sha256').update(`simulated|outcome|${name}`).digest();
  return 1000 + (digest.readUInt32BE(0) % 9_000_000);
}
