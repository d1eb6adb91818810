import { html, nothing, type TemplateResult } from 'lit-html';
import { counted, formatCount } from '../../model/counted.ts';
import { PUBLICATION_KEY, STATUS_KEY, type StatusFeed, type StatusRun } from '../../routes/page-files.ts';
import { type ListPage, linkTo } from '../page.ts';
import { count, figures, moment } from '../parts.ts';
import { requestSection } from '../requests.ts';
import { type Column, numbers, sortedTable } from '../sorted-table.ts';
import { sourceInWords } from '../words.ts';

/** What is published here and as of when, how each venue and feed answered, and how the last runs ended. */
export const statusPage: ListPage = {
  name: 'status',
  label: 'Status',
  needs: [],
  async open({ documents, show }) {
    const [publication, standing] = await Promise.all([
      documents.findFile(PUBLICATION_KEY),
      documents.findFile(STATUS_KEY),
    ]);
    const { answered_by, label } = documents.outlet;
    const feeds = standing?.feeds ?? [];
    show(html`
      <h1>Status</h1>
      ${feeds.length > 0 ? html`<p>${answersInWords(feeds)}</p>` : nothing}
      ${figures([
        ['answered by', answered_by === 'server' ? 'the server' : 'published files'],
        ['data', label || undefined],
        [
          'generation',
          publication && html`<data value=${publication.generation}>${publication.generation}</data>`,
        ],
        ['documents', publication && formatCount(publication.documents)],
        ['as of', publication && moment(publication.as_of)],
        ['last looked at', publication && moment(publication.checked_at)],
      ])}
      ${feeds.length > 0 ? feedSection(feeds) : nothing}
      ${standing && standing.runs.length > 0 ? runSection(standing.runs) : nothing}
      <p>The requests that can be made here are listed in the <a href=${linkTo('api')}>API reference</a>.</p>
      ${requestSection(documents)}
    `);
  },
};

function answersInWords(feeds: readonly StatusFeed[]): string {
  const bad = feeds.filter((feed) => feed.condition !== 'good').map(({ feed }) => feed);
  if (bad.length === 0) return 'Every feed answered whole when it was last asked.';
  return `${counted(bad.length, 'feed')} did not answer whole when last asked: ${bad.join(', ')}.`;
}

function feedSection(feeds: readonly StatusFeed[]): TemplateResult {
  return html`<section>
    <h2>Venues and feeds</h2>
    ${sortedTable({ caption: 'Feeds', rows: feeds, columns: feedColumns })}
  </section>`;
}

const feedColumns: Column<StatusFeed>[] = [
  {
    title: 'Source',
    key: (row) => row.feed,
    cell: ({ feed }) => {
      const [source = '', what = ''] = feed.split('/', 2);
      return html`${sourceInWords(source)} <span class="ticker">${what}</span>`;
    },
  },
  {
    title: 'Condition',
    key: (row) => row.condition,
    cell: ({ condition }) => (condition === 'good' ? 'good' : html`<span class="mark">${condition}</span>`),
  },
  {
    title: 'Last good',
    key: (row) => row.good_at,
    cell: (row) => (row.good_at ? moment(row.good_at) : 'never'),
  },
  { title: 'Last asked', key: (row) => row.tried_at, cell: (row) => moment(row.tried_at) },
  numbers('Rows read', (row) => row.rows_read, count),
  numbers('Left out', (row) => row.rows_left_out, count),
];

function runSection(runs: readonly StatusRun[]): TemplateResult {
  return html`<section>
    <h2>Last runs</h2>
    ${sortedTable<StatusRun>({
      caption: 'Runs',
      rows: runs,
      columns: [
        { title: 'Run', cell: (row) => row.command },
        { title: 'Started', cell: (row) => moment(row.started_at) },
        { title: 'Ended', cell: (row) => moment(row.finished_at) },
        {
          title: 'Outcome',
          cell: ({ outcome }) =>
            outcome === undefined
              ? html`<span class="faint">under way when this was published</span>`
              : outcome === 'complete'
                ? outcome
                : html`<span class="mark">${outcome}</span>`,
        },
      ],
    })}
  </section>`;
}
