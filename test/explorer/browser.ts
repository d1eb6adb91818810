import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts Chromium: the one that npm brings where it runs, else the system's. */
export async function startBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--no-zygote'];
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return chromium.launch({ channel: 'chrome', args });
  const { default: packed } = await import('@sparticuz/chromium');
  return chromium.launch({ executablePath: await packed.executablePath(), args });
}

/** How a reader looks. */
interface Reader {
  colorScheme?: 'light' | 'dark';
  width?: number;
}

/** A page of the explorer that is open, with what went wrong on it so far. */
export interface OpenPage {
  page: Page;
  /** Errors of the console and of scripts, and requests that left the origin. */
  faults: string[];
  /** Goes to a page by the part of its address behind the #, and waits until it is shown. */
  go(hash: string): Promise<void>;
  /** The published numbers that the page shows, in order. */
  numbers(): Promise<number[]>;
  /** What axe-core objects to. */
  objections(): Promise<string[]>;
}

/** Opens the explorer of an address. */
export async function openExplorer(
  browser: Browser,
  address: string,
  reader: Reader = {},
): Promise<OpenPage> {
  const { colorScheme = 'light', width = 1200 } = reader;
  const context = await browser.newContext({
    colorScheme,
    locale: 'en-GB',
    viewport: { width, height: 900 },
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== new URL(address).origin) faults.push(`asked ${url.href}`);
  });
  return {
    page,
    faults,
    async go(hash) {
      await page.goto(`${address}${hash}`);
      await page.locator(`main[data-shown=${JSON.stringify(hash)}]`).waitFor();
    },
    numbers: () =>
      page.evaluate('[...document.querySelectorAll("main data")].map((each) => Number(each.value))'),
    async objections() {
      await page.evaluate(AXE);
      const found = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
      return found.violations.flatMap((each) =>
        each.nodes.map((node) => `${each.id}: ${node.target.join(' ')}: ${node.failureSummary}`),
      );
    },
  };
}
