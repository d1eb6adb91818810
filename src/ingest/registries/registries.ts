import { cftc } from './cftc/cftc.ts';
import type { Registry } from './registry.ts';

/** The regulators that ingest knows. */
export const REGISTRIES: readonly Registry[] = [cftc];
