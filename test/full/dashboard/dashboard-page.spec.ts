import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { OperatorActs, WorkflowClient } from '../../../lib/index.js';
import { type BrowserPage, openBrowserPage } from '../../support/browser-page.js';
import {
  APPROVED,
  Approval,
  dashboardApp,
  type DashboardApp,
  Long,
  Order,
  Parent,
  Payments,
  Settlement,
  Twice,
} from '../../support/dashboard-app.js';
import { findingsOf, hasLooked } from '../../support/dashboard-browser.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { ROOT } from '../../support/root.mjs';
import { until } from '../../support/until.js';

const WALK = join(ROOT, process.env['DURABLE_TEST_SHOTS'] ? 'docs/internals/images/' : '.cache/dashboard-walk/');
const VIEWS = [
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
  'doctor',
];

describeWithProgram('chromium', 'the page of the dashboard', (chromium) => {
  let dashboard: DashboardApp;
  let browser: BrowserPage;
  let page: Page;
  let client: WorkflowClient;
  const violations: string[] = [];

  beforeAll(async () => {
    dashboard = await dashboardApp();
    client = dashboard.app.get(WorkflowClient);
    browser = await openBrowserPage(chromium);
    page = browser.page;
    page.on('console', (line) => {
      if (line.text().includes('Content Security Policy')) violations.push(line.text());
    });
    await as(page, 'ada');
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.app.close();
  });

  const as = (on: Page, user: string) =>
    on.context().addCookies([{ name: 'user', value: user, url: new URL(dashboard.url).origin }]);
  const at = (path: string) => `${dashboard.url}/${path}`;
  const runPath = (id: string) => `runs/${encodeURIComponent(id)}`;
  const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
  /** A page of its own kind, without the policy of ours that keeps axe out. */
  const pageWith = async (options: BrowserContextOptions) => {
    const context = await page
      .context()
      .browser()!
      .newContext({ bypassCSP: true, ...options });
    const other = await context.newPage();
    await as(other, 'ada');
    return other;
  };

  it.each(VIEWS)('has the view %s', async (view) => {
    await page.goto(at(view));
    await page.getByRole('heading', { level: 1, name: view }).waitFor();
    await hasLooked(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('link', { name: view, exact: true }).getAttribute('aria-current')).toBe('page');
  });

  it('leads from three blocked runs to completed ones', async () => {
    mkdirSync(WALK, { recursive: true });
    await page.setViewportSize({ width: 1100, height: 700 });
    const shot = (name: string) => page.screenshot({ path: `${WALK}dashboard-${name}.png` });
    Payments.broken = true;
    const ids = ['order-1', 'order-2', 'order-3'];
    for (const [n, id] of ids.entries()) await client.start(Order, { amount: n + 1 }, { id });
    await page.goto(at('overview'));
    const three = page.getByRole('link', { name: /3 blocked: order v1, exhausted/ });
    await three.waitFor({ timeout: 30_000 });
    await shot('1-overview');
    await three.click({ timeout: 30_000 });
    await says('order-2');
    await shot('2-runs');
    await page.getByRole('link', { name: 'order-2' }).click();
    await says('the bank refused 2');
    await shot('3-why');
    await page.getByRole('option', { name: /payments.charge/ }).click();
    await page.getByRole('region', { name: 'Attempts of step 0' }).waitFor();
    await shot('4-step');
    Payments.broken = false;
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByLabel('Why, for the act log').first().fill('the bank is back');
    await shot('5-retry');
    await page.locator('dialog[open] button.go').click();
    await page.locator('h1 .status.completed').waitFor();
    await shot('6-completed');
    await page.goto(at('runs?blocked=true'));
    await page.getByRole('button', { name: 'retry all …' }).click();
    await page.locator('dialog[open]').getByLabel('Why, for the act log').fill('the bank is back');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await says('Would retry 2 runs.');
    await shot('7-dry-run');
    await page.locator('dialog[open] button.go').click();
    await says('retry: 2 runs.');
    for (const id of ids) await client.result(id, { timeout: '120s' });
    await page.goto(at('overview'));
    await hasLooked(page);
    await shot('8-calm');
    expect(await page.getByText('blocked').count()).toBe(0);
    const { acts } = await dashboard.app.get(OperatorActs).list({ target: 'order-2' });
    expect(acts).toMatchObject([{ actor: 'ada', action: 'retry', reason: 'the bank is back' }]);
  });

  it('finds runs by every filter, keeps a view by its name, and chooses a whole page', async () => {
    const ids = ['list-1', 'list-2', 'list-3'];
    for (const id of ids)
      await client.start(Approval, undefined, { id, attributes: { customer: 'list', n: ids.indexOf(id) } });
    await page.goto(at('runs'));
    await page.getByText('More filters, order and columns').click();
    await page.getByLabel('Id begins with').fill('list-');
    await page.getByLabel('Id begins with').press('Enter');
    await page.getByLabel('Waits for').selectOption('signal');
    await page.getByLabel('Attributes').fill('n>=1');
    await page.getByLabel('Attributes').press('Enter');
    await page.getByLabel('Columns').fill('customer');
    await page.getByLabel('Columns').press('Enter');
    await page.getByRole('columnheader', { name: 'customer' }).waitFor();
    await page.getByText('choose all on this page').click();
    await page.getByRole('button', { name: 'cancel 2 …' }).waitFor();
    await page.getByLabel('Name of this view').fill('two of the list');
    await page.getByRole('button', { name: 'Keep view' }).click();
    await page.goto(at('runs'));
    await page.getByRole('link', { name: 'two of the list' }).click();
    await page.getByRole('columnheader', { name: 'customer' }).waitFor();
    expect(new URL(page.url()).searchParams.get('attribute')).toBe('n>=1');
    expect(await page.getByRole('link', { name: /^list-/ }).allTextContents()).toEqual(['list-3', 'list-2']);
    await page.getByRole('button', { name: 'Forget the view two of the list' }).click();
    expect(await page.getByRole('link', { name: 'two of the list' }).count()).toBe(0);
    for (const id of ids) await client.terminate(id);
    await page.goto(at('runs?order=ended&idPrefix=list-'));
    await page.getByRole('columnheader', { name: 'Ended' }).waitFor();
    await says('list-1');
    expect(await page.getByLabel('Order').inputValue()).toBe('ended');
  });

  it('shows a run that completes while it is looked at, in two tabs', async () => {
    const id = 'waits for/ü approval';
    await client.start(Approval, undefined, { id });
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto(at(runPath(id)));
      await tab.getByText('approved').first().waitFor();
    }
    await other.getByRole('button', { name: 'Signal' }).click();
    await other.getByLabel('Name').fill(APPROVED.name);
    await other.getByLabel('Payload, as JSON').fill('"yes"');
    await other.locator('dialog[open]').getByLabel('Why, for the act log').fill('a test');
    await other.locator('dialog[open] button.go').click();
    for (const tab of [page, other]) await tab.locator('h1 .status.completed').waitFor();
    await other.close();
  });

  it('has few elements for a run of 10,000 steps, and keeps the step in the address', async () => {
    await client.startAndWait(Long, 10_000, { id: 'long', timeout: '2m' });
    await page.goto(at('runs/long'));
    await page.getByRole('option').first().waitFor({ timeout: 30_000 });
    expect(await page.locator('*').count()).toBeLessThan(1_000);
    await page.getByRole('listbox', { name: 'Steps' }).focus();
    await page.getByRole('button', { name: 'Nearer' }).click();
    await page.getByRole('button', { name: 'All' }).click();
    await page.getByRole('button', { name: 'Farther', disabled: true }).waitFor();
    await page.getByRole('listbox', { name: 'Steps' }).focus();
    for (const key of ['j', 'j', 'ArrowDown', 'k']) await page.keyboard.press(key);
    await page.waitForURL((url) => url.searchParams.get('step') === '1');
    await page.reload();
    await page.getByRole('heading', { name: /1 step-1/ }).waitFor({ timeout: 30_000 });
    await page.goto(at('runs/long?step=9999'));
    await page.getByRole('heading', { name: /9999 step-9999/ }).waitFor({ timeout: 30_000 });
    expect(await page.locator('*').count()).toBeLessThan(1_000);
  });

  it('leads from a run to what it waits for, has started, has published, and to a fork and a comparison', async () => {
    await client.start(Parent, undefined, { id: 'parent' });
    await page.goto(at('runs/parent?step=1'));
    const why = page.getByRole('region', { name: 'Why' });
    await why.getByRole('link', { name: 'parent-child' }).waitFor();
    await page.getByRole('button', { name: 'Show its steps' }).click();
    await page.getByRole('listbox', { name: 'Steps of parent-child' }).getByRole('option').waitFor();
    await page.getByRole('button', { name: 'Look' }).click();
    await page.getByRole('link', { name: 'event published' }).waitFor();
    await why.getByRole('link', { name: 'parent-child' }).click();
    await page.getByRole('heading', { name: /parent-child/ }).waitFor();
    await page.getByRole('button', { name: 'Signal' }).click();
    expect(await page.locator('#listened option').getAttribute('value')).toBe(APPROVED.name);
    await page.keyboard.press('Escape');

    await page.goto(at('runs/order-2?step=0'));
    await page.getByRole('region', { name: 'What it was given' }).getByRole('button', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'Replay the input' }).click();
    await says("input, as today's code asks for it");
    await page.getByLabel('With the run').fill('order-1');
    await page.getByRole('button', { name: 'Compare' }).click();
    const row = page.getByRole('region', { name: 'Steps of both runs' }).getByRole('row', { name: /payments.charge/ });
    await row.getByText('output: 1 difference').waitFor();
    await page.getByRole('button', { name: 'Fork from here' }).click();
    await page.locator('dialog[open]').getByLabel('Its id').fill('order-2-fork');
    await page.locator('dialog[open]').getByLabel('Why, for the act log').fill('to look');
    await page.locator('dialog[open] button.go').click();
    await page.getByRole('heading', { name: /order-2-fork/ }).waitFor();
    await says('Forked from');
    await page.getByRole('link', { name: 'order-2', exact: true }).first().click();
    await page.getByRole('region', { name: 'What operators did to this run' }).getByText('to look').waitFor();
  });

  it('tells the place of a step in the queue of its limit, and shows markers to whoever wants them', async () => {
    await client.startAndWait(Settlement, undefined, { id: 'settled' });
    await client.start(Settlement, undefined, { id: 'queued' });
    const kind = async () => (await client.explain('queued')).waitingFor[0]?.kind;
    await until('it waits for its turn', async () => (await kind()) === 'limiter');
    await page.goto(at('runs/queued?step=1'));
    const panel = page.getByRole('region', { name: 'Step 1' });
    await panel.getByText('its turn in "payments.settle", at most 1 every 3600000 ms: 0 ahead of it').waitFor();
    expect(await panel.getByRole('link', { name: 'limits' }).getAttribute('href')).toMatch(/\/queues$/);
    await page.getByRole('region', { name: 'Why' }).getByRole('link', { name: 'step 1' }).waitFor();
    await page.locator('.row .bar.queued-for-a-limit').waitFor();
    const [steps, markers] = [page.getByRole('option'), page.getByLabel('1 marker')];
    expect(await steps.count()).toBe(1);
    await markers.check();
    await page.waitForURL((url) => url.searchParams.get('markers') === 'true');
    await page.reload();
    await steps.nth(1).waitFor();
    expect(await markers.isChecked()).toBe(true);
    await markers.uncheck();
    await steps.nth(1).waitFor({ state: 'detached' });
    await page.goto(at('runs/queued?step=0'));
    await steps.nth(1).waitFor();
  });

  it('says where the code parts from a history, and leads there', async () => {
    await client.startAndWait(Twice, undefined, { id: 'older' });
    Twice.changed = true;
    await page.goto(at('runs/older?step=0'));
    const given = page.getByRole('region', { name: 'What it was given' });
    await given.getByRole('button', { name: 'Show' }).click();
    await given.getByRole('button', { name: 'Replay the input' }).click();
    const parts = 'at position 1 remote "payments.charge" is recorded, and the code asks for sleep "think".';
    await given.getByRole('status').filter({ hasText: parts }).waitFor();
    await given.getByRole('heading', { name: "input, as today's code asks for it" }).waitFor();
    await given.getByRole('link', { name: 'position 1' }).click();
    await page.getByRole('heading', { name: /^1 payments.charge/ }).waitFor();
    Twice.changed = false;
  });

  it('can be used by keys', async () => {
    await page.goto(at('overview'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await page.getByRole('heading', { name: 'Queues' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('order-1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /order-1/ }).waitFor();
  });

  it('hides what a user may not do, and says so when they may not look any more', async () => {
    await as(page, 'bob');
    await page.goto(at(runPath('order-1')));
    await page.locator('h1 .status.completed').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).waitFor();
    expect(await page.getByRole('button', { name: /Delete|Restart|Show/ }).count()).toBe(0);
    await as(page, 'dora');
    await says('You may not look any more');
    await as(page, 'ada');
  });

  it.each([
    ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
    ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
    ['on a phone', { colorScheme: 'light', viewport: { width: 375, height: 700 } }],
    ['dark on a phone', { colorScheme: 'dark', viewport: { width: 375, height: 700 } }],
  ] as const)('is accessible: %s', async (_, options) => {
    const other = await pageWith(options);
    const run = `${runPath('order-2')}?step=0`;
    const queued = `${runPath('queued')}?step=1&markers=true`;
    for (const path of [...VIEWS, 'runs?order=ended&columns=customer', run, `${runPath('parent')}?step=1`, queued]) {
      await other.goto(at(path));
      await other.getByRole('heading', { level: 1 }).waitFor();
      await hasLooked(other);
      expect({ path, found: await findingsOf(other) }).toEqual({ path, found: [] });
      const overflows = await other.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect({ path, overflows }).toEqual({ path, overflows: false });
    }
    await other.context().close();
  });

  it('has asked nobody else, broken no policy and thrown nothing', () => {
    expect([...browser.hosts]).toEqual(['127.0.0.1']);
    expect(violations).toEqual([]);
    expect(browser.errors).toEqual([]);
  });
});
