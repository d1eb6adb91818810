import { DAY, dayName, dayToken, HOUR, isoDay, startOfDay } from '../calendar.ts';
import { ladder } from './ladder.ts';
import { type Scope, simulated, slugOf, type Topic, type WorldEvent } from './topic.ts';

/** A city with its summer and winter highs in degrees Fahrenheit. */
interface City {
  code: string;
  name: string;
  july: number;
  january: number;
}

const ROWS =
  'NYC New York 85 40|LAX Los Angeles 84 68|CHI Chicago 84 32|HOU Houston 95 64|PHX Phoenix 106 68|PHL Philadelphia 87 41|SAT San Antonio 96 63|SAN San Diego 76 66|DAL Dallas 96 57|AUS Austin 97 62|JAX Jacksonville 92 65|SFO San Francisco 67 57|DEN Denver 90 45|SEA Seattle 79 48|BOS Boston 82 37|MIA Miami 91 76|ATL Atlanta 90 54|MSP Minneapolis 83 24|PDX Portland 82 48|LVS Las Vegas 105 59';

const CITIES: City[] = ROWS.split('|').map((row) => {
  const [, code = '', name = '', july = '', january = ''] = /^(\w+) (.+) (\d+) (\d+)$/.exec(row) ?? [];
  return { code, name, july: Number(july), january: Number(january) };
});

const BANDS = 6;
const LEAD = 2 * DAY;
/** The share of the wanted markets that weather provides. */
const SHARE = 0.6;

/** The lines of the questions about the warmth of the year, in degrees above the usual high. */
const WARMTH_LINES = [0.5, 1, 1.5, 2, 2.5] as const;

const WARMTH_CITIES = CITIES.slice(0, 10);

/** Codes of the cities with a question about the warmth of the year. */
export const WARMTH_CODES = WARMTH_CITIES.map(({ code }) => code);

/** Daily highs of twenty cities in six bands, and how much warmer than usual the year will be in ten of them. */
export const weather: Topic = {
  name: 'weather',
  list(scope) {
    const warmth = WARMTH_CITIES.map((city) => listWarmth(city, scope));
    const wanted = Math.max(0, scope.markets * SHARE - warmth.length * WARMTH_LINES.length);
    const today = startOfDay(scope.start);
    const days = Math.min(
      Math.floor((today - scope.epoch) / DAY),
      Math.ceil(wanted / (CITIES.length * BANDS)),
    );
    const daily: WorldEvent[] = [];
    // Two days are always listed ahead, so the past begins that much later.
    for (let day = today - (days - 3) * DAY; day <= scope.until + LEAD; day += DAY) {
      for (const city of CITIES) daily.push(listHigh(city, day));
    }
    return [...warmth, ...daily];
  },
};

function usualHigh(city: City, day: number): number {
  const date = new Date(day);
  const season = Math.cos(((date.getUTCMonth() - 6 + date.getUTCDate() / 31) / 12) * 2 * Math.PI);
  return (city.july + city.january) / 2 + ((city.july - city.january) / 2) * season;
}

function listHigh(city: City, day: number): WorldEvent {
  const event_ticker = `SIMHIGH${city.code}-${dayToken(day)}`;
  const usual = Math.round(usualHigh(city, day));
  const lines = [usual - 4, usual - 2, usual, usual + 2, usual + 4];
  const slug = `sim-highest-temperature-in-${slugOf(city.name)}-on-${isoDay(day)}`;
  const bands = Array.from({ length: BANDS }, (_, i) => {
    const low = lines[i - 1];
    const high = lines[i];
    return { ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) };
  });
  const words = bands.map(({ low, high }) =>
    low === undefined ? `${high}° or below` : high === undefined ? `Above ${low}°` : `${low}° to ${high}°`,
  );
  return {
    truth: {
      key: event_ticker,
      law: {
        kind: 'scalar',
        mean: usualHigh(city, day),
        loadings: [
          { factor: 'weather-continent', daily_sd: 0.5 },
          { factor: `weather-${event_ticker}`, daily_sd: 1.6 },
        ],
        residual_sd: 0.7,
        bands,
      },
      listed_at: day - LEAD + 14 * HOUR,
      // The high is known in the local evening.
      known_at: day + 28 * HOUR,
      interest: 0.45,
      voidable: false,
    },
    kalshi: {
      series: {
        ticker: `SIMHIGH${city.code}`,
        title: `Highest temperature in ${city.name} (simulated)`,
        category: 'Climate and Weather',
        tags: ['Daily temperature', city.name],
        frequency: 'daily',
        source: 'national weather service',
      },
      event_ticker,
      title: `Highest temperature in ${city.name} on ${dayName(day)}?`,
      sub_title: `On ${dayName(day)}`,
      mutually_exclusive: true,
      grid: 'linear_cent',
      markets: bands.map(({ low, high }, outcome) => ({
        outcome,
        ticker: `${event_ticker}-${low === undefined ? `T${high}` : high === undefined ? `T${low}U` : `B${low + 1}`}`,
        text: () => ({
          title: `Will the high temperature in ${city.name} be ${words[outcome]} on ${dayName(day)}?`,
          yes_sub_title: words[outcome] ?? '',
          rules: simulated(
            `If the highest temperature recorded in ${city.name} on ${dayName(day)} is ${words[outcome]} Fahrenheit, then the market resolves to Yes.`,
          ),
          strike_type: low === undefined ? 'less' : high === undefined ? 'greater' : 'between',
          ...(low === undefined ? {} : { floor_strike: low }),
          ...(high === undefined ? {} : { cap_strike: high }),
        }),
      })),
    },
    ...(city.code === 'NYC'
      ? {
          polymarket: {
            slug,
            title: `Highest temperature in ${city.name} on ${dayName(day)}?`,
            description: simulated(
              `This market will resolve to the range that holds the highest temperature measured in ${city.name} on ${dayName(day)}, in degrees Fahrenheit.`,
            ),
            tags: ['weather', 'daily-temperature'],
            tick: 10,
            neg_risk: true,
            markets: words.map((range, outcome) => ({
              outcome,
              slug: `${slug}-${outcome + 1}`,
              question: `Will the highest temperature in ${city.name} be ${range} on ${dayName(day)}?`,
              group_item_title: range,
            })),
          },
        }
      : {}),
  };
}

function listWarmth(city: City, { epoch }: Scope): WorldEvent {
  const event_ticker = `SIMWARM-26-${city.code}`;
  return ladder({
    event_ticker,
    lines: WARMTH_LINES,
    mean: 1.4,
    loadings: [
      { factor: 'climate-continent', daily_sd: 0.05 },
      { factor: `climate-${city.code}`, daily_sd: 0.04 },
    ],
    residual_sd: 0.1,
    listed_at: epoch,
    known_at: Date.UTC(2027, 0, 2, 15),
    interest: 0.35,
    series: {
      ticker: 'SIMWARM',
      title: 'Warmth of the year by city (simulated)',
      category: 'Climate and Weather',
      tags: ['Climate change', 'Annual temperature'],
      frequency: 'annual',
      source: 'national weather service',
    },
    title: `How much warmer than usual will 2026 be in ${city.name}?`,
    sub_title: 'Mean high of 2026',
    tickerOf: (line) => String(line * 10),
    textOf: (line) => ({
      title: `Will the mean high of 2026 in ${city.name} be more than ${line}° above usual?`,
      yes_sub_title: `More than ${line}° above usual`,
      rules: `If the mean daily high of 2026 in ${city.name} exceeds its thirty-year mean by more than ${line} degrees Fahrenheit, then the market resolves to Yes.`,
    }),
  });
}
