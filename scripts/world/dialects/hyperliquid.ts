import { DAY } from '../calendar.ts';
import { openDesk } from '../catalog.ts';
import { type Ask, type Dialect, ok, type Reply, readJson } from '../http/route.ts';
import type { Outcome, Question } from '../outcome-catalog.ts';
import { payoutOf, readLifecycle } from '../truth/contracts.ts';
import { bookAt, DOLLAR, type Rung } from '../truth/quotes.ts';
import { openInterestAt, volumeAt } from '../truth/trades.ts';
import type { World } from '../world.ts';
import { CANDLE_INTERVALS, listCandles } from './outcome-candles.ts';

/** Hyperliquid's one public route, outcome markets only. */
export const hyperliquid: Dialect = {
  prefix: '/hyperliquid',
  routes: [{ method: 'POST', path: '/info', answer: answerInfo }],
  notFound: () => ({ status: 404, body: null }),
};

/** The templates of this world's outcomes. */
const TEMPLATES = [
  {
    id: 'binaryPrice',
    role: { standaloneOutcome: { sideNames: ['Yes', 'No'] } },
    name: '{perp} above {threshold} at {time}?',
    description:
      'Simulated. Yes if the {seconds}-second mean of the {priceDescription} of {perp} is above {threshold} at {time}. ' +
      'metadata=category:price|subCategory:N/A',
    keywords: [
      ['perp', 'hlPerp'],
      ['priceDescription', 'string'],
      ['seconds', 'uInt'],
      ['threshold', 'uDecimal'],
      ['time', 'dateTime'],
    ],
  },
];

type Body = { type?: unknown; outcome?: unknown; coin?: unknown; req?: unknown };

function answerInfo(world: World, ask: Ask): Reply {
  const body = readJson(ask.body) as Body | null | undefined;
  switch (body?.type) {
    case 'outcomeMeta':
      return ok(outcomeMeta(world));
    case 'outcomeTemplates':
      return ok(TEMPLATES);
    case 'settledOutcome':
      return ok(settledOutcome(world, String(body.outcome)));
    case 'spotMetaAndAssetCtxs':
      return ok([{ universe: [], tokens: [] }, liveOutcomes(world).flatMap((each) => contexts(world, each))]);
    case 'l2Book':
      return ok(book(world, String(body.coin)));
    case 'candleSnapshot':
      return answerCandles(world, body.req);
    default:
      return malformed();
  }
}

// The venue refuses an invalid body in plain text.
function malformed(): Reply {
  const raw = 'Failed to deserialize the JSON body into the target type';
  return { status: 422, body: { raw }, headers: { 'content-type': 'text/plain; charset=utf-8' } };
}

// All outcomes of a question settle at one instant, the fallback included.
function settledAt(world: World, { truth, contract }: Outcome): number {
  const id = contract?.id ?? '';
  const grid = { core: 10, edge: 10 };
  return readLifecycle(world.truth, { venue: 'hyperliquid', id, event: truth, outcome: 0, grid })
    .finalized_at;
}

function isLive(world: World, outcome: Outcome): boolean {
  const now = world.now();
  return now >= outcome.truth.listed_at && now < settledAt(world, outcome);
}

function liveOutcomes(world: World): Outcome[] {
  return [...world.catalog.outcomes.outcomes.values()].filter((each) => isLive(world, each));
}

function outcomeRow({ number, name, description }: Outcome): Record<string, unknown> {
  const sides = name.startsWith('template:') ? ['template:Yes', 'template:No'] : ['Yes', 'No'];
  return {
    outcome: number,
    name,
    description,
    sideSpecs: sides.map((side) => ({ name: side })),
    quoteToken: 'USDC',
  };
}

function questionRow({ number, name, description, named, fallback }: Question): Record<string, unknown> {
  return {
    question: number,
    name,
    description,
    fallbackOutcome: fallback.number,
    namedOutcomes: named.map((each) => each.number),
    settledNamedOutcomes: [],
  };
}

function outcomeMeta(world: World): unknown {
  return {
    outcomes: liveOutcomes(world).map(outcomeRow),
    questions: world.catalog.outcomes.questions
      .filter(({ fallback }) => isLive(world, fallback))
      .map(questionRow),
  };
}

function settledOutcome(world: World, number: string): unknown {
  const outcome = world.catalog.outcomes.outcomes.get(number);
  if (outcome === undefined || world.now() < settledAt(world, outcome)) return null;
  const pays = outcome.contract === undefined ? 0 : payoutOf(world.truth, outcome.contract);
  const question = world.catalog.outcomes.questions.find(({ named, fallback }) =>
    [...named, fallback].includes(outcome),
  );
  const named = question && {
    question: { settled: question.number },
    name: question.name,
    description: question.description,
  };
  return {
    spec: outcomeRow(outcome),
    settleFraction: pays.toFixed(1),
    details: 'simulated',
    ...(named ? { question: named } : {}),
  };
}

function contexts(world: World, { number, contract }: Outcome): unknown[] {
  const now = world.now();
  const desk = contract && openDesk(world.truth, contract);
  const supply = desk === undefined ? 0 : openInterestAt(desk, now) / 100;
  const day = desk === undefined ? 0 : (volumeAt(desk, now) - volumeAt(desk, now - DAY)) / 100;
  return [0, 1].map((side) => ({
    coin: `#${number}${side}`,
    markPx: '0.5',
    midPx: null,
    prevDayPx: '0.5',
    dayBaseVlm: String(day),
    circulatingSupply: String(supply),
    totalSupply: String(supply),
  }));
}

/** The outcome and side of a coin. */
function findCoin(world: World, coin: string): { outcome: Outcome; side: number } | undefined {
  const match = /^#(\d+)([01])$/.exec(coin);
  const outcome = world.catalog.outcomes.outcomes.get(match?.[1] ?? '');
  return outcome && { outcome, side: Number(match?.[2]) };
}

// Twenty rungs per side, best first; the No side's book mirrors the Yes side's.
function book(world: World, coin: string): unknown {
  const found = findCoin(world, coin);
  if (found === undefined || !isLive(world, found.outcome)) return null;
  const { contract } = found.outcome;
  const now = world.now();
  const { bids, asks } =
    contract === undefined ? { bids: [], asks: [] } : bookAt(openDesk(world.truth, contract), now);
  const rungs = (side: Rung[]) =>
    side.slice(0, 20).map(({ price, size }) => ({
      px: String((found.side === 1 ? DOLLAR - price : price) / DOLLAR),
      sz: String(size / 100),
      n: 1,
    }));
  const levels = found.side === 1 ? [rungs(asks), rungs(bids)] : [rungs(bids), rungs(asks)];
  return { coin, time: now, levels };
}

function answerCandles(world: World, req: unknown): Reply {
  const { coin, interval, startTime, endTime } = (req ?? {}) as Record<string, unknown>;
  if (typeof coin !== 'string' || typeof interval !== 'string' || typeof startTime !== 'number')
    return malformed();
  if (!(interval in CANDLE_INTERVALS)) return malformed();
  const contract = findCoin(world, coin)?.outcome.contract;
  if (contract === undefined) return ok([]);
  const now = world.now();
  const to = typeof endTime === 'number' ? endTime : now;
  const desk = openDesk(world.truth, contract);
  return ok(listCandles(desk, coin, { interval, from: startTime, to, now }));
}
