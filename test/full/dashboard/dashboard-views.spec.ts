import type { Page } from 'playwright-core';
import { Effects, OperatorActs, WorkflowClient } from '../../../lib/index.js';
import { type BrowserPage, openBrowserPage } from '../../support/browser-page.js';
import { dashboardApp, type DashboardApp } from '../../support/dashboard-app.js';
import { Forgetful } from '../../support/dashboard-fill.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { until } from '../../support/until.js';

describeWithProgram('chromium', 'views of the dashboard', (chromium) => {
  let dashboard: DashboardApp;
  let browser: BrowserPage;
  let page: Page;

  beforeAll(async () => {
    dashboard = await dashboardApp({ filled: true });
    browser = await openBrowserPage(chromium);
    page = browser.page;
    await page.context().addCookies([{ name: 'user', value: 'ada', url: new URL(dashboard.url).origin }]);
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.app.close();
  });

  const at = (path: string) => `${dashboard.url}/${path}`;

  it('replay the open runs with the code of this process', async () => {
    await dashboard.app.get(WorkflowClient).start('removed', null, { id: 'stranded', version: 7 });
    await page.goto(at('deploy'));
    await page.getByRole('button', { name: 'Check this build' }).click();
    await page.getByText(/^1 of \d+ open runs would be blocked\.$/).waitFor();
    await page.getByText('This process has no such workflow.').waitFor();
    await page.getByRole('region', { name: 'This build' }).getByRole('link', { name: 'stranded' }).click();
    await page.getByRole('heading', { level: 1, name: /stranded/ }).waitFor();
  });

  it('say when a schedule fires, what its runs came to, and what another plan would do', async () => {
    await page.goto(at('schedules'));
    await page.getByRole('button', { name: 'Fire now' }).first().click();
    await page.getByLabel('Why, for the act log').fill('a test');
    await page.locator('dialog[open] button.go').click();
    await page.getByRole('link', { name: 'hourly', exact: true }).click();
    await page.getByRole('heading', { name: 'When it would fire, were it not paused' }).waitFor();
    await page.getByText('If the run before has not ended, the time is dropped.').waitFor();
    await page.reload();
    const times = page.getByRole('region', { name: 'Schedule hourly' }).locator('ol.times li');
    await times.nth(4).waitFor();
    expect(await times.count()).toBe(5);
    await page.getByText('What would another plan do?').click();
    await page.getByLabel('Cron').fill('not a plan');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Schedule hourly' }).getByRole('alert').waitFor();
    await page.getByLabel('Or every').fill('15m');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('details ol.times li').nth(4).waitFor();
    await page.getByRole('table', { name: 'The last runs of hourly' }).getByRole('link').first().waitFor();
  });

  it('show where events wait, and requeue all dead letters of a channel', async () => {
    await page.goto(at('outbox'));
    await page.getByRole('table', { name: 'Lag of search' }).getByText('posts:1').waitFor();
    await page.getByRole('button', { name: 'Requeue all of posts:3' }).click();
    await page.getByLabel('Why, for the act log').fill('a test');
    await page.locator('dialog[open] button.go').click();
    await page.getByText('Requeued 1 events of posts:3.').waitFor();
  });

  it('lead from a run that waits for calls, and from what it sent out, to their audit log', async () => {
    await dashboard.app.get(WorkflowClient).start(Forgetful, undefined, { id: 'forgetful' });
    const log = page.getByRole('table', { name: 'Audit log of erase of u3' });
    await page.goto(at('runs/forgetful'));
    await page.getByRole('region', { name: 'Why' }).getByRole('link', { name: 'effects' }).click();
    await log.getByText('crm.later').first().waitFor();
    await page.goto(at('runs/forgetful'));
    await page.getByRole('button', { name: 'Look' }).click();
    await page.getByRole('link', { name: 'effect asked' }).click();
    await log.getByText('crm.later').first().waitFor();
  });

  it('look up the audit log of a subject, page by page', async () => {
    const calls = Array.from({ length: 101 }, (_, n) => ({ handler: 'crm.forget', ref: `many-${n}` }));
    const effects = dashboard.app.get(Effects);
    await effects.enqueue({ operation: 'erase', subject: 'u2', calls });
    await until('all are abandoned', async () => (await effects.statusCounts()).abandoned >= calls.length);
    await page.goto(at('effects'));
    await page.getByLabel('operation').fill('erase');
    await page.getByLabel('operation').press('Enter');
    await page.getByLabel('subject').fill('u2');
    await page.getByLabel('subject').press('Enter');
    const rows = page.getByRole('table', { name: 'Audit log of erase of u2' }).getByRole('row');
    await rows.nth(100).waitFor();
    expect(await rows.count()).toBe(101);
    await page.getByRole('link', { name: 'More events' }).click();
    await page.waitForURL((url) => url.searchParams.has('cursor'));
    await rows.nth(100).waitFor({ state: 'detached' });
    await rows.nth(1).waitFor();
    await page.getByRole('link', { name: 'First events' }).click();
    await rows.nth(100).waitFor();
    await page.getByLabel('subject').fill('nobody');
    await page.getByLabel('subject').press('Enter');
    await page.getByText('Nothing is recorded of it.').waitFor();
  });

  it('find acts by their kind and time', async () => {
    await page.goto(at('acts'));
    await page.getByLabel('kind').selectOption('hold');
    await page.getByRole('cell', { name: 'hold', exact: true }).first().waitFor();
    await page.getByLabel('since').fill('2099-01-01T00:00');
    await page.getByText('Nobody did anything.').waitFor();
    await page.getByLabel('since').fill('2020-01-01T00:00');
    await page.getByRole('cell', { name: 'hold', exact: true }).first().waitFor();
    const { acts } = await dashboard.app.get(OperatorActs).list({ kind: 'hold' });
    expect(await page.getByRole('cell', { name: 'hold', exact: true }).count()).toBe(acts.length);
  });
});
