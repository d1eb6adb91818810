import { DAY, dayName, HOUR, monthName, monthToken } from '../calendar.ts';
import { isAskedIn, simulated, type Topic, type WorldEvent } from './topic.ts';

/** A central bank and its policy meetings (days of the decision). */
export interface CentralBank {
  code: string;
  name: string;
  body: string;
  hour: number;
  meetings: string[];
}

export const CENTRAL_BANKS: CentralBank[] = [
  {
    code: 'FED',
    name: 'Federal Reserve',
    body: 'Fed',
    hour: 18,
    meetings: '2026-07-29 2026-09-16 2026-10-28 2026-12-09 2027-01-27 2027-03-17 2027-04-28 2027-06-09'.split(
      ' ',
    ),
  },
  {
    code: 'ECB',
    name: 'European Central Bank',
    body: 'ECB',
    hour: 12,
    meetings: '2026-07-23 2026-09-10 2026-10-22 2026-12-17 2027-02-04 2027-03-18 2027-04-29 2027-06-10'.split(
      ' ',
    ),
  },
  {
    code: 'BOE',
    name: 'Bank of England',
    body: 'Bank of England',
    hour: 11,
    meetings: '2026-07-30 2026-09-17 2026-11-05 2026-12-17 2027-02-04 2027-03-18 2027-05-06 2027-06-17'.split(
      ' ',
    ),
  },
];

/** Decisions by the change in basis points; bands lie half way between the usual steps. */
export const DECISIONS = [
  {
    code: 'C50',
    words: 'Cut 50+ bps',
    global: '50+ bps decrease',
    verb: 'cut by 50 basis points or more',
    band: { high: -37.5 },
  },
  {
    code: 'C25',
    words: 'Cut 25 bps',
    global: '25 bps decrease',
    verb: 'cut by 25 basis points',
    band: { low: -37.5, high: -12.5 },
  },
  {
    code: 'H0',
    words: 'No change',
    global: 'No change',
    verb: 'leave its rate unchanged',
    band: { low: -12.5, high: 12.5 },
  },
  {
    code: 'H25',
    words: 'Hike',
    global: '25+ bps increase',
    verb: 'raise its rate',
    band: { low: 12.5 },
  },
] as const;

/** Decision day of a meeting as its ticker names it: the Fed's of December 2026 is `SIMFED-26DEC`. */
export function meetingTicker(bank: CentralBank, meeting: string): string {
  return `SIM${bank.code}-${monthToken(Date.parse(meeting))}`;
}

/** Rate decisions of three central banks, moved by one global mood, each bank's own, and each meeting's. */
export const centralBanks: Topic = {
  name: 'central-banks',
  list: (scope) =>
    CENTRAL_BANKS.flatMap((bank) =>
      bank.meetings.map((meeting, i) => listMeeting(bank, meeting, i, scope.epoch)),
    ).filter(isAskedIn(scope)),
};

function listMeeting(bank: CentralBank, meeting: string, order: number, epoch: number): WorldEvent {
  const decided = Date.parse(meeting) + bank.hour * HOUR;
  const event_ticker = meetingTicker(bank, meeting);
  const month = monthName(decided);
  const slug = `sim-${bank.code.toLowerCase()}-decision-in-${month.toLowerCase().replace(' ', '-')}`;
  return {
    truth: {
      key: event_ticker,
      law: {
        kind: 'scalar',
        mean: [-6, -18, -10, -14, -4, -16, -8, -12][(order + bank.code.length + bank.hour) % 8] ?? -10,
        loadings: [
          { factor: 'rates-global', daily_sd: 0.6 },
          { factor: `rates-${bank.code}`, daily_sd: 0.8 },
          { factor: `rates-${event_ticker}`, daily_sd: 0.5 },
        ],
        residual_sd: 3,
        bands: DECISIONS.map(({ band }) => band),
      },
      // Far meetings are listed as the nearer ones pass.
      listed_at: Math.max(epoch, decided - 290 * DAY),
      known_at: decided,
      interest: bank.code === 'FED' ? 0.9 : 0.55,
      voidable: false,
    },
    kalshi: {
      series: {
        ticker: `SIM${bank.code}`,
        title: `${bank.name} decision (simulated)`,
        category: 'Economics',
        tags: ['Interest rates', bank.body],
        frequency: 'custom',
        source: bank.name,
      },
      event_ticker,
      title: `${bank.body} decision in ${month}?`,
      sub_title: `On ${dayName(decided)}`,
      mutually_exclusive: true,
      grid: 'linear_cent',
      markets: DECISIONS.map((decision, outcome) => ({
        outcome,
        ticker: `${event_ticker}-${decision.code}`,
        text: () => ({
          title: `Will the ${bank.name} ${decision.verb} at its ${month} meeting?`,
          yes_sub_title: decision.words,
          rules: simulated(
            `If the ${bank.name} announces on ${dayName(decided)} that it will ${decision.verb}, then the market resolves to Yes.`,
          ),
          strike_type: 'custom',
        }),
      })),
    },
    polymarket: {
      slug,
      title: `${bank.body} decision in ${month}?`,
      description: simulated(
        `This market will resolve according to the change of the upper bound of the ${bank.name}'s policy rate against the level before its ${month} meeting.`,
      ),
      tags: ['economy', `${bank.code.toLowerCase()}-rates`],
      tick: 10,
      neg_risk: true,
      markets: DECISIONS.map((decision, outcome) => ({
        outcome,
        slug: `${slug}-${decision.code.toLowerCase()}`,
        question: `${decision.global} after ${month} ${bank.body} meeting?`,
        group_item_title: decision.global,
      })),
    },
  };
}
