/** Ways to corrupt an HTML page or a news feed that leave it parseable. They know rows, not their content. */

const ROWS = /<(tr|item|entry)[ >][\s\S]*?<\/\1>/g;

/** The page with its rows corrupted by a fault; `previous` is the previous answer at the same path. */
export function spoilPage(kind: string, page: string, previous: string | undefined): string {
  switch (kind) {
    case 'repeat_page':
      return withRowsOf(page, previous);
    case 'empty':
      return page.replaceAll(ROWS, (row) => (row.includes('<th') ? row : ''));
    case 'missing_id':
      return editFirstRow(page, (row) => row.replaceAll(/ href="[^"]*"|<link>[^<]*<\/link>/g, ''));
    case 'bad_price':
      return editFirstRow(page, (row) => row.replace(/\d\d\/\d\d\/\d{4}/, '13/45/2026'));
    default:
      return page;
  }
}

// The rows of the previous answer under the pager of this one.
function withRowsOf(page: string, previous: string | undefined): string {
  const rows = [...(previous ?? page).matchAll(ROWS)].map((match) => match[0]);
  let i = 0;
  return page.replaceAll(ROWS, () => rows[i++] ?? '');
}

function editFirstRow(page: string, edit: (row: string) => string): string {
  let isDone = false;
  return page.replaceAll(ROWS, (row) => {
    if (isDone || row.includes('<th')) return row;
    isDone = true;
    return edit(row);
  });
}
