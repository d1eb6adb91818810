import { forecastEx } from './forecastex/forecastex.ts';
import { hyperliquid } from './hyperliquid/hyperliquid.ts';
import { kalshi } from './kalshi/kalshi.ts';
import { polymarketGlobal } from './polymarket-global/polymarket-global.ts';
import { polymarketUs } from './polymarket-us/polymarket-us.ts';
import type { Venue } from './venue.ts';

export const VENUES: readonly Venue[] = [kalshi, polymarketGlobal, polymarketUs, hyperliquid, forecastEx];
