import { cftc } from './cftc/cftc.ts';
import type { Registry } from './registry.ts';

export const REGISTRIES: readonly Registry[] = [cftc];
