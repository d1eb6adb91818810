/** PDF files by hand: text in one font, no compression, the same bytes for the same lines. */

const LINES_A_PAGE = 48;
const WIDTH = 92;

/** A PDF of some paragraphs; long ones are broken into lines, many lines into pages. */
export function writePdf(paragraphs: readonly string[]): Buffer {
  const lines = paragraphs.flatMap((each) => [...breakLines(each), '']);
  const pages: string[][] = [];
  for (let i = 0; i < lines.length; i += LINES_A_PAGE) pages.push(lines.slice(i, i + LINES_A_PAGE));
  // Objects: 1 catalog, 2 page tree, 3 font, then a page and its content for each page.
  const kids = pages.map((_page, i) => `${4 + 2 * i} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * i} 0 R >>`,
      contentOf(page),
    ]),
  ];
  return assemble(objects);
}

function contentOf(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${escapeText(line)}) Tj T*`).join('\n');
  const stream = `BT /F1 11 Tf 72 730 Td 14 TL\n${shown}\nET`;
  return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`;
}

function assemble(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

function escapeText(line: string): string {
  return line.replaceAll(/[\\()]/g, '\\$&').replaceAll(/[^\x20-\x7e]/g, '?');
}

function breakLines(paragraph: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
