/** One question to a venue; with a body it is a POST. */
export interface VenueRequest {
  url: string;
  body?: unknown;
  /** What the answer is written in; JSON when left out. */
  format?: Exclude<Format, 'json'>;
  /** Whether these very bytes were read before: then they are not read again. */
  isKnown?(body: Buffer): boolean;
  /** Sent as a bearer token; never part of a message. */
  bearer?: string;
  /** What it counts for at a venue that weighs its requests; 1 when left out. */
  weight?: number;
  /** The validators of an earlier answer: the whole is sent only where it has changed since. */
  unless?: Validators;
}

/** What an answer is written in. */
export type Format = 'json' | 'csv' | 'html' | 'feed' | 'file';

/** What tells an answer apart from later ones, in the words of its server. */
export interface Validators {
  etag?: string | undefined;
  last_modified?: string | undefined;
}

/** A venue's whole answer, as it came and, where it is JSON that was not known before, read. */
export interface Answer {
  request: string;
  /** Empty where nothing has changed. */
  body: Buffer;
  json: unknown;
  /** The validators to ask with next time; undefined where the server has none. */
  validators?: Validators | undefined;
  /** Whether the server said that nothing has changed since the answer whose validators were sent. */
  unchanged?: true;
}

/** What requests cost: tries and bytes of good answers, after inflation. */
export interface Meter {
  requests: number;
  bytes: number;
}

/** Asks a venue; the meter counts. @throws ForemarkError venue_unavailable when no try gave a whole answer */
export type Requester = (request: VenueRequest, meter: Meter) => Promise<Answer>;

export interface RequestLimits {
  /** A contact address for whoever is asked. */
  contact?: string | undefined;
  attempts: number;
  request_timeout_seconds: number;
  max_body_bytes: number;
  requests_per_second: number;
}
