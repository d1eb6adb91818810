import type { TruthEvent } from '../truth/events.ts';

/** A Kalshi series: what its events have in common. */
export interface KalshiSeries {
  ticker: string;
  title: string;
  category: string;
  tags: string[];
  frequency: string;
  source: string;
}

/** What one Kalshi market says; strikes in the unit of the question. */
export interface KalshiText {
  title: string;
  yes_sub_title: string;
  rules: string;
  strike_type: string;
  floor_strike?: number;
  cap_strike?: number;
}

/** A question as Kalshi lists it. Texts are made when they are read, so that large worlds stay small. */
export interface KalshiFace {
  series: KalshiSeries;
  event_ticker: string;
  title: string;
  sub_title: string;
  mutually_exclusive: boolean;
  grid: 'linear_cent' | 'tapered_deci_cent';
  markets: { outcome: number; ticker: string; text: () => KalshiText }[];
}

/** A question as Polymarket lists it. */
export interface PolymarketFace {
  slug: string;
  title: string;
  description: string;
  tags: string[];
  /** Tick in ten-thousandths of a dollar. */
  tick: number;
  neg_risk: boolean;
  markets: { outcome: number; slug: string; question: string; group_item_title: string }[];
}

/** A question and how each venue words it. */
export interface WorldEvent {
  truth: TruthEvent;
  kalshi?: KalshiFace;
  polymarket?: PolymarketFace;
}

/** The stretch of time a topic lists questions for. */
export interface Scope {
  epoch: number;
  start: number;
  /** Questions listed up to here exist already, though not yet shown. */
  until: number;
  /** How many markets are still wanted; the topics that grow share them. */
  markets: number;
}

/** One subject of the world. Its identifiers never depend on the scope. */
export interface Topic {
  name: string;
  list(scope: Scope): WorldEvent[];
}

/** Whether a question is asked in a scope: not answered before its epoch, and listed by its end. */
export function isAskedIn({ epoch, until }: Scope): (event: WorldEvent) => boolean {
  return ({ truth }) => truth.known_at > epoch && truth.listed_at <= until;
}

/** Rules and descriptions say first that nothing here is real. */
export function simulated(text: string): string {
  return `Simulated market. ${text}`;
}

/** Text as a slug: lower case, words joined by hyphens. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
