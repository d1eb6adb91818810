import { afterEach, beforeEach } from 'vitest';

/** What is opened before each test of a file and closed after it: always that of the test at hand. */
export function ofEachTest<Opened extends { close(): void }>(open: () => Opened): Opened {
  const current = {} as Opened;
  beforeEach(() => {
    Object.assign(current, open());
  });
  afterEach(() => current.close());
  return current;
}
