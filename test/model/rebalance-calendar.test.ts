import { describe, expect, it } from 'vitest';
import {
  nextRebalance,
  type RebalanceCalendar,
  rebalanceCalendar,
} from '../../src/model/definitions/rebalance-calendar.ts';

const next = (calendar: RebalanceCalendar, after: string) =>
  new Date(nextRebalance(calendar, Date.parse(after))).toISOString();

describe('a rebalance calendar', () => {
  const monthly = { every: 'month', day: 1, time: '10:00' } as const;

  it('uses US Eastern time, in summer and in winter', () => {
    expect(next(monthly, '2026-06-15T00:00:00Z')).toBe('2026-07-01T14:00:00.000Z');
    expect(next(monthly, '2026-11-15T00:00:00Z')).toBe('2026-12-01T15:00:00.000Z');
    // Ten in the evening of 30 June in New York is 1 July in UTC.
    expect(next({ ...monthly, time: '00:00' }, '2026-07-01T02:00:00Z')).toBe('2026-07-01T04:00:00.000Z');
  });

  it('gives the first instant after another, never the same', () => {
    expect(next(monthly, '2026-07-01T13:59:59.999Z')).toBe('2026-07-01T14:00:00.000Z');
    expect(next(monthly, '2026-07-01T14:00:00Z')).toBe('2026-08-01T14:00:00.000Z');
    expect(next(monthly, '2026-12-01T15:00:00Z')).toBe('2027-01-01T15:00:00.000Z');
  });

  it('starts weeks on Monday and quarters in January', () => {
    const weekly = { every: 'week', day: 7, time: '09:30' } as const;
    expect(next(weekly, '2026-10-21T00:00:00Z')).toBe('2026-10-25T13:30:00.000Z');
    expect(next(weekly, '2026-10-25T13:30:00Z')).toBe('2026-11-01T14:30:00.000Z');
    const quarterly = { every: 'quarter', day: 15, time: '16:00' } as const;
    expect(next(quarterly, '2026-02-20T00:00:00Z')).toBe('2026-04-15T20:00:00.000Z');
    expect(next(quarterly, '2026-10-16T00:00:00Z')).toBe('2027-01-15T21:00:00.000Z');
  });

  it('reads a time that a clock change skips or repeats as summer time', () => {
    const sunday = { every: 'week', day: 7, time: '02:30' } as const;
    expect(next(sunday, '2026-03-07T00:00:00Z')).toBe('2026-03-08T06:30:00.000Z');
    expect(next({ ...sunday, time: '01:30' }, '2026-10-31T00:00:00Z')).toBe('2026-11-01T05:30:00.000Z');
  });

  it('refuses an eighth day of the week', () => {
    expect(rebalanceCalendar.safeParse({ every: 'week', day: 8, time: '10:00' }).success).toBe(false);
    expect(rebalanceCalendar.safeParse({ every: 'month', day: 29, time: '10:00' }).success).toBe(false);
    expect(rebalanceCalendar.safeParse({ every: 'month', day: 8, time: '24:00' }).success).toBe(false);
  });
});
