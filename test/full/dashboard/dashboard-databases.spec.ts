import type { Page } from 'playwright-core';
import { WorkflowClient } from '../../../lib/index.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { type BrowserPage, openBrowserPage } from '../../support/browser-page.js';
import { Approval, dashboardApp, type DashboardApp, Order, Payments } from '../../support/dashboard-app.js';
import { findingsOf } from '../../support/dashboard-browser.js';
import { executorOf } from '../../support/engine-storage.js';
import { describeWithProgram } from '../../support/installed-programs.js';

const VIEWS = [
  ...[
    'overview',
    'runs',
    'steps',
    'queues',
    'processes',
    'signals',
    'schedules',
    'outbox',
    'effects',
    'acts',
    'deploy',
  ],
  'doctor',
];

describeWithProgram('chromium', 'the page of the dashboard', (chromium) =>
  describeDatabases(
    'on a database',
    (at) => {
      let backend: OpenBackend;
      let dashboard: DashboardApp;
      let browser: BrowserPage;
      let page: Page;
      let client: WorkflowClient;
      const violations: string[] = [];
      const open = (path: string) => page.goto(`${dashboard.url}/${path}`);

      beforeAll(async () => {
        backend = await at.open();
        const durable = {
          executor: executorOf(backend),
          build: 'build-7',
          outbox: { ordering: 'insert' as const },
        };
        dashboard = await dashboardApp({ durable });
        client = dashboard.app.get(WorkflowClient);
        browser = await openBrowserPage(chromium);
        page = browser.page;
        page.on('console', (line) => {
          if (line.text().includes('Content Security Policy')) violations.push(line.text());
        });
        await page.context().addCookies([{ name: 'user', value: 'ada', url: new URL(dashboard.url).origin }]);
      });
      afterAll(async () => {
        Payments.broken = false;
        await browser?.close();
        await dashboard?.app.close();
        await backend?.close();
      });

      it('leads from blocked runs to completed ones', async () => {
        Payments.broken = true;
        for (const n of [1, 2, 3]) await client.start(Order, { amount: n }, { id: `order-${n}` });
        await open('overview');
        await page.getByRole('link', { name: /3 blocked: order v1, exhausted/ }).click({ timeout: 60_000 });
        Payments.broken = false;
        await page.getByRole('button', { name: 'retry all …' }).click();
        await page.locator('dialog[open]').getByLabel('Why, for the act log').fill('the bank is back');
        await page.getByRole('button', { name: 'Dry run' }).click();
        await page.getByText('Would retry 3 runs.').waitFor();
        await page.locator('dialog[open] button.go').click();
        await page.getByText('retry: 3 runs.').waitFor();
        for (const n of [1, 2, 3]) await client.result(`order-${n}`, { timeout: '120s' });
        await open('runs/order-2?step=0');
        await page.locator('h1 .status.completed').waitFor();
        await page.getByRole('region', { name: 'Attempts of step 0' }).waitFor();
      });

      it('says which versions open runs need, and who has them', async () => {
        await client.start(Approval, undefined, { id: 'waits' });
        await open('deploy');
        await page.getByRole('row', { name: /approval 1 1 .*build-7/ }).waitFor();
        await page.getByText('Each has a process with its code.').waitFor();
        expect(await page.getByRole('alert').count()).toBe(0);
      });

      it('examines the database when somebody wants to know', async () => {
        await open('doctor');
        await page.getByRole('button', { name: 'Examine the database' }).click();
        const well = page.getByText(/^\d+ checks found nothing$/);
        await well.waitFor({ timeout: 60_000 });
        await well.click();
        await page.getByText('migrations', { exact: true }).waitFor();
        expect(await page.getByRole('alert').count()).toBe(0);
        const other = await bypassing(page);
        expect(await findingsOf(other)).toEqual([]);
        await other.context().close();
      });

      it.each(VIEWS)('has the view %s', async (view) => {
        await open(view);
        await page.getByRole('heading', { level: 1, name: view }).waitFor();
        await page.getByText('Looking …').first().waitFor({ state: 'hidden' });
        expect(await page.getByRole('alert').allTextContents()).toEqual([]);
      });

      it('has broken no policy and thrown nothing', () => {
        expect(violations).toEqual([]);
        expect(browser.errors).toEqual([]);
      });

      /** The same view where axe may run, which the page's policy keeps out; the doctor has examined there, too. */
      async function bypassing(of: Page): Promise<Page> {
        const cookies = await of.context().cookies();
        const context = await of.context().browser()!.newContext({ bypassCSP: true });
        await context.addCookies(cookies);
        const other = await context.newPage();
        await other.goto(of.url());
        await other.getByRole('button', { name: 'Examine the database' }).click();
        await other.getByText(/^\d+ checks found nothing$/).click({ timeout: 60_000 });
        return other;
      }
    },
    { only: ({ db }) => db !== 'mysql' },
  ),
);
