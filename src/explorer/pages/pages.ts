import type { ListPage, Page } from '../page.ts';
import { announcementListPage, announcementPage } from './announcement-pages.ts';
import { filingListPage } from './filing-list-page.ts';
import { filingPage } from './filing-page.ts';
import { indexPage } from './index-page.ts';
import { marketListPage } from './market-list-page.ts';
import { marketPage } from './market-page.ts';
import { overviewPage } from './overview-page.ts';
import { ratePage } from './rate-page.ts';
import { referencePage } from './reference-page.ts';
import { statusPage } from './status-page.ts';

/** The pages of the navigation, in its order. */
export const listPages: readonly ListPage[] = [
  overviewPage,
  marketListPage,
  announcementListPage,
  filingListPage,
  referencePage,
  statusPage,
];

/** Every page of one thing, by the id in its address. */
const detailPages: readonly Page[] = [indexPage, ratePage, marketPage, announcementPage, filingPage];

/** The page of an address. */
export function findPage(name: string, id: string): Page | undefined {
  return (id === '' ? listPages : detailPages).find((page) => page.name === name);
}
