/** Processor milliseconds of this process, which do not depend on what else the machine does. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What work takes, in seconds of processor time. */
export function timed<T>(work: () => T): { took: number; result: T } {
  const before = processorMs();
  const result = work();
  return { took: (processorMs() - before) / 1000, result };
}
