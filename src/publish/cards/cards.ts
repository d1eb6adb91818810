import { z } from 'zod';
import { type Card, chartCard } from '../../charts/card.ts';
import { formatCents, formatChange, formatLevel, formatMoment, unitOf } from '../../charts/wording.ts';
import type { Instant } from '../../model/units.ts';
import { encodeId } from '../../routes/document-key.ts';
import { indexHead, levelChange } from '../../routes/indices/index-body.ts';
import { SPARKLINES_KEY, type Sparklines } from '../../routes/page-files.ts';
import { centsChange, rateBody } from '../../routes/rates/rate-body.ts';
import type { Sites } from '../../routes/route.ts';
import { visibleIndices, visibleRates } from '../../routes/visibility.ts';
import type { ObjectReader } from '../../store/archive/archive.ts';
import type { Reader } from '../../store/store.ts';
import { digestOf } from '../archive/digest.ts';
import { findManifest } from '../archive/find-manifest.ts';
import type { PublishDocument } from '../comparison.ts';
import { cardLine, countHalted } from './card-series.ts';
import type { Renderer } from './png.ts';

const CARD_MANIFEST = 'cards/manifest.json';
/** Values of a sparkline: closes of a month and the latest print. */
const SPARKLINE_VALUES = 31;

const cardManifest = z.object({
  /** Digest of the fonts that draw beside the shipped one; absent without any. All is drawn again when it differs. */
  fonts: z.string().optional(),
  /** Digests by the card's key without its ending; a PNG is drawn again when its SVG differs. */
  cards: z.record(z.string(), z.object({ svg: z.string(), png: z.string() })),
});

interface CardOptions {
  now: Instant;
  sites: Sites;
  label: string;
}

/**
 * A chart card of each public index and rate as SVG and PNG; one file with all sparklines and the number of
 * halted names of each index; and the manifest by which the next publish knows what is drawn already.
 *
 * @param archive what was published last
 */
export async function* eachCard(
  reader: Reader,
  options: CardOptions,
  { fonts, toPng, widthOf }: Renderer,
  archive: ObjectReader,
): AsyncGenerator<PublishDocument> {
  const before = await findManifest(archive, CARD_MANIFEST, cardManifest);
  const standingCards = before && before.fonts === fonts ? before.cards : {};
  const cards: z.output<typeof cardManifest>['cards'] = {};
  const sparklines: Sparklines = { indices: {}, rates: {} };
  for (const { kind, ticker, card, change_7d, halted } of wantedCards(reader, options)) {
    const values = card.points.slice(-SPARKLINE_VALUES).map((point) => Number(point.value.toPrecision(5)));
    sparklines[kind][ticker] = { values, change_7d, halted: halted || undefined };
    const key = `cards/${kind}/${encodeId(ticker)}`;
    const body = chartCard(card, widthOf);
    const svg = digestOf(body);
    yield { key: `${key}.svg`, body };
    const standing = standingCards[key];
    if (standing?.svg === svg) {
      cards[key] = standing;
      yield { key: `${key}.png`, sha256: standing.png };
    } else {
      const png = await toPng(body);
      cards[key] = { svg, png: digestOf(png) };
      yield { key: `${key}.png`, body: png };
    }
  }
  yield { key: SPARKLINES_KEY, body: JSON.stringify(sparklines) };
  yield { key: CARD_MANIFEST, body: JSON.stringify({ fonts, cards }) };
}

interface WantedCard {
  kind: 'indices' | 'rates';
  ticker: string;
  card: Card;
  /** The change over seven days: in percent for an index, in cents for a rate. */
  change_7d: number | undefined;
  /** Number of constituents whose trading is halted. */
  halted: number;
}

function* wantedCards(reader: Reader, options: CardOptions): Generator<WantedCard> {
  const asked = { ...options, reader, tier: 'public' } as const;
  for (const { definition } of visibleIndices(reader, asked)) {
    const head = indexHead(definition, asked);
    const { ticker, latest_price: value } = head;
    const moved = levelChange(asked, ticker, '7d');
    const change_7d = moved?.percent;
    const points = cardLine(reader, 'index', ticker, options.now);
    // A percentage beside a level out of 100 would be read as its points.
    const change =
      head.quote_convention === 'points'
        ? { size: change_7d, unit: '%' }
        : { size: moved?.difference, unit: '' };
    const shown = { value, unit: unitOf(head.quote_convention), change };
    const card = cardOf(head, { ...shown, points, format: formatLevel }, options);
    yield { kind: 'indices', ticker, card, change_7d, halted: countHalted(reader, ticker, options.now) };
  }
  for (const { definition } of visibleRates(reader, asked)) {
    const body = rateBody(definition, asked);
    const { ticker } = body;
    const value = body.latest_price ?? undefined;
    const change_7d = value === undefined ? undefined : centsChange(asked, ticker);
    const points = cardLine(reader, 'rate', ticker, options.now);
    const shown = { value, unit: '', change: { size: change_7d, unit: '¢' } };
    const card = cardOf(body, { ...shown, points, format: formatCents }, options);
    yield { kind: 'rates', ticker, card, change_7d, halted: 0 };
  }
}

type Shown = Pick<Card, 'points' | 'format'> & {
  value: number | undefined;
  unit: string;
  /** Over seven days. */
  change: { size: number | undefined; unit: string };
};

function cardOf(
  { name, ticker, latest_print_at }: { name: string; ticker: string; latest_print_at?: string | undefined },
  { value, unit, change: { size, unit: unitOfChange }, points, format }: Shown,
  { label }: CardOptions,
): Card {
  return {
    title: name,
    ...(value === undefined
      ? { value: latest_print_at === undefined ? 'not published yet' : 'quiet' }
      : { value: format(value), unit }),
    ...(size === undefined ? {} : { change: `${formatChange(size, unitOfChange)} in 7 days` }),
    date: latest_print_at === undefined ? '' : `as of ${formatMoment(latest_print_at)}`,
    source: ['Foremark', ticker, ...(label ? [`${label} data`] : [])].join(' · '),
    points,
    format,
  };
}
