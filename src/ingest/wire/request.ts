import type { Validators } from '../../model/validators.ts';

/** One request to a venue; with a body it is a POST. */
export interface VenueRequest {
  url: string;
  body?: unknown;
  /** Format of the answer; JSON when left out. */
  format?: Exclude<Format, 'json'>;
  /** Whether these very bytes were parsed before; if so, they are not parsed again. */
  isKnown?(body: Buffer): boolean;
  /** Sent as a bearer token; never part of a message. */
  bearer?: string;
  /** Weight of the request at a venue that limits by weight; 1 when left out. */
  weight?: number;
  /** The validators of an earlier answer: the body is sent only if it has changed since. */
  unless?: Validators;
}

export type Format = 'json' | 'csv' | 'html' | 'feed' | 'file';

/** A venue's complete answer: the raw bytes and, for JSON that was not known before, its value. */
export interface Answer {
  request: string;
  /** Empty if nothing has changed. */
  body: Buffer;
  json: unknown;
  /** The encoding that the server states. */
  charset?: string | undefined;
  /** The validators to send next time; undefined if the server gave none. */
  validators?: Validators | undefined;
  /** Whether the server said that nothing has changed since the answer whose validators were sent. */
  unchanged?: true;
}

/** What requests cost: tries, and bytes of good answers after decompression. */
export interface Meter {
  requests: number;
  bytes: number;
}

/** Sends a request and adds to the meter. @throws ForemarkError venue_unavailable when no try gave a whole answer */
export type Requester = (request: VenueRequest, meter: Meter) => Promise<Answer>;

export interface RequestLimits {
  /** A contact address for the operators of the servers that are asked. */
  contact?: string | undefined;
  attempts: number;
  request_timeout_seconds: number;
  max_body_bytes: number;
  requests_per_second: number;
}
