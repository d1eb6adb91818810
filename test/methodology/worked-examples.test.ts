// The worked examples of marks, indices, changes, closes and similarity in data/methodology.md, calculated again: the
// sentence with the calculated numbers must stand in the document.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { previousCloses } from '../../src/methodology/closes.ts';
import { constituentReturns } from '../../src/methodology/constituent-returns.ts';
import { correlate } from '../../src/methodology/correlation.ts';
import { dailyStats } from '../../src/methodology/daily-stats.ts';
import { planChange } from '../../src/methodology/index-changes.ts';
import { calculateIndex, indexFamilyOf } from '../../src/methodology/index-families/index-families.ts';
import { failedCheck, markOf } from '../../src/methodology/marks.ts';
import { rateFamilyOf } from '../../src/methodology/rate-families/rate-families.ts';
import type { Profile } from '../../src/methodology/similarity/profile.ts';
import { pairConfidence } from '../../src/methodology/similarity/same-question.ts';
import { compareTexts } from '../../src/methodology/similarity/similarity.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import type { IndexPrint } from '../../src/model/print.ts';
import { addDays, formatInstant } from '../../src/model/time.ts';
import { toLevel } from '../../src/model/units.ts';
import { readDefinitionFiles } from '../../src/store/definitions/definition-files.ts';
import { selectIndexPrints } from '../../src/store/prints/index-prints.ts';
import { listRestatements } from '../../src/store/restatements.ts';
import { index } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';
import { book, define, hour, idOf, mid, NO_OTHERS, paid, START, work } from './contracts.ts';

const document = readFileSync(join(import.meta.dirname, '../../data/methodology.md'), 'utf8').replace(
  /\s+/g,
  ' ',
);
const at = (i: number, prices: Record<string, number>) =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, mid(price, hour(i))]));
const days = (first: string, ...closes: number[]) =>
  closes.map((value, i) => ({ day: addDays(first, i), value }));

it('the versions, each of which has a simulated definition', () => {
  const { indices, rates } = readDefinitionFiles(join(import.meta.dirname, '../../data/simulated'));
  const [, stated = ''] = /Versions: (.*?) Every print/.exec(document) ?? [];
  const [ofIndices = '', ofRates = ''] = stated.split('; each rate methodology ');
  const tokens = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, token = '']) => token).sort();
  expect([...new Set(indices.map((each) => indexFamilyOf(each).version))].sort()).toEqual(tokens(ofIndices));
  const [usual = '', ...others] = ofRates.split(', but ');
  const [, number = ''] = /`<token>-(.+)`/.exec(usual) ?? [];
  const versions = [...new Set(rates.map((each) => rateFamilyOf(each).version))];
  expect(versions).toHaveLength(8);
  expect(versions.filter((version) => !version.endsWith(`-${number}`)).sort()).toEqual(tokens(others.join()));
});

it('marks', () => {
  const said = (sides: Parameters<typeof book>[0]) => {
    const mark = markOf(book(sides, START));
    return typeof mark === 'string' ? mark : `${mark.price} \`${mark.basis}\``;
  };
  expect(document).toContain(
    `bid 0.40, ask 0.50 → ${said({ bid: 0.4, ask: 0.5 })}. Only an ask of 0.10, ` +
      `last trade 0.12 → ${said({ ask: 0.1, last: 0.12 })}, beyond the quote.`,
  );
  const wide = { bid: 0.4, ask: 0.61 };
  const reason = failedCheck(book(wide, START), START, {
    max_spread_cents: 20,
    max_quote_age_hours: 24,
  });
  expect(document).toContain(`ask 0.61 → \`${reason}\` in an index, ${said(wide)} in a rate.`);
});

