import pRetry from 'p-retry';
import type { Effects } from '../../model/effects.ts';
import { ForemarkError } from '../../model/errors.ts';
import { memoized } from '../../model/memoized.ts';
import { FailedTry } from './failed-try.ts';
import { tryOnce } from './one-try.ts';
import { Pace } from './pace.ts';
import type { Requester, RequestLimits } from './request.ts';

const WAIT_FLOOR_MS = 1000;
const WAIT_CEILING_MS = 30_000;
/** A venue that asks for a longer pause is left alone until the next run. */
const LONGEST_PAUSE_MS = 120_000;
/** After this many requests in a row that failed all their tries, a host is not asked again in the run. */
const HOST_DOWN_AFTER = 3;

interface Host {
  pace: Pace;
  failedInRow: number;
}

/**
 * Creates the function through which all requests go. Each host has its own pace. A try that ended in 408, 425, 429,
 * 5xx, a broken connection, HTML or cut-off JSON is retried after a random pause whose upper bound doubles, of at least
 * a second and at least what Retry-After asks; other answers are final. Redirects are refused.
 *
 * @param signal ends everything, pauses included, for instance at the venue's deadline
 */
export function createRequester(effects: Effects, limits: RequestLimits, signal: AbortSignal): Requester {
  const hostOf = memoized((_origin: string): Host => {
    const pace = new Pace(limits.requests_per_second, (ms) => effects.sleep(ms, signal));
    return { pace, failedInRow: 0 };
  });

  return async (request, meter) => {
    const host = hostOf(new URL(request.url).origin);
    const name = `${request.body === undefined ? 'GET' : 'POST'} ${request.url}`;
    if (host.failedInRow >= HOST_DOWN_AFTER)
      throw new ForemarkError(
        'venue_unavailable',
        `${brief(name)}: not asked, since the host failed several times`,
      );
    let tries = 0;
    try {
      const answer = await pRetry(
        async () => {
          await host.pace.turn(request.weight);
          tries++;
          meter.requests++;
          return await tryOnce(request, name, { effects, limits, signal });
        },
        {
          retries: limits.attempts - 1,
          // We pause ourselves, through effects; p-retry only counts and gives up.
          minTimeout: 0,
          signal,
          shouldRetry: ({ error, attemptNumber }) => pause(effects, signal, error, attemptNumber),
        },
      );
      host.failedInRow = 0;
      meter.bytes += answer.body.byteLength;
      return answer;
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof FailedTry)) throw thrown;
      host.failedInRow = thrown.retry ? host.failedInRow + 1 : 0;
      const after = tries > 1 ? ` (${tries} tries)` : '';
      throw new ForemarkError('venue_unavailable', `${brief(name)}: ${thrown.message}${after}`, {
        cause: thrown,
      });
    }
  };
}

async function pause(effects: Effects, signal: AbortSignal, error: Error, tries: number): Promise<boolean> {
  if (!(error instanceof FailedTry) || !error.retry || error.pauseMs > LONGEST_PAUSE_MS) return false;
  const backOff = effects.random() * Math.min(WAIT_CEILING_MS, WAIT_FLOOR_MS * 2 ** tries);
  await effects.sleep(Math.max(WAIT_FLOOR_MS, backOff, error.pauseMs), signal);
  return true;
}

// A request may list a hundred ids, too long for a message.
function brief(name: string): string {
  return name.length > 160 ? `${name.slice(0, 160)}…` : name;
}
