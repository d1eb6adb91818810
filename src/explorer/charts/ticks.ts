/** The width of a digit at the font size of an axis, in pixels, with some room for separators. */
const DIGIT = 7.5;
const GAP = 12;
/** The least room, so that charts one below the other are aligned unless their values are unusually long. */
const LEAST_ROOM = 64;

/**
 * The values of an axis, with enough decimals to tell them apart.
 *
 * @param step between two of them: 1, 2, 2.5 or 5 times a power of ten
 * @example valueTicks([0.001, 0.0015], 0.0005) // ['0.001', '0.0015']
 */
export function valueTicks(ticks: readonly number[], step: number): string[] {
  const decimals = Math.min(20, Math.max(0, Math.ceil(-Math.log10(step)) + 1));
  const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: decimals });
  return ticks.map((tick) => format.format(tick));
}

/** The room that the values of an axis take, in pixels. @param texts null before there are any */
export function tickRoom(texts: readonly string[] | null): number {
  return Math.max(LEAST_ROOM, GAP + DIGIT * Math.max(0, ...(texts ?? []).map((each) => each.length)));
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const DAY_SECONDS = 86_400;
/** From this step on ticks are months, which are always at the first day. */
const MONTH_SECONDS = 30 * DAY_SECONDS;

/** A tick of the time axis: the time of day, the day, or the month with its year, depending on the step. */
export function timeTick(seconds: number, step: number): string {
  const instant = new Date(seconds * 1000);
  if (step >= MONTH_SECONDS) return MONTH.format(instant);
  const midnight = seconds % DAY_SECONDS === 0;
  return step >= DAY_SECONDS || midnight ? DAY.format(instant) : instant.toISOString().slice(11, 16);
}
