/** One question to a venue; with a body it is a POST. */
export interface VenueRequest {
  url: string;
  body?: unknown;
  /** What the answer is written in; JSON when left out. */
  format?: Exclude<Format, 'json'>;
  /** Whether an answer was read before as it is: it is not read again then. */
  isKnown?(body: Buffer): boolean;
  /** Sent as a bearer token; never part of a message. */
  bearer?: string;
  /** What it counts for at a venue that weighs its requests; 1 when left out. */
  weight?: number;
  /** What an earlier answer was sent with: the whole is asked for only where it is another by now. */
  unless?: Validators;
}

/** What an answer is written in. */
export type Format = 'json' | 'csv' | 'html' | 'feed' | 'file';

/** What an answer is told apart by from later ones, in the words of its server. */
export interface Validators {
  etag?: string | undefined;
  last_modified?: string | undefined;
}

/** A venue's whole answer, as it came and, where it is JSON that was not known before, read. */
export interface Answer {
  request: string;
  /** Empty where it is as it was. */
  body: Buffer;
  json: unknown;
  /** What to ask by whether it is still so; undefined where its server has none. */
  validators?: Validators | undefined;
  /** Whether the server said that it is what the request's validators were sent with. */
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
