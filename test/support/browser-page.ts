import { chromium, type Page } from 'playwright-core';

export interface BrowserPage {
  page: Page;
  /** What went wrong in the page's scripts. */
  errors: string[];
  /** The hosts that the page has asked for anything. */
  hosts: Set<string>;
  close(): Promise<void>;
}

/** A headless Chromium of its own with one page, which is not open anywhere yet. */
export async function openBrowserPage(chromiumPath: string): Promise<BrowserPage> {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    // As root, and in containers with little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  // On a busy machine the page asks again after up to half a minute.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const errors: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', (error) => void errors.push(String(error.stack ?? error)));
  page.on('request', (request) => void hosts.add(new URL(request.url()).hostname));
  return { page, errors, hosts, close: () => browser.close() };
}
