import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts Chromium: the one that npm brings where it runs, else the system's. */
export async function startBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu'];
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return chromium.launch({ channel: 'chrome', args });
  const { default: packed } = await import('@sparticuz/chromium');
  return chromium.launch({ executablePath: await packed.executablePath(), args });
}

/** A page of the explorer that is open, with what went wrong on it so far. */
export interface OpenPage {
  page: Page;
  /** Errors of the console and of scripts, and requests that left the origin. */
  faults: string[];
  /** Bytes of the answers so far, by the path of the request; those of the disk cache too. */
  answered: Map<string, number>;
  /** Goes to a page by the part of its address behind the #, and waits until it is shown. */
  go(hash: string): Promise<void>;
  /** The published numbers that the page shows, in order. */
  numbers(): Promise<number[]>;
  /** What axe-core objects to. */
  objections(): Promise<string[]>;
  /** What axe-core objects to in the dark: colours alone, since nothing else differs. */
  objectionsInTheDark(): Promise<string[]>;
  /** Forgets what the explorer keeps and what was done to its requests; it is loaded anew when one goes to a page. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the explorer of an address on a desktop, in light. */
export async function openExplorer(browser: Browser, address: string): Promise<OpenPage> {
  const context = await browser.newContext({
    colorScheme: 'light',
    locale: 'en-GB',
    viewport: { width: 1200, height: 900 },
  });
  const page = await context.newPage();
  const faults: string[] = [];
  const answered = new Map<string, number>();
  const { origin, pathname } = new URL(address);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin) faults.push(`asked ${url.href}`);
  });
  page.on('response', async (response) => {
    const url = new URL(response.url());
    if (url.protocol === 'data:') return;
    const path = url.pathname.slice(pathname.length);
    answered.set(path, Number(response.headers()['content-length'] ?? 0));
  });
  return {
    page,
    faults,
    answered,
    async go(hash) {
      await page.goto(`${address}${hash}`);
      await page.locator(`main[data-shown=${JSON.stringify(hash)}]`).waitFor();
    },
    numbers: () =>
      page.evaluate('[...document.querySelectorAll("main data")].map((each) => Number(each.value))'),
    objections: () => findViolations(page, '{}'),
    async objectionsInTheDark() {
      await page.emulateMedia({ colorScheme: 'dark' });
      const found = await findViolations(page, '{ runOnly: ["color-contrast"] }');
      await page.emulateMedia({ colorScheme: 'light' });
      return found;
    },
    async leave() {
      await page.unrouteAll();
      await page.evaluate('localStorage.clear()');
      await page.goto('about:blank');
      faults.length = 0;
      answered.clear();
    },
    close: () => context.close(),
  };
}

async function findViolations(page: Page, options: string): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  // Nothing lies in frames or needs its style sheet read again.
  const run = `axe.run(document, { resultTypes: ["violations"], preload: false, iframes: false, ...${options} })`;
  const found = await page.evaluate<AxeResults>(run);
  return found.violations.flatMap((each) =>
    each.nodes.map((node) => `${each.id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  );
}
