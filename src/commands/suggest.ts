import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pairQuestions, type QuestionPair } from '../compute/relations/pair-questions.ts';
import { counted } from '../model/counted.ts';
import { type RateDefinition, rateDefinition } from '../model/definitions/rate-definition.ts';
import { platformOf } from '../model/platform.ts';
import { formatInstant } from '../model/time.ts';
import { roundTo } from '../model/units.ts';
import type { MarketRow } from '../store/catalog/catalog.ts';
import { readSimilarityTables } from '../store/similarity-tables.ts';
import { type CommandContext, EXIT, type ExitCode } from './context.ts';
import { withStore } from './with-store.ts';
import { writeWhole } from './write-whole.ts';

/**
 * Proposes rates for questions that two venues ask, the most certain first. Each is a definition that `check` accepts,
 * with the differences between its sources. With a folder, they are written to its `rates/`; existing files are kept.
 */
export function suggestRatesCommand(
  context: CommandContext,
  { least, folder }: { least: number; folder?: string },
): ExitCode {
  return withStore(context, 'read', (store) => {
    const pairs = store.read((reader) => pairQuestions(reader, readSimilarityTables(), least));
    const startAt = formatInstant(context.effects.now());
    const proposals = pairs.map((pair) => ({
      definition: definitionOf(pair, startAt),
      confidence: roundTo(pair.confidence, 4),
      similarity: roundTo(pair.similarity, 4),
      differs: pair.differs,
      questions: pair.markets.map(({ market_id, question }) => ({ market_id, question })),
    }));
    if (context.json || folder === undefined)
      context.out(JSON.stringify(proposals, null, context.json ? 0 : 2));
    const written =
      folder === undefined
        ? ''
        : writtenTo(
            folder,
            proposals.map((each) => each.definition),
          );
    context.err(`${counted(proposals.length, 'rate')} proposed${written}`);
    return EXIT.complete;
  });
}

/** A rate on the question of the first contract. */
function definitionOf({ markets: [first, second], differs }: QuestionPair, startAt: string): RateDefinition {
  const about =
    differs.length === 0 ? 'nothing that their texts show' : differs.join(', ').replaceAll('_', ' ');
  return rateDefinition.parse({
    ticker: tickerOf(first, second),
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

/**
 * The id of the first contract and the venue of the second, since three venues may ask the same question. Long ids are
 * cut at the beginning, because they differ at the end.
 *
 * @example KXBTC-150 beside a contract of venue B: PAIR.KXBTC-150.B
 */
function tickerOf(first: MarketRow, second: MarketRow): string {
  const name = first.native_id.toUpperCase().replaceAll(/[^A-Z0-9.-]+/g, '-');
  const venue = platformOf(second.family).slice('venue_'.length).toUpperCase();
  return `PAIR.${name.slice(-56).replace(/^[.-]+/, '')}.${venue}`;
}

/** Writes definitions, but replaces no file, since it may have been edited. @returns what was done, in words */
function writtenTo(folder: string, definitions: readonly RateDefinition[]): string {
  let written = 0;
  for (const definition of definitions) {
    const key = `rates/${definition.ticker.toLowerCase()}.json`;
    if (existsSync(join(folder, key))) continue;
    writeWhole(folder, key, `${JSON.stringify(definition, null, 2)}\n`);
    written++;
  }
  const there = definitions.length - written;
  return `, ${written} written to ${folder}/rates${there > 0 ? `, ${there} there already and left as they are` : ''}`;
}
