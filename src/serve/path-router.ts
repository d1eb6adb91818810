import type { Result, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';

/**
 * Routes fixed paths by a map, and paths with parameters by one regular expression. Hono's own SmartRouter would fall back
 * to a slower trie because of pairs such as /filings/filters and /filings/{id}.
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
