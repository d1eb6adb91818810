/** How many random worlds a law is held to: as many as `npm test` has time for, times what `ROUNDS=10 npm test` says. */
export const rounds = (usual: number): number => usual * Number(process.env.ROUNDS ?? 1);
