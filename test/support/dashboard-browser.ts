import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowserPage } from './browser-page.js';
import { dashboardApp, type DashboardApp, type DashboardAppOptions } from './dashboard-app.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface OpenDashboard extends DashboardApp {
  page: Page;
  /** What broke the page's policy, or was thrown in it. */
  wrong: string[];
  /** Shows a view of the dashboard. */
  open(path: string): Promise<void>;
  /** A page of its own kind, without the policy of ours that keeps axe out. */
  other(options: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** An app with a dashboard, and a browser in which `ada` is signed in. */
export async function openDashboard(chromium: string, options: DashboardAppOptions): Promise<OpenDashboard> {
  const dashboard = await dashboardApp(options);
  const browser = await openBrowserPage(chromium);
  const { page, errors } = browser;
  page.on('console', (line) => {
    if (line.text().includes('Content Security Policy')) errors.push(line.text());
  });
  const signIn = (on: Page) =>
    on.context().addCookies([{ name: 'user', value: 'ada', url: new URL(dashboard.url).origin }]);
  await signIn(page);
  return {
    ...dashboard,
    page,
    wrong: errors,
    open: async (path) => {
      await page.goto(`${dashboard.url}/${path}`);
      await hasLooked(page);
    },
    other: async (more) => {
      const context = await page
        .context()
        .browser()!
        .newContext({ bypassCSP: true, ...more });
      const other = await context.newPage();
      await signIn(other);
      return other;
    },
    close: async () => {
      await browser.close();
      await dashboard.app.close();
    },
  };
}

/** The first answers have come. */
export async function hasLooked(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Looking …').first().waitFor({ state: 'hidden' });
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds by WCAG 2.2 AA. */
export async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, rules: { 'label-content-name-mismatch': { enabled: true } } })`;
  return page.evaluate(`${found}.then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 150)))`);
}

/** What has the focus, as the name of its element. */
export const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.tagName');
