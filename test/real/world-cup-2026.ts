import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compute } from '../../src/compute/compute.ts';
import { formatInstant } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { readDefinitionFiles } from '../../src/store/definitions/definition-files.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import type { Store } from '../../src/store/store.ts';
import { market } from '../helpers/small-store.ts';
import { conditionOf } from '../replay/board.ts';
import { instantIn, readTable, recordedFiles, recordedSet } from '../replay/recorded.ts';
import { teamKey, writeWorldCup } from './recorded-definitions.ts';

type Row = Record<string, string>;
const FILES = /^polymarket_history/;
const COLUMNS = ['ts_utc', 'market', 'team', 'price', 'bid', 'ask', 'last_trade', 'closed'];

/** Folder of the recorded teams. */
export const teamsFolder = recordedSet('world-cup-2026-teams', FILES);

/**
 * Puts the recorded snapshots of three contracts of each team into a store one after the other and calculates the
 * team indices at each, as a service would have that saw the venue at those instants. The recording has names
 * instead of ids; the ids are made of the names.
 *
 * @returns the instants of the snapshots
 */
export function playWorldCup(store: Store): Instant[] {
  const rows = recordedFiles(teamsFolder, FILES).flatMap((path) => readTable(path, COLUMNS));
  const snapshots = Map.groupBy(rows, (row) => instantIn(row.ts_utc));
  const instants = [...snapshots.keys()].sort((a, b) => a - b);
  const definitions = league(rows, instants[0] ?? 0);
  store.write((writer) => adoptDefinitions(writer, definitions, instants[0] ?? 0, { keepMissing: false }));
  for (const at of instants) {
    for (const row of snapshots.get(at) ?? []) see(store, row, at);
    const { failures } = compute(store, at, () => {});
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
  }
  return instants;
}

function league(rows: readonly Row[], base_at: Instant) {
  const folder = mkdtempSync(join(tmpdir(), 'foremark-league-'));
  try {
    const teams = [...new Set(rows.map((row) => row.team ?? ''))].sort();
    writeWorldCup(folder, teams, formatInstant(base_at));
    const { problems, ...definitions } = readDefinitionFiles(folder);
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    return definitions;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function see(store: Store, row: Row, at: Instant): void {
  const market_id = `venue_b:${conditionOf(teamKey(row.market ?? '', row.team ?? ''))}`;
  // What it paid is its last price; without one nobody knows.
  const settled = row.closed === 'True' && row.price !== '';
  const price = (name: string) => {
    const value = row[name] === '' ? Number.NaN : Number(row[name]);
    return value > 0 && value < 1 ? { [name === 'last_trade' ? 'last' : name]: value } : {};
  };
  store.write((writer) => {
    const { market_key } = upsertMarket(
      writer,
      market({
        market_id,
        question: `${row.team}: ${row.market}?`,
        ...(settled ? { status: 'settled', payout: Number(row.price) } : {}),
      }),
      at,
    );
    const observations = [{ observed_at: at, ...price('bid'), ...price('ask'), ...price('last_trade') }];
    if (!settled) insertObservations(writer, market_key, { series: 'quote', observations }, at);
  });
}
