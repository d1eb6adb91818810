/**
 * Questions in two wordings, with near misses that differ in one thing: the side, the place, the date, the
 * strike, the direction, the office, the prize. The names are common knowledge or made up; none is from a recording.
 */
import type { LabelledSet, Query } from './measure.ts';

type Asked = Record<string, string>;

interface Form {
  first(asked: Asked): string;
  second(asked: Asked): string;
  asked: Asked[];
}

const cross = (parts: Record<string, string[]>): Asked[] =>
  Object.entries(parts).reduce<Asked[]>(
    (all, [name, values]) => all.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
    [{}],
  );

const DAYS: Record<string, string> = {
  'March 31, 2027': 'Apr 1, 2027',
  'June 30, 2027': 'Jul 1, 2027',
  'December 31, 2027': '2028',
};

const FORMS: Form[] = [
  {
    first: (q) => `Will the ${q.team} win the 2027 NBA Finals?`,
    second: (q) => `2027 Pro Basketball Champion? – ${nick(q.team)}`,
    asked: cross({
      team: [
        'Boston Celtics',
        'Oklahoma City Thunder',
        'New York Knicks',
        'Los Angeles Lakers',
        'Los Angeles Clippers',
      ],
    }),
  },
  {
    first: (q) => `Will the ${q.team} win the NFC ${q.division} in the 2026-27 season?`,
    second: (q) => `NFC ${q.division} division winner, 2026–27 – ${nick(q.team)}`,
    asked: cross({ team: ['Dallas Cowboys', 'Philadelphia Eagles', 'New York Giants'], division: ['East'] }),
  },
  {
    first: (q) => `${q.away} vs. ${q.home} – ${q.away}`,
    second: (q) => `${city(q.away)} at ${city(q.home)} winner? ${city(q.away)}`,
    asked: [
      { away: 'Edmonton Oilers', home: 'Calgary Flames' },
      { away: 'Calgary Flames', home: 'Edmonton Oilers' },
      { away: 'Edmonton Oilers', home: 'Vancouver Canucks' },
      { away: 'Nashville Predators', home: 'Calgary Flames' },
    ],
  },
  {
    first: (q) => `Will Bitcoin reach $${q.strike}k by ${q.day}?`,
    second: (q) => `BTC price above $${q.strike},000 before ${DAYS[q.day ?? '']}?`,
    asked: cross({ strike: ['90', '100', '110', '150'], day: Object.keys(DAYS) }),
  },
  {
    first: (q) => `Will the Fed ${q.move} interest rates by 25 bps after its ${q.month} 2027 meeting?`,
    second: (q) =>
      `Fed decision in ${q.month?.slice(0, 3)} 2027? – ${q.move === 'cut' ? 'Cut' : 'Hike'} 25bps`,
    asked: cross({ move: ['cut', 'increase'], month: ['January', 'March', 'September'] }),
  },
  {
    first: (q) => `Will ${q.person} be the ${q.party} nominee for ${q.district}?`,
    second: (q) => `Who will win the ${q.party} primary in ${seat(q.district)}? – ${q.person}`,
    asked: cross({
      person: ['Marla Quintero', 'Devon Hathaway'],
      party: ['Democratic', 'Republican'],
      district: ['NY-13', 'NY-17', 'CA-13'],
    }),
  },
  {
    first: (q) => `Will the ${q.party}s win the ${q.state} ${q.office} race in 2028?`,
    second: (q) =>
      `Which party will win ${q.office === 'Senate' ? 'the U.S. Senate seat' : 'the governorship'} in ${q.state} in 2028? ${q.party === 'Democrat' ? 'Democratic' : 'Republican'}`,
    asked: cross({
      party: ['Democrat', 'Republican'],
      state: ['North Carolina', 'South Carolina', 'Virginia'],
      office: ['Senate', 'governor'],
    }),
  },
  {
    first: (q) => `Highest temperature in ${q.place} on ${q.day}? ${q.low}-${Number(q.low) + 1}°F`,
    second: (q) =>
      `Will the high temp in ${short(q.place)} be ${q.low}° to ${Number(q.low) + 1}° on ${q.day?.replace('August', 'Aug')}, 2027?`,
    asked: cross({
      place: ['New York City', 'Los Angeles', 'Chicago'],
      low: ['84', '86'],
      day: ['August 4', 'August 5'],
    }),
  },
  {
    first: (q) => `Will ${q.person} win ${q.prize} at the 2028 Academy Awards?`,
    second: (q) => `2028 Oscar for ${q.prize}? – ${q.person}`,
    asked: cross({
      person: ['Ines Carvalho', 'Tobias Renner'],
      prize: ['Best Director', 'Best Supporting Actor', 'Best Actor'],
    }),
  },
  {
    first: (q) => `Will ${q.club} win the 2027–28 ${q.cup}?`,
    second: (q) => `${q.cup} winner 2027/28: ${q.club === 'Manchester United' ? 'Man Utd' : q.club}`,
    asked: cross({
      club: ['Manchester United', 'Manchester City', 'Liverpool'],
      cup: ['Premier League', 'FA Cup', 'Champions League'],
    }),
  },
  {
    first: (q) => `Will US CPI rise more than ${q.rate}% year over year in ${q.month} 2027?`,
    second: (q) => `Inflation above ${q.rate} percent (YoY) for ${q.month}, 2027?`,
    asked: cross({ rate: ['2.5', '3.0', '3.5'], month: ['May', 'June'] }),
  },
  {
    first: (q) => `${q.leader} out as ${q.office} of ${q.land} by ${q.day}?`,
    second: (q) => `Will ${q.leader} leave office as ${q.land}'s ${q.office} before ${DAYS[q.day ?? '']}?`,
    asked: cross({
      leader: ['Henrik Vallström'],
      office: ['prime minister'],
      land: ['Sweden'],
      day: Object.keys(DAYS),
    }),
  },
  {
    first: (q) => `Will "${q.film}" gross over $${q.sum} million domestically on its opening weekend?`,
    second: (q) => `${q.film} domestic opening weekend box office – more than ${q.sum}m`,
    asked: cross({ film: ['The Glass Harbor', 'Night of Embers'], sum: ['40', '50', '60'] }),
  },
];

const nick = (team = '') => team.split(' ').at(-1) ?? '';
const city = (team = '') => team.split(' ').slice(0, -1).join(' ');
const short = (place = '') => ({ 'New York City': 'NYC', 'Los Angeles': 'LA' })[place] ?? place;
const seat = (district = '') => {
  const [state, number] = district.split('-');
  return `${state === 'NY' ? "New York's" : "California's"} ${number}th congressional district`;
};

/** Every question of every form, asked in the first wording; the right answer is in the second. */
export function rewordedSet(): LabelledSet {
  const second: { form: Form; asked: Asked; text: string }[] = FORMS.flatMap((form) =>
    form.asked.map((asked) => ({ form, asked, text: form.second(asked) })),
  );
  const pool = second.map(({ text }) => ({ text }));
  const among = [...pool.keys()];
  const queries: Query[] = second.map(({ form, asked }, right) => {
    const near = among.filter((i) => i !== right && second[i]?.form === form);
    pool.push({ text: form.first(asked) });
    return { text: pool.length - 1, right: [right], near, among };
  });
  return { name: 'reworded, near misses in one thing', pool, queries };
}
