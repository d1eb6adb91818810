import { type ServedWorld, serveWorld } from '../../scripts/world/http/server.ts';
import { createWorld, type World, type WorldOptions } from '../../scripts/world/world.ts';

export const KALSHI = '/kalshi/trade-api/v2';

/** A value read from JSON of which a test knows the shape it hopes for. */
export type Row = Record<string, unknown>;

/** A served world and short ways to ask it. */
export interface OpenWorld {
  world: World;
  served: ServedWorld;
  /** Status and parsed body of a GET. */
  get(path: string): Promise<{ status: number; body: Row }>;
  /** Sends JSON. */
  post(path: string, body: unknown): Promise<{ status: number; body: Row }>;
  /** Arms faults, each for one request unless told otherwise; those of before stay. */
  setFaults(...faults: readonly object[]): Promise<void>;
  clearFaults(): Promise<void>;
  /** Is told the path of each request that is left without an answer; a test may replace it. */
  onHang(path: string): void;
}

/** Serves a world on a free port. */
export async function openWorld(options: WorldOptions = {}): Promise<OpenWorld> {
  const world = createWorld(options);
  const served = await serveWorld(world, { port: 0, onHang: (path) => open.onHang(path) });
  const read = async (response: Response) => ({
    status: response.status,
    body: (await response.json()) as Row,
  });
  const post: OpenWorld['post'] = async (path, body) =>
    read(await fetch(served.origin + path, { method: 'POST', body: JSON.stringify(body) }));
  const open: OpenWorld = {
    world,
    served,
    onHang() {},
    get: async (path) => read(await fetch(served.origin + path)),
    post,
    async setFaults(...faults) {
      const armed = faults.map((fault) => ({ times: 1, ...fault }));
      const { status, body } = await post('/_world/faults', armed);
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    async clearFaults() {
      await fetch(`${served.origin}/_world/faults`, { method: 'DELETE' });
    },
  };
  return open;
}

/** The list under a key of a body. */
export function rows(body: Row, key: string): Row[] {
  const list = body[key];
  if (!Array.isArray(list)) throw new Error(`no list ${key} in ${JSON.stringify(body).slice(0, 200)}`);
  return list as Row[];
}
