/** Where the reference page stands. */
export const REFERENCE = '/docs';
