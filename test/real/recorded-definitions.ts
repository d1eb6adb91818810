// The definitions of data/ on recorded sets, made anew for the names that a folder of recordings has.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { conditionOf } from '../replay/board.ts';
import { contractKey } from '../replay/scenarios/us-president-2024.ts';
import { states } from '../replay/states.ts';

const DATA = join(import.meta.dirname, '..', '..', 'data');
const INDICES = ['indices/uspres24-r.json', 'indices/uspres24-r-gauge.json'];
const LEAGUE = 'leagues/world-cup-2026.json';

/** Writes the two indices of the 2024 election into a folder, on the states that were recorded. */
export function writeElection(folder: string): void {
  const constituents = states.map(({ code, electoral_votes }) => ({
    market_id: `venue_b:${conditionOf(contractKey(code, 'Donald Trump'))}`,
    weight: electoral_votes,
    groups: { state: code },
  }));
  for (const file of INDICES) rewrite(folder, 'us-president-2024', file, { constituents });
}

/** Writes the league of the World Cup 2026 into a folder, of the teams that were recorded, from their first snapshot on. */
export function writeWorldCup(folder: string, names: readonly string[], base_at: string): void {
  const codes = new Set<string>();
  const teams = names.map((team) => {
    const code = codeOf(team, codes);
    codes.add(code);
    const [outright, advance, group_winner] = ['outright', 'advance', 'group_winner'].map((market) =>
      conditionOf(teamKey(market, team)),
    );
    return { code, fields: { team, outright, advance, group_winner } };
  });
  rewrite(folder, 'world-cup-2026', LEAGUE, { base_at, teams });
}

/** Names the contract on a team in its identifiers. */
export function teamKey(market: string, team: string): string {
  return `world-cup-2026:${market}:${team}`;
}

/** Of a team whose letters give none, or that of another, a part of its digest. @example 'Curaçao' → 'CURACAO' */
function codeOf(team: string, taken: ReadonlySet<string>): string {
  const letters = team
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .slice(0, 16);
  return letters === '' || taken.has(letters) ? conditionOf(team).slice(2, 12).toUpperCase() : letters;
}

function rewrite(folder: string, set: string, file: string, changes: Record<string, unknown>): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  const { $schema: _schema, ...definition } = JSON.parse(readFileSync(join(DATA, set, file), 'utf8'));
  writeFileSync(path, JSON.stringify({ ...definition, ...changes }));
}
