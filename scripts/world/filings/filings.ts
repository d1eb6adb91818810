import { DAY, HOUR, isoDay } from '../calendar.ts';
import type { Catalog, KalshiEvent, PolymarketEvent } from '../catalog.ts';
import { hashText, mix, unit } from '../truth/random.ts';
import type { FilingAttachment, Segment, WorldFiling } from './filing.ts';

/** How many filings of each kind a world has at most. */
const MOST = { products: 160, twins: 90, amendments: 200, clearing: 60 };
/** Filings are spread from before the epoch to after the demo's instant, so that a moving clock finds new ones. */
const BEFORE = 45 * DAY;
const SPAN = 200 * DAY;

type Draft = Omit<WorldFiling, 'id' | 'attachments'> & { files: Omit<FilingAttachment, 'path'>[] };

/** Every filing of the world, in the order of its numbers: one sequence over all lists. */
export function buildFilings(catalog: Catalog, seed: number, epoch: number): WorldFiling[] {
  const { kalshi, polymarket } = catalog;
  const drafts = [
    ...sample(seriesLeaders(kalshi.event_list), MOST.products, seed, (each) => product(each, seed, epoch)),
    ...sample(polymarket.event_list, MOST.twins, seed, (each) => twinProduct(each, seed, epoch)),
    ...sample(kalshi.event_list, MOST.amendments, seed, (each) => amendment(each, seed, epoch)),
    ...sample(kalshi.event_list, MOST.clearing, seed + 1, (each) => clearingRule(each, seed, epoch)),
  ].sort((a, b) => a.received_at - b.received_at || (a.about < b.about ? -1 : 1));
  return [...organizations(), ...drafts.map((draft, i) => number(draft, 60_001 + 2 * i))];
}

// The first event of each series stands for the product.
function seriesLeaders(events: readonly KalshiEvent[]): KalshiEvent[] {
  return [...new Map(events.toReversed().map((each) => [each.face.series.ticker, each])).values()];
}

// Takes the items with the lowest draws, so that a larger world mostly has the same ones.
function sample<Item extends { truth: { key: string } }>(
  items: readonly Item[],
  most: number,
  seed: number,
  make: (item: Item) => Draft,
): Draft[] {
  return items
    .map((item) => ({ item, draw: hashText(seed, `sample|${item.truth.key}`) }))
    .sort((a, b) => a.draw - b.draw)
    .slice(0, most)
    .map(({ item }) => make(item));
}

function product({ face, truth, markets }: KalshiEvent, seed: number, epoch: number): Draft {
  const draw = hashText(seed, `product|${face.series.ticker}`);
  const at = receiptOf(draw, epoch);
  const name = face.series.title;
  const rules = markets[0]?.text().rules ?? '';
  return {
    segment: 'TradingOrganizationProducts',
    org: 'KEX',
    received_at: at,
    cells: { product: name, type: 'Option', category: 'Event Contracts', description: '' },
    steps: decide(draw, at, CERTIFIED, APPROVED),
    about: truth.key,
    files: [
      {
        title: 'Product certification',
        at,
        content: {
          pdf: [
            ...coverSheet(
              'KEX',
              at,
              '40.2(a) Product Certification',
              `Certification of the ${name} contract`,
            ),
            `Rulebook: ${face.series.ticker}`,
            `The exchange hereby notifies the Commission that it is self-certifying the contract "${name}" under Commission Regulation 40.2(a). The contract asks: ${face.title}`,
            `Terms and conditions. ${rules}`,
            `The source of settlement is: ${face.series.source}. The contract pays one dollar for each share on Yes when its statement is true and nothing otherwise.`,
          ],
        },
      },
      ...limits(draw, at, face.series.ticker),
    ],
  };
}

function twinProduct({ face, truth }: PolymarketEvent, seed: number, epoch: number): Draft {
  const draw = hashText(seed, `twin|${face.slug}`);
  const at = receiptOf(draw, epoch);
  const name = `${face.title} (simulated)`;
  return {
    segment: 'TradingOrganizationProducts',
    org: 'QCEX',
    received_at: at,
    cells: { product: name, type: 'Swap', category: 'Event Contracts', description: '' },
    steps: decide(draw, at, CERTIFIED, APPROVED),
    about: truth.key,
    files: [
      {
        title: 'Submission',
        at,
        content: {
          pdf: [
            ...coverSheet('QCEX', at, '40.2(a) Product Certification', name),
            `Concise explanation of the product. ${face.description}`,
            'No opposing views were expressed to the exchange with respect to this submission.',
          ],
        },
      },
    ],
  };
}

const SUBJECTS = [
  ['settlement source', 'names a second source of settlement, should the first not publish in time'],
  ['position limit', 'raises the position limit of the contract'],
  ['last trading day', 'moves the last day of trading to the day before the outcome is published'],
  ['tick size', 'lets prices below ten and above ninety cents move by a tenth of a cent'],
  ['payout criterion', 'says what happens when the outcome is corrected after it was published'],
] as const;

