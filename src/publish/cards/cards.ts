import { z } from 'zod';
import { type Card, chartCard } from '../../charts/card.ts';
import { formatCents, formatChange, formatLevel, formatMoment, unitOf } from '../../charts/wording.ts';
import type { IndexDefinition } from '../../model/index-definition.ts';
import type { RateDefinition } from '../../model/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import { encodeId } from '../../routes/document-key.ts';
import { indexHead, percentChange } from '../../routes/index-body.ts';
import { centsChange, rateBody } from '../../routes/rate-body.ts';
import type { Sites } from '../../routes/route.ts';
import { visibleIndices, visibleRates } from '../../routes/visibility.ts';
import type { ObjectReader } from '../../store/archive.ts';
import { findDocumentAt } from '../../store/archive-reads.ts';
import type { Reader } from '../../store/store.ts';
import { digestOf } from '../digest.ts';
import type { PublishDocument } from '../publish-generation.ts';
import { indexLine, rateLine } from './card-series.ts';
import { toPng } from './png.ts';

const CARD_MANIFEST = 'cards/manifest.json';
const SPARKLINES = 'cards/sparklines.json';
/** Values of a sparkline: closes of a month and the latest print. */
const SPARKLINE_VALUES = 31;

const cardManifest = z.object({
  /** Digests by the card's key without its ending; the PNG is drawn again when the SVG's differs. */
  cards: z.record(z.string(), z.object({ svg: z.string(), png: z.string() })),
});
type CardDigests = z.output<typeof cardManifest>['cards'];

interface CardOptions {
  now: Instant;
  sites: Sites;
  label: string;
}

/** The cards as they were published last. */
export async function findCards(archive: ObjectReader): Promise<CardDigests> {
  const found = await findDocumentAt(archive, CARD_MANIFEST, Number.POSITIVE_INFINITY);
  return found ? cardManifest.parse(JSON.parse(found.body.toString())).cards : {};
}

/**
 * A chart card of each public index and rate as SVG and PNG, one file with the sparklines of all, and the
 * manifest by which the next publish knows what is drawn already.
 */
export async function* eachCard(
  reader: Reader,
  options: CardOptions,
  before: CardDigests,
): AsyncGenerator<PublishDocument> {
  const cards: CardDigests = {};
  const sparklines: Record<'indices' | 'rates', Record<string, number[]>> = { indices: {}, rates: {} };
  for (const { kind, ticker, card } of wantedCards(reader, options)) {
    sparklines[kind][ticker] = card.points
      .slice(-SPARKLINE_VALUES)
      .map((point) => Number(point.value.toPrecision(5)));
    const key = `cards/${kind}/${encodeId(ticker)}`;
    const body = chartCard(card);
    const svg = digestOf(body);
    yield { key: `${key}.svg`, body };
    const standing = before[key];
    if (standing?.svg === svg) {
      cards[key] = standing;
      yield { key: `${key}.png`, sha256: standing.png };
    } else {
      const png = await toPng(body);
      cards[key] = { svg, png: digestOf(png) };
      yield { key: `${key}.png`, body: png };
    }
  }
  yield { key: SPARKLINES, body: JSON.stringify(sparklines) };
  yield { key: CARD_MANIFEST, body: JSON.stringify({ cards }) };
}

function* wantedCards(reader: Reader, options: CardOptions) {
  for (const { definition } of visibleIndices(reader, { tier: 'public' }))
    yield {
      kind: 'indices',
      ticker: definition.ticker,
      card: indexCard(reader, definition, options),
    } as const;
  for (const { definition } of visibleRates(reader, { tier: 'public' }))
    yield { kind: 'rates', ticker: definition.ticker, card: rateCard(reader, definition, options) } as const;
}

function indexCard(reader: Reader, definition: IndexDefinition, { now, label }: CardOptions): Card {
  const head = indexHead(definition, { reader, now, tier: 'public' });
  const level = head.latest_price;
  const change = level === undefined ? undefined : percentChange({ reader, now, tier: 'public' }, head.ticker, '7d');
  return {
    title: head.name,
    value: level === undefined ? standing(head) : `${formatLevel(level)} ${unitOf(head.quote_convention)}`.trim(),
    ...(change === undefined ? {} : { change: { text: `${formatChange(change, '%')} in 7 days`, rises: change >= 0 } }),
    date: dateOf(head),
    source: sourceOf(head.ticker, label),
    points: indexLine(reader, head.ticker, now),
    format: formatLevel,
  };
}

function rateCard(reader: Reader, definition: RateDefinition, { now, label, sites }: CardOptions): Card {
  const body = rateBody(definition, { reader, now, tier: 'public', sites });
  const price = body.latest_price ?? undefined;
  const change =
    price === undefined ? undefined : centsChange({ reader, now, tier: 'public', sites }, body.ticker);
  return {
    title: body.name,
    value: price === undefined ? standing(body) : formatCents(price),
    ...(change === undefined ? {} : { change: { text: `${formatChange(change, '¢')} in 7 days`, rises: change >= 0 } }),
    date: dateOf(body),
    source: sourceOf(body.ticker, label),
    points: rateLine(reader, body.ticker, now),
    format: formatCents,
  };
}

type Printed = { latest_print_at?: string };

/** What stands in place of a value that is not shown. */
function standing({ latest_print_at }: Printed): string {
  return latest_print_at === undefined ? 'not published yet' : 'quiet';
}

function dateOf({ latest_print_at }: Printed): string {
  return latest_print_at === undefined ? '' : `as of ${formatMoment(latest_print_at)}`;
}

function sourceOf(ticker: string, label: string): string {
  return ['Foremark', ticker, ...(label ? [`${label} data`] : [])].join(' · ');
}
