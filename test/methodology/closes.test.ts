import { describe, expect, it } from 'vitest';
import { dailyCloses, previousCloses } from '../../src/methodology/closes.ts';

const closes = (...days: string[]) => days.map((day) => ({ day }));
const daysOf = (found: ReturnType<typeof previousCloses<{ day: string }>>) => [
  found.oneDay?.day,
  found.sevenDays?.day,
];

describe('dailyCloses', () => {
  const instant = (iso: string) => Date.parse(iso);

  it('[2.4/3] are the last print of each US Eastern day that has one, through both clock changes', () => {
    const printed = [
      '2026-03-08T04:59:59.999Z',
      '2026-03-08T05:00:00Z',
      '2026-03-09T03:59:59.999Z',
      '2026-03-09T04:00:00Z',
      '2026-11-01T03:59:59.999Z',
      '2026-11-01T04:00:00Z',
      '2026-11-02T04:59:59.999Z',
      '2026-11-02T05:00:00Z',
    ];
    expect(dailyCloses(printed.map(instant))).toEqual([
      { day: '2026-03-07', at: instant('2026-03-08T04:59:59.999Z') },
      { day: '2026-03-08', at: instant('2026-03-09T03:59:59.999Z') },
      { day: '2026-03-09', at: instant('2026-03-09T04:00:00Z') },
      { day: '2026-10-31', at: instant('2026-11-01T03:59:59.999Z') },
      { day: '2026-11-01', at: instant('2026-11-02T04:59:59.999Z') },
      { day: '2026-11-02', at: instant('2026-11-02T05:00:00Z') },
    ]);
  });

  it('are empty when nothing printed', () => expect(dailyCloses([])).toEqual([]));
});

describe('previousCloses', () => {
  it('[2.4/3] are of the last completed day and of seven calendar days before it', () => {
    const days = Array.from({ length: 15 }, (_none, i) => `2026-03-${String(i + 1).padStart(2, '0')}`);
    expect(daysOf(previousCloses(closes(...days)))).toEqual(['2026-03-15', '2026-03-08']);
  });

  it('[2.4/3] count by the calendar, through a month without a 31st and a change to summer time', () => {
    expect(daysOf(previousCloses(closes('2026-03-01', '2026-03-08')))).toEqual(['2026-03-08', '2026-03-01']);
    expect(daysOf(previousCloses(closes('2024-02-28', '2024-03-06')))).toEqual(['2024-03-06', '2024-02-28']);
  });

  it('[2.4/3] fill a missing day with the last close in the seven days before it, no older and no newer one', () => {
    const last = '2026-03-20';
    expect(daysOf(previousCloses(closes('2026-03-06', last)))).toEqual([last, '2026-03-06']);
    expect(daysOf(previousCloses(closes('2026-03-05', last)))).toEqual([last, undefined]);
    expect(daysOf(previousCloses(closes('2026-03-14', last)))).toEqual([last, undefined]);
    expect(daysOf(previousCloses(closes('2026-03-07', '2026-03-12', '2026-03-14', last)))).toEqual([
      last,
      '2026-03-12',
    ]);
  });

  it('are absent without a completed day', () => expect(previousCloses([])).toEqual({}));
});
