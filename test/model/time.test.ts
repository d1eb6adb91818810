import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  easternDay,
  easternDayStart,
  floorTo,
  formatInstant,
  HOUR_MS,
  parseInstant,
  toSeconds,
} from '../../src/model/time.ts';

const at = (iso: string) => Date.parse(iso);

describe('US Eastern days', () => {
  it('have 23 hours when summer time begins and 25 when it ends', () => {
    const lengths = (day: string) => (easternDayStart(addDays(day, 1)) - easternDayStart(day)) / HOUR_MS;
    expect(['2026-03-07', '2026-03-08', '2026-03-09'].map(lengths)).toEqual([24, 23, 24]);
    expect(['2026-10-31', '2026-11-01', '2026-11-02'].map(lengths)).toEqual([24, 25, 24]);
  });

  it('begin at midnight of the US East, to the millisecond', () => {
    expect(easternDay(at('2026-03-08T05:00:00Z') - 1)).toBe('2026-03-07');
    expect(easternDay(at('2026-03-08T05:00:00Z'))).toBe('2026-03-08');
    expect(easternDay(at('2026-03-09T03:59:59.999Z'))).toBe('2026-03-08');
    expect(easternDay(at('2026-11-02T04:59:59.999Z'))).toBe('2026-11-01');
    expect(easternDay(at('2026-11-02T05:00:00Z'))).toBe('2026-11-02');
    expect(easternDay(at('2026-07-02T03:59:59.999Z'))).toBe('2026-07-01');
    expect(easternDay(at('2026-07-02T04:00:00Z'))).toBe('2026-07-02');
  });

  const python = spawnSync('python3', ['-c', startsOfDays()], { encoding: 'utf8', maxBuffer: 1 << 24 });
  if (python.status !== 0)
    console.warn('skipped: python3 with zoneinfo is needed for the independent calendar');

  it.skipIf(python.status !== 0)('2000 to 2040 equal an independent calendar (python3 zoneinfo)', () => {
    const starts = python.stdout.trim().split('\n').map(Number);
    expect(starts).toHaveLength(14_976);
    const days = starts.map((_, i) => addDays('2000-01-01', i));
    expect(days.map(easternDayStart)).toEqual(starts);
    expect(starts.map(easternDay)).toEqual(days);
    expect(starts.map((startsAt) => easternDay(startsAt - 1))).toEqual(days.map((day) => addDays(day, -1)));
  });
});

function startsOfDays(): string {
  return `
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo
day = date(2000, 1, 1)
while day < date(2041, 1, 1):
    print(int(datetime.combine(day, time(0), ZoneInfo("America/New_York")).timestamp()) * 1000)
    day += timedelta(days=1)
`;
}

describe('instants', () => {
  it('are written as RFC 3339 in UTC and parsed back the same', () => {
    expect(formatInstant(0)).toBe('1970-01-01T00:00:00Z');
    expect(formatInstant(1)).toBe('1970-01-01T00:00:00.001Z');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: at('2200-01-01') }), (instant) => {
        expect(parseInstant(formatInstant(instant))).toBe(instant);
      }),
    );
  });

  it.each([
    ['2020-11-02', '2020-11-02T00:00:00Z'],
    ['2020-11-02T16:31', '2020-11-02T16:31:00Z'],
    ['2020-11-02 16:31:01+00', '2020-11-02T16:31:01Z'],
    ['2020-11-02 16:31:01.5', '2020-11-02T16:31:01.500Z'],
    ['2020-11-02T16:31:01.123456789Z', '2020-11-02T16:31:01.123Z'],
    ['2020-11-02T16:31:01-0500', '2020-11-02T21:31:01Z'],
    ['2020-11-02T16:31:01+05:30', '2020-11-02T11:01:01Z'],
    ['2020-11-02t16:31:01z', '2020-11-02T16:31:01Z'],
    ['2020-11-02 16:31:01 UTC', '2020-11-02T16:31:01Z'],
    ['2020-11-02 16:31:01.25 -0500', '2020-11-02T21:31:01.250Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
  ])('%s is %s', (text, expected) => expect(parseInstant(text)).toBe(at(expected)));

  it.each([
    '2026-04-31T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T12:00:00.5Z',
    '2026-01-32',
    '2026-13-31T00:00:00Z',
    '2026-12-00',
    '',
    'yesterday',
    '2020-11-2',
    '2020-13-01',
    '2020-02-30',
    '2023-02-29',
    '2020-11-02T25:00Z',
    '2020-11-02T16:31:01  Z',
    '2020-11-02T16:31:01 PST',
    '2020-11-02T16:31:01 ',
    '2020-11-02 UTC',
    '1604334661',
  ])('"%s" is not an instant', (text) => expect(parseInstant(text)).toBeUndefined());
});

describe('rounding an instant down', () => {
  it('gives the last step at or before it, and whole seconds', () => {
    expect([0, HOUR_MS - 1, HOUR_MS, 1.5 * HOUR_MS].map((at) => floorTo(at, HOUR_MS))).toEqual([
      0,
      0,
      HOUR_MS,
      HOUR_MS,
    ]);
    expect([999, 1000, 1999].map(toSeconds)).toEqual([0, 1, 1]);
  });
});
