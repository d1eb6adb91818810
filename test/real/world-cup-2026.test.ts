import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { easternDay } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { listIndexDefinitions } from '../../src/store/definitions/definitions.ts';
import { listDivisorSteps } from '../../src/store/prints/divisor-steps.ts';
import { findIndexPrint, selectIndexPrints } from '../../src/store/prints/index-prints.ts';
import { listCloses } from '../../src/store/prints/standings.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { compareStores, hasPython } from '../oracle/season/season.ts';
import { hasRecorded } from '../replay/recorded.ts';
import { playWorldCup } from './world-cup-2026.ts';

const SEATS = ['championship', 'conference', 'division'];
const ALL = Number.MAX_SAFE_INTEGER;

/** Worked out by test/oracle/world-cup-2026.py: by team its prints (level, cash, coverage, weights) and closes. */
const oracle: Record<string, { prints: [string, ...number[]][]; closes: [string, number][] }> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../oracle/world-cup-2026.json'), 'utf8'),
);

if (!hasRecorded)
  console.warn('skipped: the recorded venue data whose figures are known is not beside the project');

describe.skipIf(!hasRecorded)('32 team indices through the World Cup 2026, as recorded', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'foremark.db');
  let store: Store;
  let instants: Instant[];
  let tickers: Map<string, { ticker: string; seats: Map<string, string> }>;

  beforeAll(() => {
    store = openStore(path);
    instants = playWorldCup(store);
    tickers = new Map(
      store.read(listIndexDefinitions).map(({ definition }) => [
        definition.name.replace(', World Cup 2026', ''),
        {
          ticker: definition.ticker,
          seats: new Map(
            definition.constituents.map((each) => ['seat' in each ? each.seat : '', each.market_id]),
          ),
        },
      ]),
    );
  });

  afterAll(() => {
    store?.close();
  });

  it.skipIf(!hasPython)('all that is published of it is what an independent program gives', () => {
    const { compared, differences } = compareStores([path]);
    expect(differences).toBe('');
    expect(compared).toBeGreaterThan(12_000);
  });

  it('[2.4.2/1] levels, cash, coverage and weights equal the independent calculation, print for print', () => {
    expect(instants).toHaveLength(58);
    let compared = 0;
    for (const [team, { prints }] of Object.entries(oracle)) {
      const { ticker = '', seats } = tickers.get(team) ?? {};
      const ours = store.read((reader) => selectIndexPrints(reader, ticker, 0, ALL));
      expect(
        ours.map((print) => print.at),
        team,
      ).toEqual(prints.map(([at]) => Date.parse(at)));
      for (const [i, [at, ...expected]] of prints.entries()) {
        const print = ours[i];
        const weights = SEATS.map(
          (seat) => print?.lines.find((line) => line.market_id === seats?.get(seat))?.weight ?? 0,
        );
        const figures = [print?.level, print?.cash, print?.coverage, ...weights];
        for (const [k, figure] of figures.entries()) {
          const theirs = expected[k] as number;
          expect(Math.abs((figure ?? Number.NaN) - theirs), `${team} ${at} ${k}`).toBeLessThan(
            1e-9 * Math.max(1, Math.abs(theirs)),
          );
          compared++;
        }
      }
    }
    expect(compared).toBe(4092);
  });

  it('[2.4.2/6] official daily values equal the independent calculation', () => {
    let compared = 0;
    for (const [team, { closes }] of Object.entries(oracle)) {
      const { ticker = '' } = tickers.get(team) ?? {};
      const ours = store.read((reader) =>
        listCloses(reader, { kind: 'index', ticker }, easternDay(ALL / 1000)).map(({ day, at }) => [
          day,
          findIndexPrint(reader, ticker, at)?.level,
        ]),
      );
      expect(ours.map(([day]) => day)).toEqual(closes.map(([day]) => day));
      for (const [i, [day, level]] of closes.entries()) {
        expect(Math.abs(Number(ours[i]?.[1]) - level), `${team} ${day}`).toBeLessThan(
          1e-9 * Math.max(1, level),
        );
        compared++;
      }
    }
    expect(compared).toBe(390);
  });

  it('no change of members moves a level', () => {
    for (const { ticker } of tickers.values())
      for (const step of store.read((reader) => listDivisorSteps(reader, ticker)))
        expect(Math.abs(step.level_after - step.level_before)).toBeLessThanOrEqual(1e-9 * step.level_before);
  });

  it('shows who won: Spain at nine times its opening, everybody who lost all three contracts at 0', () => {
    const last = (team: string) =>
      store.read(
        (reader) => findIndexPrint(reader, tickers.get(team)?.ticker ?? '', ALL)?.level ?? Number.NaN,
      );
    expect(last('Spain')).toBeCloseTo(9210.59, 2);
    expect(last('Argentina')).toBe(0);
    expect(last('South Africa')).toBeCloseTo(2857.14, 2);
  });
});
