import { z } from 'zod';
import { LIVE_STATUSES } from '../../model/catalog.ts';
import { changedTerms, type MarketTerms, type Term, termsOf } from '../../model/market-terms.ts';
import { DAY_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { listNotes, removeNote, setNote } from '../notes.ts';
import type { Reader, Writer } from '../store.ts';
import { findMarket } from './catalog.ts';

const FEED = 'terms';

const terms = z.object({
  question: z.string(),
  yes_side: z.string().exactOptional(),
  rules: z.string().exactOptional(),
  closes_at: z.number().exactOptional(),
});

/** The terms of a market that a definition names, and those before the last change. */
const noted = z.object({
  terms,
  before: terms.exactOptional(),
  changed_at: z.number().exactOptional(),
});

/** How long a change is told; a further one in this time is told with it. */
const TOLD_FOR_MS = 30 * DAY_MS;

/**
 * Notes the terms of the live ones of some markets, since the catalog keeps only what each venue says now, and forgets
 * those of all others. A term that its venue leaves out for a while stays as it was.
 */
export function noteTerms(writer: Writer, marketIds: readonly string[], now: Instant): void {
  const known = listNotes(writer, FEED, noted);
  const named = new Set(marketIds);
  for (const id of known.keys()) if (!named.has(id)) removeNote(writer, FEED, id);
  for (const id of named) {
    const market = findMarket(writer, id);
    // Venues set the close of a market anew once its outcome is known.
    if (!market || !LIVE_STATUSES.has(market.status)) continue;
    const note = known.get(id);
    const after = { ...note?.terms, ...termsOf(market) };
    const changed = note ? changedTerms(note.terms, after) : [];
    // Small steps must not add up to another day unseen.
    if (note?.terms.closes_at !== undefined && !changed.includes('closes_at'))
      after.closes_at = note.terms.closes_at;
    if (!note || changed.length > 0) {
      const isTold = note?.changed_at !== undefined && now - note.changed_at < TOLD_FOR_MS;
      const before = isTold ? note.before : note?.terms;
      setNote(writer, FEED, id, { terms: after, ...(before && { before, changed_at: now }) });
    } else if (JSON.stringify(after) !== JSON.stringify(note.terms))
      setNote(writer, FEED, id, { ...note, terms: after });
  }
}

/** A market that a definition names and whose terms have changed under its id. */
export interface ChangedMarket {
  market_id: string;
  /** The run that saw the last change. */
  changed_at: Instant;
  /** The terms that are others now, as they were and as they are. */
  changed: { term: Term; before: NonNullable<MarketTerms[Term]>; after: NonNullable<MarketTerms[Term]> }[];
}

/** The markets whose terms have changed within the last 30 days, by id. */
export function listChangedTerms(reader: Reader, now: Instant): ChangedMarket[] {
  return [...listNotes(reader, FEED, noted)].flatMap(([market_id, { terms, before, changed_at }]) => {
    if (!before || changed_at === undefined || now - changed_at >= TOLD_FOR_MS) return [];
    const changed = changedTerms(before, terms).flatMap((term) => {
      const [was, is] = [before[term], terms[term]];
      return was === undefined || is === undefined ? [] : [{ term, before: was, after: is }];
    });
    return changed.length > 0 ? [{ market_id, changed_at, changed }] : [];
  });
}
