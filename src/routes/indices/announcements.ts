import { z } from 'zod';
import { ANNOUNCEMENT_TYPES } from '../../model/announcement.ts';
import { formatInstant, MINUTE_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import {
  findAnnouncement,
  listAnnouncements,
  type RecordedAnnouncement,
} from '../../store/definitions/announcements.ts';
import { constituentName } from '../constituent-name.ts';
import { pageOf } from '../paging.ts';
import { instantParameter, oneOf, page, perPage, text } from '../parameters.ts';
import { present } from '../present.ts';
import { type RouteRequest, route, TIERS } from '../route.ts';
import { mayRead } from '../visibility.ts';

/** The delay of notices on the public tier. */
export const PUBLIC_DELAY_MS = 15 * MINUTE_MS;

const announcementList = route({
  path: '/announcements',
  summary: 'Notices of index changes, newest first; the public tier shows each 15 minutes after its date',
  tiers: TIERS,
  query: z.object({
    page,
    per_page: perPage,
    type: oneOf(ANNOUNCEMENT_TYPES),
    from: instantParameter,
    to: instantParameter,
    index: text,
  }),
  answer(request) {
    const { type, from, to, index } = request.query;
    const rows = listAnnouncements(request.reader, {
      type,
      ticker: index || undefined,
      from,
      until: Math.min(to ?? Number.MAX_SAFE_INTEGER, newestVisible(request)),
    }).filter((each) => isVisible(each, request));
    const { data, meta } = pageOf(rows, request.query);
    return { data: data.map(announcementBody), meta };
  },
  documents: () => [''],
});

const announcementDetail = route({
  path: '/announcements/{id}',
  summary: 'One notice; the public tier shows it 15 minutes after its date',
  tiers: TIERS,
  answer(request) {
    if (!/^[1-9]\d{0,14}$/.test(request.id)) return undefined;
    const found = findAnnouncement(request.reader, Number(request.id));
    return found && isVisible(found, request) ? announcementBody(found) : undefined;
  },
  documents: (reader) =>
    listAnnouncements(reader, { until: Number.MAX_SAFE_INTEGER }).map((each) => String(each.announcement_id)),
});

/** The date of the newest notice that the asker may see. */
function newestVisible({ tier, now }: Pick<RouteRequest, 'tier' | 'now'>): Instant {
  return tier === 'public' ? now - PUBLIC_DELAY_MS : now;
}

/** Whether a notice is out, and about all indices or one that the asker may read. */
function isVisible({ ticker, announced_at }: RecordedAnnouncement, request: RouteRequest): boolean {
  if (announced_at > newestVisible(request)) return false;
  return ticker === undefined || mayRead(request.reader, ticker, request);
}

function announcementBody(announcement: RecordedAnnouncement) {
  const { announcement_id, type, ticker, title, body, announced_at, effective_at } = announcement;
  return {
    announcement_id: String(announcement_id),
    type,
    index_id: present(ticker),
    title,
    body,
    announced_at: formatInstant(announced_at),
    effective_at: formatInstant(effective_at),
    added_markets: type === 'rebalance' ? announcement.added.map(constituentName) : undefined,
    removed_markets: type === 'rebalance' ? announcement.removed.map(constituentName) : undefined,
  };
}

export const announcementRoutes = [announcementList, announcementDetail];
