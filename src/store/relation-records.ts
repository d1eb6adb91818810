import type { MarketStatus } from '../model/catalog.ts';
import { type Family, platformOf } from '../model/platform.ts';
import type { RelationRecord } from '../model/relations.ts';
import { listRateDefinitions } from './definitions.ts';
import type { Reader } from './store.ts';

interface MarketText {
  market_id: string;
  family: Family;
  status: MarketStatus;
  question: string;
  yes_sub_title: string | null;
  closes_at: number | null;
  event_title: string | null;
}

/** Every record that has neighbours, sort by sort, with what is compared of it. */
export function* eachRelationRecord(reader: Reader): Generator<RelationRecord> {
  yield* eachMarket(reader);
  for (const { definition } of listRateDefinitions(reader))
    yield { sort: 'rate', record_id: definition.ticker, group: 'rate', text: { text: definition.name } };
}

/** Settled markets keep the neighbours that they had and take no part any more. */
function* eachMarket(reader: Reader): Generator<RelationRecord> {
  const rows = reader.iterate<MarketText>(
    `SELECT market_id, markets.family, status, question, yes_sub_title, markets.closes_at, events.title AS event_title
     FROM markets LEFT JOIN events USING (event_id) WHERE status <> 'settled' ORDER BY market_key`,
  );
  for (const row of rows)
    yield {
      sort: 'market',
      record_id: row.market_id,
      group: row.status === 'active' ? platformOf(row.family) : 'not_trading',
      text: {
        text: row.question,
        ...(row.yes_sub_title === null ? {} : { outcome: row.yes_sub_title }),
        ...(row.event_title === null ? {} : { context: row.event_title }),
        ...(row.closes_at === null ? {} : { closes_at: row.closes_at }),
      },
    };
}
