import { parseString } from 'fast-csv';
import { ForemarkError } from '../../model/errors.ts';

/** A row with its position in the file, from 0 after the header, and its cells by the names of the header. */
interface CsvRow {
  position: number;
  cells: Record<string, string>;
}

export interface CsvFile {
  rows: CsvRow[];
  /** Rows that cannot be read, with the reason and whatever cells could be split. */
  unreadable: (CsvRow & { reason: string })[];
  /** Whether the last row is unreadable: the file was probably read while it was being written. */
  cut: boolean;
}

const LINE_ENDS = /\r\n|\n|\r/;
const EMPTY = /^[\s,]*$/;
/** Most lines of a file; a venue's day has some thousands. */
const MOST_LINES = 1_000_000;
/** Longest line, in characters; one of millions may exhaust the stack for backtracking. */
const LONGEST_LINE = 20_000;
/** A line in which each cell is quoted as a whole, or not at all. */
const WELL_QUOTED = /^(?:\s*(?:"(?:[^"]|"")*"\s*|[^"\s,][^,]*|)(?:,|$))*$/;

/**
 * Parses a file with a header and one row per line; quoted cells may contain commas. A quote that is never closed, or an
 * overlong line, costs only its own line, not all that follow.
 *
 * @throws ForemarkError invalid_payload when it is no CSV, or too long
 */
export async function parseCsv(body: Buffer): Promise<CsvFile> {
  const file: CsvFile = { rows: [], unreadable: [], cut: false };
  const written = body.toString('utf8').split(LINE_ENDS, MOST_LINES + 1);
  if (written.length > MOST_LINES)
    throw new ForemarkError('invalid_payload', `file has more than ${MOST_LINES} lines`);
  const [header = '', ...lines] = written.filter((line) => line.length > LONGEST_LINE || !EMPTY.test(line));
  if (header.length > LONGEST_LINE)
    throw new ForemarkError('invalid_payload', `header has more than ${LONGEST_LINE} characters`);
  let names: string[] = [];
  const leaveOut = (position: number, cells: readonly string[], reason: string) => {
    const named = names.flatMap((name, i) => (cells[i] === undefined ? [] : [[name, cells[i]]]));
    file.unreadable.push({ position, cells: Object.fromEntries(named), reason });
  };
  const faults = lines.map(faultOf);
  const places = [...lines.keys()].filter((i) => faults[i] === undefined);
  const place = places.values();
  await new Promise<void>((resolve, reject) => {
    const text = [header, ...places.map((i) => lines[i])].join('\n');
    parseString(text, { headers: true, strictColumnHandling: true })
      .on('headers', (found: string[]) => {
        names = found;
      })
      .on('data', (cells: Record<string, string>) => {
        file.rows.push({ position: place.next().value as number, cells });
      })
      .on('data-invalid', (cells: string[]) => {
        const reason = `row must have as many cells as the header, got ${cells.length}`;
        leaveOut(place.next().value as number, cells, reason);
      })
      .on('error', (cause: Error) =>
        reject(new ForemarkError('invalid_payload', 'file is not CSV', { detail: cause.message, cause })),
      )
      .on('end', () => resolve());
  });
  for (const [i, line] of lines.entries()) {
    const fault = faults[i];
    if (fault !== undefined) leaveOut(i, line.slice(0, LONGEST_LINE).replaceAll('"', '').split(','), fault);
  }
  file.cut = file.unreadable.some(({ position }) => position === lines.length - 1);
  return file;
}

/** Why a line cannot be split into cells; undefined when it can. */
function faultOf(line: string): string | undefined {
  if (line.length > LONGEST_LINE) return `row has more than ${LONGEST_LINE} characters`;
  return WELL_QUOTED.test(line) ? undefined : 'row has a quote that is not closed';
}
