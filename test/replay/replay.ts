import { clobRoutes, clobUnknownPath } from './clob.ts';
import { dataRoutes, dataUnknownPath } from './data.ts';
import { gammaRoutes, gammaUnknownPath } from './gamma.ts';
import { kalshiNotFound, kalshiRoutes } from './kalshi.ts';
import type { VenueHost } from './route.ts';
import type { Scenario } from './scenario.ts';
import { pageSets } from './scenarios/catalog-pages.ts';
import { fedDec2025 } from './scenarios/fed-dec-2025.ts';
import { usPresident2024 } from './scenarios/us-president-2024.ts';
import { type Clock, listen } from './server.ts';

/** Base addresses of the venues, as the product's settings take them. */
interface Endpoints {
  venue_a: string;
  gamma: string;
  clob: string;
  data: string;
}

/** A running replay of one scenario. */
export interface Replay {
  origin: string;
  endpoints: Endpoints;
  /** Moves the virtual clock; nothing recorded after it is answered. */
  setNow(iso: string): void;
  close(): Promise<void>;
}

const scenarios: Readonly<Record<string, () => Scenario>> = {
  'us-president-2024': usPresident2024,
  'fed-dec-2025': () => fedDec2025(),
  ...Object.fromEntries(Object.entries(pageSets).map(([name, load]) => [`catalog-pages/${name}`, load])),
};

/** Names of the scenarios: two price replays and one for each set of recorded catalog pages. */
export const scenarioNames: readonly string[] = Object.keys(scenarios);

/**
 * Answers as the venues would from recorded data, over loopback HTTP and in the venues' wire formats.
 * The clock starts at `now`, else at the end of the recording. Throws on an unknown scenario.
 */
export async function startReplay(name: string, options: { now?: string } = {}): Promise<Replay> {
  const load = scenarios[name];
  if (load === undefined) throw new Error(`scenario must be one of ${scenarioNames.join(', ')}, got ${name}`);
  return await startScenario(name, load(), options);
}

/** The same of a scenario that has no name of its own. */
export async function startScenario(
  name: string,
  scenario: Scenario,
  options: { now?: string } = {},
): Promise<Replay> {
  const clock: Clock = { now: Date.parse(options.now ?? scenario.recorded_at) };
  const paths = {
    venue_a: `/${name}/kalshi/trade-api/v2`,
    gamma: `/${name}/gamma`,
    clob: `/${name}/clob`,
    data: `/${name}/data`,
  };
  const { origin, close } = await listen(hostsOf(scenario, paths), clock);
  return {
    origin,
    endpoints: {
      venue_a: origin + paths.venue_a,
      gamma: origin + paths.gamma,
      clob: origin + paths.clob,
      data: origin + paths.data,
    },
    setNow: (iso) => {
      clock.now = Date.parse(iso);
    },
    close,
  };
}

function hostsOf({ kalshi, polymarket }: Scenario, paths: Endpoints): VenueHost[] {
  return [
    { prefix: paths.venue_a, routes: kalshiRoutes(kalshi), unknownPath: kalshiNotFound },
    { prefix: paths.gamma, routes: gammaRoutes(polymarket), unknownPath: gammaUnknownPath },
    { prefix: paths.clob, routes: clobRoutes(polymarket), unknownPath: clobUnknownPath },
    { prefix: paths.data, routes: dataRoutes(polymarket), unknownPath: dataUnknownPath },
  ];
}
