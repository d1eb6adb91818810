import type { Result, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';

/**
 * Finds the handler of a path: of a fixed path by its name, of the others by one regular expression for all. Fixed ones
 * are kept apart because Hono's own choice of a router gives up the expression, for a walk through a tree of parts,
 * where a fixed path stands beside one that varies, as /filings/filters does beside /filings/{id}.
 */
export class PathRouter<Handler> implements Router<Handler> {
  name = 'PathRouter';
  readonly #fixed = new Map<string, Result<Handler>>();
  readonly #varying = new RegExpRouter<Handler>();

  /** @param method ALL: a path has one handler, which tells the methods apart */
  add(method: string, path: string, handler: Handler): void {
    if (/[*:]/.test(path)) this.#varying.add(method, path, handler);
    else this.#fixed.set(path, [[[handler, {}]], []]);
  }

  match(method: string, path: string): Result<Handler> {
    return this.#fixed.get(path) ?? this.#varying.match(method, path);
  }
}
