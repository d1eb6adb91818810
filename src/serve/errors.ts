import type { Context } from 'hono';
import { type ErrorCode, ForemarkError, ParameterError } from '../model/errors.ts';
import { METHODS } from './callers/cross-origin.ts';
import { type Env, reply } from './request-context.ts';

const STATUS: { [Code in ErrorCode]?: number } = {
  invalid_parameter: 400,
  unsupported_parameter: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_many_requests: 429,
  service_unavailable: 503,
};

const HEADERS: { [Code in ErrorCode]?: Record<string, string> } = {
  method_not_allowed: { Allow: METHODS },
  service_unavailable: { 'Retry-After': '5' },
};

/** Whether an error concerns the operator, not the caller. */
export function isOurFault(thrown: unknown): boolean {
  return !(thrown instanceof ForemarkError && STATUS[thrown.code] !== undefined);
}

/** The error as shown to the caller; undefined if the caller can do nothing about it. */
function shownError(thrown: unknown): ForemarkError | undefined {
  if (!(thrown instanceof ForemarkError)) return undefined;
  if (thrown.code === 'sink_unavailable')
    return new ForemarkError('service_unavailable', 'the archive cannot be read; retry in a few seconds');
  return STATUS[thrown.code] === undefined ? undefined : thrown;
}

/** Turns anything thrown into the error body. What is not meant for callers becomes a constant text. */
export function errorResponse(context: Context<Env>, thrown: unknown): Response {
  const shown = shownError(thrown);
  const error = shown?.code ?? 'internal_error';
  const message = shown?.message ?? 'something went wrong on our side';
  const details =
    thrown instanceof ParameterError ? { details: [{ param: thrown.param, reason: thrown.message }] } : {};
  return reply(
    context,
    JSON.stringify({ error, message, request_id: context.get('requestId'), ...details }),
    STATUS[error] ?? 500,
    {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...HEADERS[error],
      ...(shown?.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(shown.retryAfterSeconds) }),
    },
  );
}
