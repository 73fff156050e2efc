import type { Page } from 'playwright-core';
import { type BrowserPage, openBrowserPage } from '../../support/browser-page.js';
import { dashboardApp, type DashboardApp } from '../../support/dashboard-app.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { until } from '../../support/until.js';

describeWithProgram('chromium', 'how often the dashboard asks', (chromium) => {
  let dashboard: DashboardApp;
  let browser: BrowserPage;
  let page: Page;
  /** What the page asked, since it was emptied. */
  const asked = new Map<string, string | undefined>();

  beforeAll(async () => {
    dashboard = await dashboardApp({ filled: true });
    browser = await openBrowserPage(chromium);
    page = browser.page;
    await page.context().addCookies([{ name: 'user', value: 'ada', url: new URL(dashboard.url).origin }]);
    page.on('request', (request) => {
      const [, path] = new URL(request.url()).pathname.split('/api/');
      if (path !== undefined && request.method() === 'GET') asked.set(path, request.headers()['cache-control']);
    });
    await page.clock.install();
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.app.close();
  });

  const PARTS = ['outbox', 'outbox/dead', 'outbox/lag', 'outbox/standing'];
  /** Before the first of them would be asked for by itself, after 2 s. */
  const askedAtOnce = async (cacheControl: string) => {
    let passedMs = 0;
    await until('all parts were asked for', async () => {
      if (passedMs < 1_500) await page.clock.runFor(20);
      passedMs += 20;
      return PARTS.every((part) => asked.get(part) === cacheControl);
    });
  };
  const become = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);

  it('at once for all parts of a view, when something was changed from it', async () => {
    await page.goto(`${dashboard.url}/outbox`);
    await page
      .getByRole('button', { name: /^Requeue/ })
      .first()
      .waitFor();
    await page
      .getByRole('button', { name: /^Requeue/ })
      .first()
      .click();
    await page.getByLabel('Why, for the act log').fill('a test');
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
    asked.clear();
    await page.locator('dialog[open] button.go').click();
    await askedAtOnce('no-cache');
  });

  it('not at all while nobody sees it, and at once when somebody does again', async () => {
    await become(true);
    await page.clock.runFor(1_000);
    asked.clear();
    await page.clock.runFor(600_000);
    expect([...asked.keys()]).toEqual([]);
    await become(false);
    await askedAtOnce('max-age=1');
  });
});
