/** What work takes, in seconds of processor time: what else the machine does takes no part. */
export function timed<T>(work: () => T): { took: number; result: T } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { took: (user + system) / 1e6, result };
}
