/**
 * The error type of the product. `code` is stable and is the API's `error` token; `message` is safe to show to a
 * caller; `detail` is for operators only and never sent to a caller.
 */
export class ForemarkError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  /** When to retry, if that differs from the default of the code. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      detail?: string | undefined;
      cause?: unknown;
      retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ForemarkError';
    this.code = code;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export type ErrorCode =
  | 'invalid_parameter'
  | 'unsupported_parameter'
  | 'unauthorized'
  | 'insufficient_scope'
  | 'not_found'
  | 'method_not_allowed'
  | 'too_many_requests'
  | 'internal_error'
  | 'service_unavailable'
  | 'invalid_definition'
  | 'invalid_configuration'
  | 'invalid_payload'
  | 'venue_unavailable'
  | 'run_in_progress'
  | 'store_unusable'
  | 'sink_unavailable'
  | 'archive_damaged'
  | 'publication_superseded';

/** Refuses a request parameter; `param` names it in the answer's details. */
export class ParameterError extends ForemarkError {
  readonly param: string;

  constructor(
    param: string,
    message: string,
    code: 'invalid_parameter' | 'unsupported_parameter' = 'invalid_parameter',
  ) {
    super(code, message);
    this.name = 'ParameterError';
    this.param = param;
  }
}

/** The message of anything thrown, for a log line or a report. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The same with the detail that is for operators only, in parentheses. */
export function operatorMessageOf(thrown: unknown): string {
  const detail = thrown instanceof ForemarkError ? thrown.detail : undefined;
  return detail === undefined ? messageOf(thrown) : `${messageOf(thrown)} (${detail})`;
}

/** Whether an error of the product with a code was thrown. */
export function hasCode(thrown: unknown, code: ErrorCode): thrown is ForemarkError {
  return thrown instanceof ForemarkError && thrown.code === code;
}

/** The error code of the system or SQLite, such as ENOENT; undefined if there is none. */
export function failureCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}
