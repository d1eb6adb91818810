/** How many random worlds a law is tested on: the usual number times the variable ROUNDS. */
export const rounds = (usual: number): number => usual * Number(process.env.ROUNDS ?? 1);
