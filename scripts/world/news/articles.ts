import { DAY, isoDay, MINUTE } from '../calendar.ts';
import type { Catalog, KalshiEvent, PolymarketEvent } from '../catalog.ts';
import { slugOf } from '../topics/topic.ts';
import type { TruthEvent } from '../truth/events.ts';
import type { Truth } from '../truth/probabilities.ts';
import { hashText, mix, unit } from '../truth/random.ts';

/** The papers of the world, each with a feed in a format of its own. */
const PAPERS = ['wire', 'ledger', 'herald'] as const;
export type Paper = (typeof PAPERS)[number];

/** A story in a paper, about a question of the world. */
export interface Article {
  paper: Paper;
  /** Another paper that shows it too, under the same address with a parameter of its own. */
  also?: Paper;
  url: string;
  title: string;
  summary: string;
  author: string;
  published_at: number;
  /** The question that it is about, by the key of the truth. */
  about: string;
}

const STORIES_A_DAY = 8;
const DAYS_AHEAD = 10;
const AUTHORS = ['A. Simulated', 'B. Invented', 'C. Made-Up', 'D. Imagined', 'E. Fictional'];

/** A question with the words that each venue has for it. */
interface Subject {
  truth: TruthEvent;
  /** The most interesting outcome as a question and by name. */
  question: string;
  name: string;
  short: string;
}

/** Every story up to some days after the start, oldest first. */
export function buildArticles(
  catalog: Catalog,
  truth: Truth,
  seed: number,
  epoch: number,
  start: number,
): Article[] {
  const subjects = subjectsOf(catalog);
  const articles: Article[] = [];
  for (let day = epoch; day < start + DAYS_AHEAD * DAY; day += DAY) {
    const open = subjects.filter((each) => each.truth.listed_at <= day && each.truth.known_at > day);
    for (let i = 0; i < STORIES_A_DAY && open.length > 0; i++) {
      const draw = hashText(seed, `story|${isoDay(day)}|${i}`);
      const subject = open[mix(draw, 1) % open.length];
      if (subject) articles.push(write(subject, truth, draw, day + (i + unit(mix(draw, 2))) * 150 * MINUTE));
    }
  }
  return articles;
}

// Only questions that many care about make the papers.
function subjectsOf({ kalshi, polymarket }: Catalog): Subject[] {
  const subjects = new Map<string, Subject>();
  for (const event of polymarket.event_list) subjects.set(event.truth.key, subjectOfPolymarket(event));
  for (const event of kalshi.event_list)
    if (!subjects.has(event.truth.key)) subjects.set(event.truth.key, subjectOfKalshi(event));
  return [...subjects.values()].filter((each) => each.truth.interest >= 0.4);
}

function subjectOfPolymarket({ face, truth, markets }: PolymarketEvent): Subject {
  const first = markets[0];
  return {
    truth,
    question: first?.question ?? face.title,
    name: first?.group_item_title || face.title,
    short: face.title,
  };
}

function subjectOfKalshi({ face, truth, markets }: KalshiEvent): Subject {
  const text = markets[0]?.text();
  return {
    truth,
    question: text?.title ?? face.title,
    name: text?.yes_sub_title || face.title,
    short: face.title.replace(/\?$/, ''),
  };
}

const HEADLINES: readonly ((subject: Subject) => string)[] = [
  ({ short }) => `What to watch: ${short}`,
  ({ question }) => `${question} What forecasters say`,
  ({ name, short }) => `${name} in focus as attention turns to ${lowerFirst(short)}`,
  ({ short }) => `Analysts split over ${lowerFirst(short)}`,
  ({ name, short }) => `Odds move on ${name}: ${short}`,
];

function write(subject: Subject, truth: Truth, draw: number, published_at: number): Article {
  const title = (HEADLINES[mix(draw, 3) % HEADLINES.length] ?? (() => subject.short))(subject);
  const chance = Math.round(truth.probability(subject.truth, 0, published_at) * 100);
  const paper = PAPERS[mix(draw, 4) % PAPERS.length] ?? 'wire';
  const others = PAPERS.filter((each) => each !== paper);
  const isShared = unit(mix(draw, 5)) < 0.15;
  const slug = `${slugOf(title)}-${draw.toString(36)}`;
  return {
    paper,
    ...(isShared ? { also: others[mix(draw, 6) % others.length] as Paper } : {}),
    url: `https://${paper}.example/${isoDay(published_at).replaceAll('-', '/')}/${slug}`,
    title,
    summary: `Simulated story. ${subject.question} Traders put the chance near ${chance} percent.`,
    author: AUTHORS[mix(draw, 7) % AUTHORS.length] ?? 'A. Simulated',
    published_at: Math.floor(published_at / 1000) * 1000,
    about: subject.truth.key,
  };
}

function lowerFirst(text: string): string {
  // A name or an abbreviation stays as it is.
  return /^(Who|What|Which|Will|When|How|The) /.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}