it('a basket, and what its constituents did since a close', () => {
  const worked = work(define(['A', 'B']), [
    at(0, { A: 0.5, B: 0.2 }),
    at(1, { A: 0.6, B: 0.2 }),
    { ...at(2, { B: 0.2 }), A: paid(1, hour(2)) },
  ]);
  const [base, later, end] = worked;
  const n = [base?.line('A')?.quantity, base?.line('B')?.quantity];
  expect(document).toContain(`base 1000: n = ${n.join(' and ')}, L = ${base?.level}. At 0.60`);
  expect(document).toContain(`= ${later?.level}, weights 600/1100 and 500/1100.`);
  expect(later?.line('A')?.weight).toBeCloseTo(600 / 1100, 12);
  expect(end?.standing?.divisor).toBeCloseTo(1 / 3, 12);
  expect(document).toContain(`2500·0.20/(1/3) = ${toLevel(end?.level ?? 0)}.`);
  const close = base?.print as IndexPrint;
  const [, down] = work(define(['A', 'B']), [at(0, { A: 0.5, B: 0.2 }), at(1, { A: 0.6, B: 0.19 })]);
  const returns = constituentReturns([close, down?.print as IndexPrint], (id) => id, 'basket');
  const points = returns.map((each) => toLevel(each.point_change)).join(' and ');
  const percent = returns.map((each) => toLevel(each.percent_change ?? 0)).join(' and ');
  expect(document).toContain(`go to 0.60 and 0.19: ${points} points, ${percent} percent.`);
});

it('a composite', () => {
  const definition = indexDefinition.parse(
    index('BOTH', 'composite', {
      base_at: formatInstant(START),
      weighting: { categories: { sports: 3, politics: 1 } },
      constituents: ['ONE', 'TWO', 'THREE'].map((ticker, i) => ({
        index: ticker,
        category: i < 2 ? 'sports' : 'politics',
      })),
    }),
  );
  const calculate = (i: number, levels: Record<string, number>, before?: IndexPrint) =>
    calculateIndex({
      definition,
      at: hour(i),
      view: () => undefined,
      ...NO_OTHERS,
      printed: (id) => ({ value: levels[id] ?? 1000, at: hour(i) }),
      reconstitute: false,
      ...(before ? { before } : {}),
    }).print as IndexPrint;
  const base = calculate(0, {});
  const values = base.lines.map((line) => line.quantity * (line.price ?? 0));
  const later = calculate(1, { 'index:ONE': 1200, 'index:THREE': 800 }, base);
  const parts = later.lines.map((line) => toLevel(line.quantity * (line.price ?? 0)));
  expect(document).toContain(`base 1000: values ${values.join(', ')}.`);
  expect(document).toContain(`L = ${parts.join(' + ')} = ${toLevel(later.level)}.`);
});

it('a composite of a gauge that a name enters', () => {
  const hand = new HandStore();
  const base_at = new Date(START).toISOString();
  const named = { ticker: 'G', family: 'probability' } as const;
  const all = { weighting: { categories: { all: 1 } }, constituents: [{ index: 'G', category: 'all' }] };
  hand.adopt([
    { ...define(['A', 'B'], named), constituents: ['A', 'B'].map((name) => ({ market_id: idOf(name) })) },
    index('WHOLE', 'composite', { ...all, base_at }),
  ]);
  hand.at(hour(0), { A: 0.4 });
  hand.at(hour(1), { A: 0.5, B: 0.8 });
  hand.at(hour(2), { A: 0.5, B: 0.9 });
  const [base, linked, last] = hand.store.read((reader) => selectIndexPrints(reader, 'WHOLE', 0, hour(2)));
  const [now, before] = linked?.lines ?? [];
  const rounded = (value = Number.NaN) => toLevel(value);
  expect(document).toContain(
    `Example: ${rounded(base?.lines[0]?.quantity)} units of a gauge of one name at 0.40, L = ${rounded(base?.level)}.`,
  );
  expect(document).toContain(
    `G = ${rounded(now?.price)} after a step from 50, so q′ = ${rounded(before?.price)}, L = ${rounded(linked?.level)} ` +
      `and n = 25·50/65 = ${rounded(now?.quantity)}. At 0.50 and 0.90 G = ${rounded(last?.lines[0]?.price)}: ` +
      `L = ${rounded(last?.level)}.`,
  );
});

