import type { Reader, Writer } from './store.ts';

/** Requests of an account to a path template on a UTC day. */
export interface RequestCount {
  organization: string;
  day: string;
  endpoint: string;
  successful: number;
  failed: number;
}

/** Adds to the stored counts. */
export function addRequestCounts(writer: Writer, counts: readonly RequestCount[]): void {
  for (const count of counts)
    writer.run(
      `INSERT INTO request_counts (organization, day, endpoint, successful, failed)
       VALUES (@organization, @day, @endpoint, @successful, @failed)
       ON CONFLICT DO UPDATE SET
         successful = successful + excluded.successful, failed = failed + excluded.failed`,
      { ...count },
    );
}

/** The counts of an account from one UTC day to another, both inclusive. */
export function listRequestCounts(
  reader: Reader,
  organization: string,
  { from, to }: { from: string; to: string },
): RequestCount[] {
  return reader.all(
    `SELECT * FROM request_counts WHERE organization = ? AND day BETWEEN ? AND ? ORDER BY day, endpoint`,
    organization,
    from,
    to,
  );
}
