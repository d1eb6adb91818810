import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { writePdf } from '../../scripts/world/filings/pdf.ts';
import { writeXlsx } from '../../scripts/world/filings/xlsx.ts';
import { AttachmentReader } from '../../src/ingest/attachments/attachment-reader.ts';
import { rounds } from '../helpers/rounds.ts';

const reader = new AttachmentReader();
afterAll(() => reader.close());

const XMLNS_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** A docx file with the parts that every one has, compressed as programs do. */
function writeDocx(body: string): Uint8Array {
  const document = `<?xml version="1.0"?><w:document><w:body>${body}<w:sectPr/></w:body></w:document>`;
  return zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'word/document.xml': strToU8(document) });
}

describe('an attachment', () => {
  it('that is a PDF gives the text of its pages, where nothing can become a heading or HTML', async () => {
    const paragraphs = ['# Terms (as amended) <script>x</script>', ...Array<string>(60).fill('A paragraph.')];
    const text = await reader.read(writePdf(paragraphs));
    expect(text).toMatchObject({ pages: 3 });
    const markdown = 'markdown' in text ? text.markdown : '';
    expect(markdown.split('\n')[0]).toBe('\\# Terms (as amended) &lt;script&gt;x&lt;/script&gt;');
    expect(markdown.match(/A paragraph\./g)).toHaveLength(60);
  });

  it('that is a PDF makes no link and no heading of its lines', async () => {
    const text = await reader.read(
      writePdf([
        '[see](javascript:x) and [1]: y',
        '-----',
        'A - b',
        '===',
        'a=b',
        '1. # of contracts',
        '- 2) ## Terms',
        '* 3 # of 4',
      ]),
    );
    const lines = 'markdown' in text ? text.markdown.split('\n') : [];
    expect(lines).toEqual([
      '[see]\\(javascript:x) and [1]\\: y',
      '\\-----',
      'A - b',
      '\\===',
      'a=b',
      '1. \\# of contracts',
      '- 2) \\## Terms',
      '* 3 # of 4',
    ]);
  });

  it('that is a PDF after a few other bytes, and with a page that may be scanned, is read all the same and says so', async () => {
    const bytes = Buffer.concat([Buffer.from('\n\n'), writePdf([...Array<string>(24).fill(' '), 'Terms'])]);
    expect(await reader.read(bytes)).toEqual({
      markdown: 'Terms\n\n(1 of 2 pages holds no text.)',
      pages: 2,
    });
  });

  it('that is an xlsx file (of openpyxl) shows the time of a date that has one', async () => {
    const bytes = readFileSync(new URL('./files/dates.xlsx', import.meta.url));
    expect(await reader.read(bytes)).toMatchObject({
      markdown: '### Dates\n\n| Day | Instant |\n| --- | --- |\n| 2025-12-31 | 2025-12-31 13:30:00 |',
    });
  });

  it('that is an xlsx file is read around a sheet of a chart, and a number that is shown as a date and is none', async () => {
    const parts = unzipSync(readFileSync(new URL('./files/dates.xlsx', import.meta.url)));
    const change = (name: string, from: string, to: string) => {
      const text = strFromU8(parts[name] ?? new Uint8Array());
      expect(text).toContain(from);
      parts[name] = strToU8(text.replace(from, to));
    };
    change('xl/worksheets/sheet1.xml', '<v>46022</v>', '<v>1E+20</v>');
    change('xl/workbook.xml', '<sheets>', `<sheets><sheet name="Chart" sheetId="9" r:id="rId9" ${XMLNS_R}/>`);
    const chart = `<Relationship Type="${XMLNS_R.split('"')[1]}/chartsheet" Target="chartsheets/sheet1.xml" Id="rId9"/>`;
    change('xl/_rels/workbook.xml.rels', '</Relationships>', `${chart}</Relationships>`);
    parts['xl/chartsheets/sheet1.xml'] = strToU8('<chartsheet/>');
    expect(await reader.read(zipSync(parts))).toMatchObject({
      markdown: '### Dates\n\n| Day | Instant |\n| --- | --- |\n|  | 2025-12-31 13:30:00 |',
    });
  });

  it('that is an xlsx file gives one table per sheet', async () => {
    const rows = [
      ['Contract', 'Limit'],
      ['RAIN | snow', '25000'],
      ['', ''],
      ['<b>', '=1+1'],
      ['two\nlines', '[a](javascript:x)'],
    ];
    const text = await reader.read(writeXlsx('Limits & <more>', rows));
    expect('markdown' in text ? text.markdown.split('\n') : []).toEqual([
      '### Limits & &lt;more&gt;',
      '',
      '| Contract | Limit |',
      '| --- | --- |',
      '| RAIN \\| snow | 25000 |',
      '| &lt;b&gt; | =1+1 |',
      '| two lines | [a]\\(javascript:x) |',
    ]);
  });

  it('that is an xlsx file reads the same where its cells leave out addresses that follow from those before', async () => {
    const [height, width] = [4, 30];
    const at = (row: number, column: number) => {
      const letters = column < 26 ? '' : 'A';
      return `${letters}${String.fromCharCode(65 + (column % 26))}${row + 1}`;
    };
    const parts = unzipSync(writeXlsx('Limits', []));
    const cell = fc.record({ isThere: fc.boolean(), isBare: fc.boolean() });
    const grid = fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    });
    /** The file of a grid, with all addresses or without those that need not be there. */
    const write = (rows: { isThere: boolean; isBare: boolean }[][], isWhole: boolean) => {
      let before = -1;
      const lines = rows.flatMap((cells, row) => {
        const texts = cells.map(({ isThere, isBare }, column) => {
          const follows = column === 0 || cells[column - 1]?.isThere === true;
          const address = !isWhole && isBare && follows ? '' : ` r="${at(row, column)}"`;
          return isThere ? `<c${address} t="inlineStr"><is><t>${row} ${column} &lt;c&gt;</t></is></c>` : '';
        });
        if (texts.every((each) => each === '')) return [];
        const number = !isWhole && before === row - 1 ? '' : ` r="${row + 1}"`;
        before = row;
        return `<row${number}>${texts.join('')}</row>`;
      });
      const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${lines.join('')}</sheetData></worksheet>`;
      return zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(sheet) });
    };
    await fc.assert(
      fc.asyncProperty(grid, async (rows) => {
        const [whole, bare] = [await reader.read(write(rows, true)), await reader.read(write(rows, false))];
        expect(whole).toHaveProperty(rows.flat().some((each) => each.isThere) ? 'markdown' : 'problem');
        expect(bare).toEqual(whole);
      }),
      { numRuns: rounds(40) },
    );
    // The columns beyond Z follow too.
    const all = Array.from({ length: height }, () => Array(width).fill({ isThere: true, isBare: true }));
    expect(await reader.read(write(all, false))).toMatchObject({
      markdown: expect.stringContaining('| 3 28 &lt;c&gt; | 3 29 &lt;c&gt; |'),
    });
  });

  it('that is an xlsx file shows a formula for which its program has calculated no value', async () => {
    const cells =
      '<c r="A1"><f>1+1</f></c><c r="B1"><f>B2*2</f><v/></c><c r="C1"><f>SUM(A1:B1) &amp; "&lt;x&gt;"</f><v></v></c>' +
      '<c r="D1"><f>2+2</f><v>4</v></c><c r="E1" t="str"><f>IF(D1,"","no")</f><v></v></c><c r="F1"><v>5</v></c>';
    const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;
    const parts = unzipSync(writeXlsx('Limits', []));
    const bytes = zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(sheet) });
    expect(await reader.read(bytes)).toMatchObject({
      markdown: expect.stringContaining('| =1+1 | =B2*2 | =SUM(A1:B1) & "&lt;x&gt;" | 4 |  | 5 |'),
    });
  });

  it('that is a docx file gives its notes at the end, and hyphens at which no line breaks', async () => {
    const note = (kind: string, text: string) =>
      strToU8(
        `<w:${kind}s><w:${kind} w:id="2"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:${kind}></w:${kind}s>`,
      );
    const body = `<w:document><w:body><w:p><w:r><w:t>pre</w:t><w:noBreakHyphen/><w:t>election</w:t></w:r></w:p></w:body></w:document>`;
    const bytes = zipSync({
      'word/endnotes.xml': note('endnote', 'Last.'),
      'word/footnotes.xml': note('footnote', 'Except for members.'),
      // Word on the web numbers the body.
      'word/document2.xml': strToU8(body),
    });
    expect(await reader.read(bytes)).toEqual({
      markdown: 'pre-election\n\nExcept for members.\n\nLast.',
      pages: null,
    });
  });

  it('that is a docx file gives its paragraphs as they now read, without deleted text', async () => {
    const text = await reader.read(
      writeDocx(
        '<w:p><w:r><w:t xml:space="preserve"># Rule 5.1 </w:t></w:r><w:r><w:t>R&amp;D &#8211; &lt;b&gt;</w:t></w:r></w:p>' +
          '<w:p><w:ins><w:r><w:t>after</w:t></w:r></w:ins><w:del><w:r><w:delText>before</w:delText></w:r></w:del>' +
          '<w:pPr><w:rPr><w:moveFrom w:id="0"/></w:rPr></w:pPr><w:r><w:t> stays</w:t></w:r>' +
          '<w:moveFrom w:id="1"><w:r><w:t>moved</w:t></w:r></w:moveFrom>' +
          '<w:r><w:tab/><w:t>one</w:t><w:br w:type="page"/><w:t>two</w:t><w:instrText>PAGE</w:instrText></w:r></w:p>' +
          '<w:tbl><w:tr><w:tc><w:tcPr/><w:p><w:r><w:t>Contract</w:t></w:r></w:p></w:tc></w:tr></w:tbl>' +
          '<mc:AlternateContent><mc:Choice Requires="wps"><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice>' +
          '<mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>' +
          '<w:p/><w:p/><w:p/><w:p><w:r><w:t>hid&#8238;den</w:t><w:cr/><w:t>end</w:t></w:r></w:p>',
      ),
    );
    expect(text).toEqual({
      markdown: '\\# Rule 5.1 R&D – &lt;b&gt;\nafter stays one\ntwo\nContract\nbox\n\nhidden\nend',
      pages: null,
    });
    expect(await reader.read(writeDocx('<w:p/>'))).toEqual({ problem: 'its paragraphs hold no text' });
  });

  it('[S16] that is a docx file makes no heading after a carriage return, which ends a line too', async () => {
    const text = '<w:p><w:r><w:t>Terms&#13;# Heading&#13;===&#13;&#10;end</w:t></w:r></w:p>';
    expect(await reader.read(writeDocx(text))).toEqual({
      markdown: 'Terms\n\\# Heading\n\\===\nend',
      pages: null,
    });
  });

  it('without text, of another kind or damaged is each reported as such', async () => {
    expect(await reader.read(writePdf([' ']))).toEqual({ problem: 'its pages hold no text' });
    expect(await reader.read(Buffer.from('<html>'))).toEqual({
      problem: 'it is not a PDF, xlsx or docx file',
    });
    expect(await reader.read(zipSync({ 'ppt/presentation.xml': strToU8('<p/>') }))).toEqual({
      problem: 'it is not a PDF, xlsx or docx file',
    });
    const whole = writeXlsx('a', [['b']]);
    expect(await reader.read(whole.subarray(0, whole.length / 2))).toEqual({
      problem: expect.stringMatching(/^could not be read: \w/),
    });
    expect(await reader.read(Buffer.from('%PDF-1.4 and nothing more'))).toEqual({
      problem: expect.stringMatching(/^could not be read: \w/),
    });
  });

  it('that is longer than what is kept of one ends in how much was left out', async () => {
    const rows = Array.from({ length: 5002 }, (_, i) => (i === 1 ? [`${i}`, 'wider'] : [`${i}`]));
    const table = await reader.read(writeXlsx('Long', rows));
    const lines = 'markdown' in table ? table.markdown.split('\n') : [];
    expect(lines.slice(2, 6)).toEqual(['| 0 |  |', '| --- | --- |', '| 1 | wider |', '| 2 |  |']);
    expect(lines.slice(-3)).toEqual(['| 4999 |  |', '', '(2 more rows were left out.)']);
    const letters = 5 * 1024 * 1024;
    const paragraph = (length: number) => writeDocx(`<w:p><w:r><w:t>${'x'.repeat(length)}</w:t></w:r></w:p>`);
    expect(await reader.read(paragraph(letters))).toEqual({ markdown: 'x'.repeat(letters), pages: null });
    expect(await reader.read(paragraph(letters + 1))).toEqual({
      markdown: `${'x'.repeat(letters)}\n\n(The rest was left out.)`,
      pages: null,
    });
  });

  it('with more pages than the limit is refused', async () => {
    const lines = Array<string>(24 * 501).fill('x');
    expect(await reader.read(writePdf(lines))).toEqual({ problem: 'it has 501 pages, more than 500' });
  });

  it('that takes too long is given up, and the next one is read', async () => {
    const hasty = new AttachmentReader({ seconds: 0.02, megabytes: 512 });
    // However late its limit is looked at, a process that stands still has not answered.
    const halt = (message: unknown) => {
      const { process } = message as { process: ChildProcess };
      process.once('spawn', () => process.kill('SIGSTOP'));
    };
    subscribe('child_process', halt);
    const given = hasty.read(writePdf(['a']));
    unsubscribe('child_process', halt);
    expect(await given).toEqual({
      problem: 'could not be read in 0.02 s and 512 MB of memory',
      late: true,
    });
    hasty.close();
    expect(await reader.read(writePdf(['b']))).toEqual({ markdown: 'b', pages: 1 });
  });

  it('is read although the process of its reader has ended since the one before', async () => {
    const started: ChildProcess[] = [];
    const note = (message: unknown) => started.push((message as { process: ChildProcess }).process);
    subscribe('child_process', note);
    const own = new AttachmentReader();
    expect(await own.read(writePdf(['a']))).toEqual({ markdown: 'a', pages: 1 });
    unsubscribe('child_process', note);
    const [child] = started as [ChildProcess];
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await own.read(writePdf(['b']))).toEqual({ markdown: 'b', pages: 1 });
    own.close();
  });

  it('that unpacks beyond the memory limit harms only its own reader', async () => {
    const bomb = pdfBomb(256);
    const before = process.memoryUsage.rss();
    const small = new AttachmentReader({ seconds: 60, megabytes: 200 });
    expect(await small.read(bomb)).toMatchObject({
      problem: expect.stringContaining('could not be read'),
    });
    expect(await small.read(writePdf(['c']))).toEqual({ markdown: 'c', pages: 1 });
    small.close();
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 2 ** 20);
  });
});

// A page whose content is a deflated stream of so many megabytes of blanks.
function pdfBomb(megabytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(megabytes * 2 ** 20, ' '), { level: 9 });
  // The body of a gzip member is a raw deflate stream; zlib's two bytes go before it.
  const stream = Buffer.concat([Buffer.from([0x78, 0xda]), member.subarray(10, -8), Buffer.alloc(4)]);
  const head = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >> endobj
4 0 obj << /Filter /FlateDecode /Length ${stream.length} >> stream
`;
  return Buffer.concat([
    Buffer.from(head),
    stream,
    Buffer.from('\nendstream endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'),
  ]);
}