it('a gauge', () => {
  const [probability = 0, centred = 0] = (['probability', 'centred'] as const).map(
    (family) => work(define({ A: 3, B: 1 }, { family }), [at(0, { A: 0.5, B: 0.9 })])[0]?.level,
  );
  expect(document).toContain(`G = (3·50 + 90)/4 = ${toLevel(probability)}, centred ${toLevel(centred)}.`);
});

it('the notice of a change', () => {
  const tuesday = Date.parse('2026-11-03T12:00:00Z');
  const { takes_effect_at } = planChange({ inForce: define({ A: 1 }) }, define({ A: 1, B: 1 }), tuesday);
  const counts = new Intl.DateTimeFormat('en', {
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(takes_effect_at);
  expect(document).toContain(`adopted on Tuesday at 12:00 without \`effective_at\` → the first calculation`);
  expect(document).toContain(`calculation from ${counts.replace(/ at /, ' ')} on makes the step.`);
});

it('a restatement', () => {
  const hand = new HandStore();
  const constituents = ['A', 'B'].map((name) => ({ market_id: idOf(name) }));
  hand.adopt([{ ...define(['A', 'B'], { ticker: 'PAIR' }), constituents }]);
  hand.at(hour(0), { A: 0.5, B: 0.5 });
  hand.at(hour(2), { A: 0.7, B: 0.5 });
  hand.at(hour(3), { A: { pays: 1, since: hour(1.5) }, B: 0.5 });
  const [restated] = hand.store.read((reader) =>
    listRestatements(reader, { kind: 'index', ticker: 'PAIR' }, hour(2)),
  );
  const [before, after] = [restated?.old_value, restated?.new_value].map((level) => toLevel(level ?? 0));
  expect(document).toContain(`At 14:00 the first stands at 0.70: L = ${before}. At 15:00 it becomes`);
  expect(document).toContain(
    `is restated from ${before} to 1000 + 500 = ${after}, all of it in the second name.`,
  );
});

it('previous closes', () => {
  const closes = ['2026-11-01', '2026-11-03', '2026-11-09'].map((day) => ({ day }));
  const { oneDay, sevenDays } = previousCloses(closes);
  expect(document).toContain(
    `closes on 1, 3 and 9 November → the ${Number(oneDay?.day.slice(-2))}th, ` +
      `and the ${Number(sevenDays?.day.slice(-2))}st, since the 2nd has none.`,
  );
});

it('a correlation and a volatility', () => {
  const walk = (cents: readonly number[]) => {
    const closes = [0.1];
    for (let i = 0; i < 20; i++) closes.push((closes.at(-1) ?? 0) + (cents[i % cents.length] ?? 0) / 100);
    return closes;
  };
  const { matrix } = correlate(['a', 'b'], [walk([1, 2, 3]), walk([2, 1, 3])]);
  expect(document).toContain(`beside such of 2, 1 and 3 → ${matrix[0]?.[1]?.toFixed(4)}.`);
  const stats = dailyStats(days('2026-01-01', ...walk([1, -1])));
  expect(document).toContain(`by turns → volatility ${stats?.volatility?.toFixed(4)} cents.`);
});

it('the similarity of two texts, and the confidence of a pair', () => {
  const name = (word: string) => ({ kind: 'person' as const, name: word, words: [word] });
  const text = (...names: string[]) => {
    const profile: Profile = {
      names: names.map(name),
      subjects: [],
      times: [],
      quantities: [],
      facets: new Map(),
      words: new Map(),
    };
    return { ids: Uint32Array.of(1), values: Float32Array.of(1), profile };
  };
  const { similarity } = compareTexts(text('ann', 'bob'), text('ann'), {}, () => 0.2);
  expect(document).toContain(`another that one text has alone → U = 0.2, s = ${similarity.toFixed(4)}.`);
  const sure = pairConfidence(0.9, 0.3, 0).toFixed(2);
  expect(document).toContain(`0.9 with a runner-up at 0.3 and no difference → ${sure}.`);
});
