import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pairQuestions, type QuestionPair } from '../compute/relations/pair-questions.ts';
import { type RateDefinition, rateDefinition } from '../model/definitions/rate-definition.ts';
import { formatInstant } from '../model/time.ts';
import { roundTo } from '../model/units.ts';
import { readSimilarityTables } from '../store/similarity-tables.ts';
import { openStore } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode } from './context.ts';

/**
 * Proposes rates on questions that two venues ask, as definitions that `check` accepts, most certain first,
 * each with the differences between its sources. With a folder each is written to `rates/` there; nothing is
 * put in force.
 */
export function suggestRatesCommand(
  context: CommandContext,
  { least, folder }: { least: number; folder?: string },
): ExitCode {
  const store = openStore(context.config.store, { readonly: true });
  try {
    const pairs = store.read((reader) => pairQuestions(reader, readSimilarityTables(), least));
    const startAt = formatInstant(context.effects.now());
    const proposals = pairs.map((pair) => ({
      definition: definitionOf(pair, startAt),
      confidence: roundTo(pair.confidence, 4),
      similarity: roundTo(pair.similarity, 4),
      differs: pair.differs,
      questions: pair.markets.map(({ market_id, question }) => ({ market_id, question })),
    }));
    if (folder !== undefined)
      writeAll(
        folder,
        proposals.map((each) => each.definition),
      );
    if (context.json || folder === undefined)
      context.out(JSON.stringify(proposals, null, context.json ? 0 : 2));
    context.err(
      `${proposals.length} rates proposed${folder === undefined ? '' : `, written to ${folder}/rates`}`,
    );
    return EXIT.complete;
  } finally {
    store.close();
  }
}

/** A rate on the first contract's question; its ticker is made of that contract's id. */
function definitionOf({ markets: [first, second], differs }: QuestionPair, startAt: string): RateDefinition {
  const about =
    differs.length === 0 ? 'nothing that their texts show' : differs.join(', ').replaceAll('_', ' ');
  return rateDefinition.parse({
    ticker: tickerOf(first.native_id),
    name: first.question.slice(0, 200),
    description: `Proposed from the texts of both contracts. They differ in: ${about}.`,
    methodology: 'claim_price',
    claim: first.question.slice(0, 500),
    visibility: 'public',
    start_at: startAt,
    interval_minutes: 60,
    sources: [{ market_id: first.market_id }, { market_id: second.market_id }],
  });
}

function tickerOf(nativeId: string): string {
  const name = nativeId
    .toUpperCase()
    .replaceAll(/[^A-Z0-9.-]+/g, '-')
    .replace(/^[.-]+/, '');
  return `PAIR.${name}`.slice(0, 64);
}

function writeAll(folder: string, definitions: readonly RateDefinition[]): void {
  mkdirSync(join(folder, 'rates'), { recursive: true });
  for (const definition of definitions)
    writeFileSync(
      join(folder, 'rates', `${definition.ticker.toLowerCase()}.json`),
      `${JSON.stringify(definition, null, 2)}\n`,
    );
}
