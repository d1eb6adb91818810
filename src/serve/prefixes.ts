import type { Tier } from '../routes/route.ts';

/** Where the paths of each tier stand. */
export const PREFIX: Record<Tier, string> = { public: '/api/v1/public', authenticated: '/api/v1' };

/** Where the reference page stands. */
export const REFERENCE = '/docs';
