import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listDerivedIndices } from '../../scripts/world/definitions/derived-indices.ts';
import { listIndexDefinitions } from '../../scripts/world/definitions/indices.ts';
import { listLeagueFiles } from '../../scripts/world/definitions/league-files.ts';
import { createFinder } from '../../scripts/world/definitions/market-finder.ts';
import { listRateDefinitions } from '../../scripts/world/definitions/rates.ts';
import { createWorld } from '../../scripts/world/world.ts';

const world = createWorld();
const find = createFinder(world.catalog);
const indices = listIndexDefinitions(find);
const rates = listRateDefinitions(find);

function hasMarket(id: string): boolean {
  const native = id.slice(id.indexOf(':') + 1);
  return id.startsWith('venue_a:')
    ? world.catalog.kalshi.markets.has(native)
    : world.catalog.polymarket.markets.has(native);
}

test('every market of every definition exists in the world, once in its definition', () => {
  for (const { ticker, constituents } of indices) {
    const ids = constituents.map(({ market_id }) => market_id);
    expect(
      ids.filter((id) => !hasMarket(id)),
      ticker,
    ).toEqual([]);
    expect(new Set(ids).size, ticker).toBe(ids.length);
  }
  for (const { ticker, sources } of rates) {
    expect(
      sources.filter(({ market_id }) => !hasMarket(market_id)),
      ticker,
    ).toEqual([]);
  }
});

test('tickers are unique and spelled as the product requires', () => {
  const tickers = [...indices, ...rates].map(({ ticker }) => ticker);
  expect(new Set(tickers).size).toBe(tickers.length);
  for (const ticker of tickers) expect(ticker).toMatch(/^[A-Z0-9][A-Z0-9.-]*$/);
  expect(indices.length).toBeGreaterThanOrEqual(30);
  expect(rates).toHaveLength(55);
});

test('fixed weights are on every constituent, levels on baskets only', () => {
  for (const { ticker, weighting, constituents, methodology, base_level } of indices) {
    const weighted = constituents.filter(({ weight }) => weight !== undefined).length;
    expect(weighted, ticker).toBe(weighting.scheme === 'fixed' ? constituents.length : 0);
    expect(base_level === undefined, ticker).toBe(methodology === 'gauge');
  }
});

const named = (definition: { ticker: string }) => ({ name: definition.ticker, definition });

test.each([
  ['indices', [...indices, ...listDerivedIndices()].map(named)],
  ['rates', rates.map(named)],
  ['leagues', listLeagueFiles(find)],
])('the committed %s are what the generator writes', (folder, files) => {
  const path = new URL(`../../data/simulated/${folder}/`, import.meta.url);
  expect(readdirSync(path).toSorted()).toEqual(
    files.map(({ name }) => `${name.toLowerCase()}.json`).toSorted(),
  );
  for (const { name, definition } of files) {
    const text = readFileSync(new URL(`${name.toLowerCase()}.json`, path), 'utf8');
    expect(text).toBe(`${JSON.stringify(definition, null, 2)}\n`);
  }
});
