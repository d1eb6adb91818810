import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { pairQuestions } from '../../src/compute/relations/pair-questions.ts';
import type { RateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { readDefinitionFiles } from '../../src/store/definitions/definition-files.ts';
import { openStore } from '../../src/store/store.ts';
import { putMarkets } from '../helpers/related-store.ts';
import { runHere } from '../helpers/run-here.ts';
import { relateAll } from '../helpers/small-store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { tables } from '../quality/methods.ts';

const folder = temporaryFolder();
/** Of the length that venues allow, with an id to match. */
const LONG = {
  id: `venue_a:kx-treaty${'-b'.repeat(27)}_b`,
  question: `Will the treaty on fishing in the high seas be ratified, ${'and its annex on krill too, '.repeat(20)}by all parties?`,
};
beforeAll(() => {
  const store = openStore(join(folder, 'foremark.db'));
  const rules = (source: string) => ({ description: `Settled according to ${source}.` });
  putMarkets(store, [
    { market_id: 'venue_a:KXBTC-150', question: 'Bitcoin above $150k by end of 2026?', ...rules('Kraken') },
    { market_id: 'venue_a:KXBTC-140', question: 'Bitcoin above $140k by end of 2026?' },
    { market_id: 'venue_b:0xaa', question: 'Will BTC reach $150,000 before 2027?', ...rules('Coinbase') },
    { market_id: 'venue_b:0xbb', question: 'Will BTC reach $130,000 before 2027?' },
    { market_id: 'venue_a:KXMAYOR', question: 'Who will be the next mayor of Oslo?' },
    { market_id: 'venue_b:0xcc', question: 'Next mayor of Oslo?' },
    { market_id: 'venue_c:77', question: 'The next mayor of Oslo?' },
    { market_id: 'venue_a:KXMAYOR-L', question: 'Who will be the next mayor of Lima?' },
    { market_id: 'venue_b:0xdd', question: 'Lunar lander reaches the Moon in 2026?', status: 'closed' },
    { market_id: 'venue_a:KXMOON', question: 'Lunar lander reaches the Moon in 2026?' },
    { market_id: LONG.id, question: LONG.question },
    { market_id: 'venue_b:0xee', question: LONG.question },
  ]);
  relateAll(store);
  store.close();
});

it("[1/2] pairs of two venues ask the same, are each other's nearest, and show how they differ", () => {
  const store = openStore(join(folder, 'foremark.db'));
  const pairs = store.read((reader) => pairQuestions(reader, tables, 0.4));
  const found = pairs.map(({ markets, differs }) => [
    ...markets.map((each) => each.market_id),
    differs.join(),
  ]);
  expect(found.sort()).toEqual([
    ['venue_a:KXBTC-150', 'venue_b:0xaa', 'settlement_source'],
    ['venue_a:KXMAYOR', 'venue_b:0xcc', ''],
    ['venue_a:KXMAYOR', 'venue_c:77', ''],
    [LONG.id, 'venue_b:0xee', ''],
    ['venue_b:0xcc', 'venue_c:77', ''],
  ]);
  for (const { confidence } of pairs) expect(confidence).toBeGreaterThanOrEqual(0.4);
  store.close();
});

it('[C/1] suggest rates writes definitions that check accepts', async () => {
  const out = join(folder, 'proposed');
  // Of an earlier one that was killed.
  mkdirSync(join(out, 'rates'), { recursive: true });
  writeFileSync(join(out, `rates/a.json~${spawnSync('true').pid}~writing`), '{');
  const result = await runHere(['--json', 'suggest', 'rates', '--least', '0.4', '--folder', out], {
    cwd: folder,
  });
  expect(result.code).toBe(0);
  const proposals = JSON.parse(result.out) as { definition: { ticker: string }; confidence: number }[];
  expect(readdirSync(join(out, 'rates')).filter((name) => !name.endsWith('.json'))).toEqual([]);
  const { rates, problems } = readDefinitionFiles(out);
  expect(problems).toEqual([]);
  expect(rates.map((each) => each.ticker).sort()).toEqual(
    proposals.map((each) => each.definition.ticker).sort(),
  );
  const told = new Map(rates.map((each) => [each.ticker, each.description]));
  expect(told.get('PAIR.KXBTC-150.B')).toMatch(/ They differ in: settlement source\.$/);
  expect(told.get('PAIR.KXMAYOR.C')).toMatch(/ They differ in: nothing that their texts show\.$/);
});

it('suggest rates prints what it proposes, unless it writes it into a folder', async () => {
  const suggest = (...more: string[]) =>
    runHere(['suggest', 'rates', '--least', '0.4', ...more], { cwd: folder });
  const { out } = await suggest();
  const proposals: unknown[] = JSON.parse(out);
  expect(out).toBe(`${JSON.stringify(proposals, null, 2)}\n`);
  expect(proposals).toContainEqual({
    definition: expect.objectContaining({ ticker: 'PAIR.KXBTC-150.B', visibility: 'public' }),
    confidence: expect.any(Number),
    similarity: expect.any(Number),
    differs: ['settlement_source'],
    questions: [
      { market_id: 'venue_a:KXBTC-150', question: 'Bitcoin above $150k by end of 2026?' },
      { market_id: 'venue_b:0xaa', question: 'Will BTC reach $150,000 before 2027?' },
    ],
  });
  expect(proposals).toContainEqual(
    expect.objectContaining({
      definition: expect.objectContaining({
        ticker: `PAIR.${'B-'.repeat(27)}B.B`,
        name: LONG.question.slice(0, 200),
        claim: LONG.question.slice(0, 500),
      }),
    }),
  );
  expect((await suggest('--folder', join(folder, 'silent'))).out).toBe('');
});

it('[C/1] suggest rates takes a confidence of 0 to 1, with nothing else', async () => {
  const least = (share: string) => runHere(['--json', 'suggest', 'rates', '--least', share], { cwd: folder });
  for (const share of ['', ' ', '-0.1', '1.1', 'x', 'NaN'])
    expect(await least(share), share).toMatchObject({
      code: 2,
      err: expect.stringContaining(`'${share}' is invalid. must be 0 to 1`),
    });
  for (const share of ['0', '1']) expect((await least(share)).code, share).toBe(0);
});

it('[C/1] suggest rates gives each of two pairs of one contract its own ticker', async () => {
  const { out } = await runHere(['--json', 'suggest', 'rates', '--least', '0.2'], { cwd: folder });
  const definitions = (JSON.parse(out) as { definition: RateDefinition }[]).map((each) => each.definition);
  const ofMayor = definitions.filter(({ sources }) => sources[0]?.market_id === 'venue_a:KXMAYOR');
  expect(ofMayor.map((each) => each.ticker).sort()).toEqual(['PAIR.KXMAYOR.B', 'PAIR.KXMAYOR.C']);
});

it('[C/1] suggest rates keeps an existing file as it is, and says when a folder cannot be written', async () => {
  const out = join(folder, 'edited');
  const suggest = (to: string) =>
    runHere(['suggest', 'rates', '--least', '0.4', '--folder', to], { cwd: folder });
  expect((await suggest(out)).err).toMatch(/^(\d+) rates proposed, \1 written to \S+\n$/);
  const file = join(out, 'rates/pair.kxbtc-150.b.json');
  writeFileSync(file, '{}');
  expect((await suggest(out)).err).toMatch(
    /^(\d+) rates proposed, 0 written to \S+, \1 there already and left as /,
  );
  expect(readFileSync(file, 'utf8')).toBe('{}');
  expect(await suggest(file)).toMatchObject({
    code: 4,
    err: expect.stringMatching(/^foremark: \S+\.json: ENOTDIR: [^\n]*\n$/),
  });
});
