import { BASE } from '../routes/openapi.ts';

/** Where the paths of each tier stand. */
export const PREFIX = BASE;

/** Where the reference page stands. */
export const REFERENCE = '/docs';
