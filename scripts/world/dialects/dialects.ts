import type { Dialect } from '../http/route.ts';
import { cftc } from './cftc.ts';
import { forecastEx } from './forecastex.ts';
import { hyperliquid } from './hyperliquid.ts';
import { kalshi } from './kalshi.ts';
import { news } from './news.ts';
import { polymarketClob } from './polymarket-clob.ts';
import { polymarketData } from './polymarket-data.ts';
import { polymarketGamma } from './polymarket-gamma.ts';
import { polymarketUs } from './polymarket-us.ts';

/** Every dialect the world speaks, each under its own prefix. */
export const DIALECTS: Dialect[] = [
  kalshi,
  polymarketGamma,
  polymarketClob,
  polymarketData,
  polymarketUs,
  hyperliquid,
  forecastEx,
  cftc,
  news,
];