function amendment({ face, truth }: KalshiEvent, seed: number, epoch: number): Draft {
  const draw = hashText(seed, `amendment|${face.event_ticker}`);
  const at = receiptOf(mix(draw, 9), epoch);
  const [subject, does] = SUBJECTS[mix(draw, 3) % SUBJECTS.length] ?? SUBJECTS[0];
  const description = `Amendment of the ${subject} of the contract "${face.title}" (simulated)`;
  const later = unit(mix(draw, 5)) < 0.2;
  return {
    segment: 'PTCDCMRules',
    org: 'KEX',
    received_at: at,
    cells: { description, affected: unit(mix(draw, 4)) < 0.3 ? 'See filing.' : face.series.title },
    steps: decide(draw, at, REVIEWED, ASKED),
    about: truth.key,
    files: [
      {
        title: 'Rule certification',
        at,
        content: {
          pdf: [
            ...coverSheet('KEX', at, '40.6(a) Rule Certification', description),
            `The exchange amends the terms of the contracts that ask "${face.title}". The amendment ${does}.`,
            'The amendment takes effect no sooner than ten business days after its receipt by the Commission.',
          ],
        },
      },
      ...(later
        ? [
            {
              title: 'Letter of the Division of Market Oversight',
              at: at + 6 * DAY,
              content: {
                pdf: [
                  `Re: ${description}`,
                  'The Division asks the exchange to explain the amendment further.',
                ],
              },
            },
          ]
        : []),
    ],
  };
}

const CLEARERS = ['KKL', 'OCC', 'CME', 'LCHLTD', 'ICLREU2', 'NODAL'];

function clearingRule({ face, truth }: KalshiEvent, seed: number, epoch: number): Draft {
  const draw = hashText(seed, `clearing|${face.event_ticker}`);
  const at = receiptOf(mix(draw, 7), epoch);
  const org = CLEARERS[mix(draw, 2) % CLEARERS.length] ?? 'KKL';
  const description = `Clearing and margin of fully collateralized contracts on ${face.series.title}`;
  return {
    segment: 'ClearingOrganizationRules',
    org,
    received_at: at,
    cells: { description },
    steps: decide(draw, at, REVIEWED, NOTIFIED),
    about: truth.key,
    files: [
      {
        title: 'Rule filing',
        at,
        content: {
          pdf: [
            ...coverSheet(org, at, '40.6(a) Rule Certification', description),
            `The clearing organization accepts for clearing the contracts in ${face.series.category} that ask "${face.title}".`,
          ],
        },
      },
    ],
  };
}

function receiptOf(draw: number, epoch: number): number {
  const at = epoch - BEFORE + unit(mix(draw, 1)) * SPAN;
  // Received on working days, in the morning.
  const weekday = new Date(at).getUTCDay();
  const day = Math.floor(at / DAY) + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
  return day * DAY + 14 * HOUR;
}

/** The statuses that a filing goes through, with the days after its receipt. */
type Way = readonly (readonly [status: string, days: number])[];

const CERTIFIED: Way = [['Certified', 0]];
const APPROVED: Way = [
  ['Approval Pending', 0],
  ['Approved', 45],
];
const REVIEWED: Way = [
  ['10 Day Review', 0],
  ['Certified', 14],
];
const ASKED: Way = [
  ['Approval Pending (45)', 0],
  ['Approved', 45],
];
const NOTIFIED: Way = [['Notified', 0]];

// Most go the usual way, some the rare one, a few are withdrawn.
function decide(draw: number, at: number, usual: Way, rare: Way): WorldFiling['steps'] {
  const kind = unit(mix(draw, 6));
  const steps: WorldFiling['steps'] = (kind < 0.1 ? rare : usual).map(([status, days]) => ({
    at: at + days * DAY,
    status,
  }));
  if (kind > 0.95)
    steps.push({ at: at + 60 * DAY, status: 'Withdrawn', remarks: 'Withdrawn at the request of the filer' });
  return steps;
}

function coverSheet(org: string, at: number, type: string, description: string): string[] {
  return [
    `Organization Acronym: ${org}`,
    `Submission Date (ET): ${isoDay(at)}`,
    `Submission Type: ${type}`,
    `Submission Description: ${description}`,
  ];
}

function limits(draw: number, at: number, ticker: string): Draft['files'] {
  if (unit(mix(draw, 8)) > 0.3) return [];
  const rows = [
    ['Contract', 'Spot month limit', 'All months limit'],
    [ticker, '25000', '100000'],
    [`${ticker} (members)`, '50000', '200000'],
  ];
  return [{ title: 'Position limits', at, content: { sheet: 'Position limits', rows } }];
}

function number({ files, ...draft }: Draft, id: number): WorldFiling {
  const [year = '', month = '', day = ''] = isoDay(draft.received_at).split('-');
  const folder = draft.segment === 'ClearingOrganizationRules' ? 'orgrules' : 'ptc';
  const stem = `${folder === 'ptc' ? 'ptc' : 'rules'}${month}${day}${year.slice(2)}${id}`;
  const attachments = files.map((file, i) => {
    const ending = 'pdf' in file.content ? 'pdf' : 'xlsx';
    return { ...file, path: `/filings/${folder}/${stem}${i === 0 ? '' : i}.${ending}` };
  });
  return { ...draft, id, attachments };
}

/** Registered organizations: a register, not submissions; the dates are old. */
function organizations(): WorldFiling[] {
  const rows: [string, string, string][] = [
    ['Simulated Clearing Corporation', 'Registered', '2001-12-13'],
    ['Simulated Event Clearing LLC', 'Registered', '2024-08-28'],
    ['Simulated Options Clearing House', 'Registered', '2002-02-04'],
    ['Simulated Commodity Clearing Ltd', 'Exempt', '2016-06-01'],
    ['Simulated Digital Clearing Inc', 'Pending', '2026-08-11'],
    ['Simulated Board of Clearing', 'Vacated', '2013-05-20'],
  ];
  return rows.map(([org, status, day], i) => {
    const at = Date.parse(day);
    const segment: Segment = 'ClearingOrganizations';
    return {
      id: 11 + i * 7,
      segment,
      org,
      received_at: at,
      cells: {},
      steps: [{ at, status }],
      attachments: [],
      about: '',
    };
  });
}
