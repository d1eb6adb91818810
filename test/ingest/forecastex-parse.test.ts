import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePriceFile, parseProductFile } from '../../src/ingest/venues/forecastex/parse-files.ts';
import { file, HEADER, rows } from './forecastex-files.ts';

const parse = (text: string) => parsePriceFile(Buffer.from(text));

describe('a file of daily prices', () => {
  it('counts the Yes row of each contract, by the names of its columns', async () => {
    const [header, ...rest] = file(rows('A_111226_1')).split('\n');
    const turned = [header, ...rest]
      .filter((line) => line !== '')
      .map((line) => `new,${line ?? ''}`.split(',').reverse().join(','));
    for (const text of [file(rows('A_111226_1')), turned.join('\n')])
      expect((await parse(text)).rows).toMatchObject([
        { event_contract: 'A_111226_1', end_price: 0.42, settlement_price: undefined, pair_quantity: 10 },
      ]);
  });

  it('keeps a comma in a quoted id', async () => {
    expect((await parse(file(rows('A,B_1')))).rows.map((row) => row.event_contract)).toEqual(['A,B_1']);
  });

  it('reads when a contract expires: an instant, or a day, which ends with its session', async () => {
    const styles = ['2026-08-14T03:00:00-05:00', '2027-01-04T15:00:00-06:00', '2026-11-12', '20261112'];
    const { rows: read } = await parse(
      file(
        ...[...styles, '11/12/2026', 'soon', 'on 2026-11-12', '2026-11-12 or later'].map((expires) =>
          rows('A_1', { expires }),
        ),
      ),
    );
    const day = '2026-11-12T22:15:00Z';
    expect(read.map((row) => row.expiration_date)).toEqual(
      ['2026-08-14T08:00:00Z', '2027-01-04T21:00:00Z', day, day, day].map(Date.parse),
    );
  });

  it.each([
    ['2026-08-14T03:00:00', '2026-08-14T08:00:00Z'],
    ['2027-01-04 15:00', '2027-01-04T21:00:00Z'],
    ['2026-11-12 23:59:59.5', '2026-11-13T05:59:59.500Z'],
    ['2026-11-12T23:59:59Z', '2026-11-12T23:59:59Z'],
  ])('reads a time without a zone as that of Chicago: %s', async (expires, at) => {
    const { rows: read } = await parse(file(rows('A_1', { expires })));
    expect(read.map((row) => row.expiration_date)).toEqual([Date.parse(at)]);
  });

  it('leaves out what cannot be read, without considering the contract gone', async () => {
    const read = await parse(file(rows('A_1', { end: '1.70' }), rows('B_1')));
    expect(read.rejections.map(({ reason }) => reason)).toEqual(
      Array(2).fill('end_price must be 0 to 1, got "1.70"'),
    );
    expect([read.rows.length, read.contracts.has('A_1')]).toEqual([1, true]);
  });

  it('reads the sides of a contract in any letters', async () => {
    const text = file(rows('A_1')).replaceAll(',YES,', ',Yes,').replaceAll(',NO,', ',no,');
    expect(await parse(text)).toMatchObject({ rows: [{ event_contract: 'A_1' }], rejections: [] });
  });

  it('leaves out a row of neither side, rather than count it as the other one', async () => {
    const read = await parse(file(rows('A_1')).replaceAll(',YES,', ',Y,'));
    expect(read.rejections).toMatchObject([
      { native_id: 'A_1', path: 'subtype', reason: 'subtype must be YES or NO, got "Y"' },
    ]);
  });

  it('detects when it ends within a row', async () => {
    const whole = file(rows('A_1'), rows('B_1'));
    expect((await parse(whole)).cut).toBe(false);
    expect((await parse(whole.slice(0, -12))).cut).toBe(true);
    expect((await parse(`${whole}"C`)).cut).toBe(true);
  });

  it('loses only the row with an unmatched quote, whatever follows', async () => {
    const lines = file(rows('A_1'), rows('B,C_1'), rows('D_1'), rows('E,F_1')).split('\n');
    for (const spoilt of ['"D_1', '"D"_1', '"D_1"x', '""D_1"'])
      expect(await parse(lines.join('\n').replaceAll('D_1', spoilt))).toMatchObject({
        rows: ['A_1', 'B,C_1', 'E,F_1'].map((event_contract) => ({ event_contract })),
        contracts: new Set(['A_1', 'B,C_1', 'E,F_1', spoilt.replaceAll('"', '')]),
        rejections: [4, 5].map((position) => ({
          position,
          native_id: spoilt.replaceAll('"', ''),
          reason: 'row has a quote that is not closed',
        })),
        cut: false,
      });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: HEADER.length + 1, max: lines.join('\n').length - 1 }),
        async (at) => {
          const [before, after] = [lines.join('\n').slice(0, at), lines.join('\n').slice(at)];
          const line = before.split('\n').length - 2;
          const read = await parse(`${before}"${after}`);
          expect(read.read).toBe(8);
          expect(read.rejections.every(({ position }) => position === line)).toBe(true);
        },
      ),
    );
  });

  it('reads the same in any order of rows', async () => {
    const lines = ['A_1', 'B_1', 'C_1'].flatMap((id) => rows(id));
    const sorted = async (text: string) =>
      (await parse(text)).rows.toSorted((a, b) => (a.event_contract < b.event_contract ? -1 : 1));
    const expected = await sorted(file(lines));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines, { minLength: lines.length }), async (shuffled) => {
        expect(await sorted(file(shuffled))).toEqual(expected);
      }),
    );
  });
});

it('a file of products gives names with commas', async () => {
  const text = 'product_id,product_name,product_category,total_pairs\nA,"Rain, New York",Climate,5\n';
  expect((await parseProductFile(Buffer.from(text))).products.get('A')).toMatchObject({
    product_name: 'Rain, New York',
  });
});
