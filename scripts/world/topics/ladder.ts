import type { ScalarLaw, TruthEvent } from '../truth/events.ts';
import { type KalshiFace, type KalshiText, simulated, type WorldEvent } from './topic.ts';

/** A number that will become known, and lines that it may pass, each of them a market. */
export interface Ladder
  extends Pick<ScalarLaw, 'mean' | 'loadings' | 'residual_sd'>,
    Pick<TruthEvent, 'listed_at' | 'known_at' | 'interest'>,
    Pick<KalshiFace, 'series' | 'event_ticker' | 'title' | 'sub_title'> {
  /** Whole cents when left out. */
  grid?: KalshiFace['grid'];
  lines: readonly number[];
  /** A market pays above its line; with this it also pays exactly on the line. */
  strike_type?: 'greater_or_equal';
  /** The end of the ticker of a line's market. */
  tickerOf(line: number): string;
  textOf(line: number): Pick<KalshiText, 'title' | 'yes_sub_title' | 'rules'>;
}

/** The question as Kalshi lists it. */
export function ladder({
  event_ticker,
  mean,
  loadings,
  residual_sd,
  listed_at,
  known_at,
  interest,
  lines,
  ...face
}: Ladder): WorldEvent {
  const { series, title, sub_title, grid = 'linear_cent', strike_type = 'greater', tickerOf, textOf } = face;
  const bands = lines.map((low) => ({ low }));
  return {
    truth: {
      key: event_ticker,
      law: { kind: 'scalar', mean, loadings, residual_sd, bands },
      listed_at,
      known_at,
      interest,
      voidable: false,
    },
    kalshi: {
      series,
      event_ticker,
      title,
      sub_title,
      mutually_exclusive: false,
      grid,
      markets: lines.map((line, outcome) => ({
        outcome,
        ticker: `${event_ticker}-${tickerOf(line)}`,
        text() {
          const { rules, ...said } = textOf(line);
          return { ...said, rules: simulated(rules), strike_type, floor_strike: line };
        },
      })),
    },
  };
}
