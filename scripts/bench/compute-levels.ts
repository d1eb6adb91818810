/**
 * Command: calculates the levels of all baskets of a store at some hours as a run does, without recording any. Prints
 * the processor time of the whole process in seconds, the sum of all levels, and its memory.
 */
import { CACHE_MIB } from '../../src/compute/compute.ts';
import { IndexCalculator } from '../../src/compute/series/index-calculator.ts';
import { windows } from '../../src/compute/series/instants.ts';
import { loadViews } from '../../src/compute/series/load-views.ts';
import { MarketReads } from '../../src/compute/series/market-reads.ts';
import { seriesGroups } from '../../src/compute/series/series-groups.ts';
import { withSmallHeap } from '../../src/compute/small-heap.ts';
import { ColumnRoom } from '../../src/model/column-room.ts';
import { listIndexDefinitions } from '../../src/store/definitions/definitions.ts';
import { EVER } from '../../src/store/prints/known-prints.ts';
import { openStore, type Reader } from '../../src/store/store.ts';
import { calculateLevels } from './compute-only.ts';
import { hoursOf } from './compute-world.ts';
import { mostMemory } from './most-memory.ts';

const [path = '', hours = ''] = process.argv.slice(2);

function sumLevels(reader: Reader): number {
  const instants = hoursOf(Number(hours));
  const baskets = listIndexDefinitions(reader).map(({ definition }) => ({
    kind: 'index' as const,
    ticker: definition.ticker,
    markets: definition.constituents.map((each) => each.market_id),
    instants,
    uses: [],
    definition,
    calculator: new IndexCalculator(),
  }));
  const room = new ColumnRoom();
  let total = 0;
  for (const group of seriesGroups(baskets)) {
    const markets = new Set(group.flatMap((each) => each.markets));
    const reads = new MarketReads();
    for (const window of windows(instants, markets.size)) {
      room.clear();
      const views = loadViews(reader, markets, window, reads, EVER, room);
      for (const { definition, calculator } of group)
        calculateLevels(reader, definition, calculator, window, { views, reads }, (level) => {
          total += level;
        });
    }
  }
  return total;
}

const store = openStore(path, { readonly: true });
store.cache(CACHE_MIB);
const total = withSmallHeap(() => store.read(sumLevels));
store.close();
const { user, system } = process.cpuUsage();
process.stdout.write(`${(user + system) / 1e6} ${total} ${mostMemory()}`);
