import type { Config } from '../../model/config.ts';
import type { Collector } from '../collector.ts';

/** A regulator whose lists of filings are read. */
export interface Registry extends Collector {
  enabled(config: Config): boolean;
}
