import { Effects, WorkflowClient } from '../../../lib/index.js';
import { APPROVED, Approval, Order } from '../../support/dashboard-app.js';
import { focused, openDashboard, type OpenDashboard } from '../../support/dashboard-browser.js';
import { Nightly } from '../../support/dashboard-fill.js';
import { describeWithProgram } from '../../support/installed-programs.js';

interface Exchange {
  headers: { cookie?: string };
  url: string;
}
interface Reply {
  redirect(to: string): void;
  type(type: string): { send(text: string): void };
}

/** Sends whoever has the cookie to the page where one signs in, as apps do whose session has ended. */
function signingIn({ headers, url }: Exchange, reply: Reply, next: () => void): void {
  if (url === '/login' || headers.cookie?.includes('session=html'))
    return reply.type('html').send('<!doctype html><title>Sign in</title>');
  if (headers.cookie?.includes('session=lost')) return reply.redirect('/login');
  next();
}

describeWithProgram('chromium', 'the page of the dashboard, when something goes wrong,', (chromium) => {
  let at: OpenDashboard;
  let client: WorkflowClient;

  beforeAll(async () => {
    at = await openDashboard(chromium, {
      filled: true,
      prepare: (app) => void (app as unknown as { use(one: typeof signingIn): void }).use(signingIn),
    });
    client = at.app.get(WorkflowClient);
  });
  afterAll(() => at?.close());
  afterEach(async () => {
    await at.page.unrouteAll();
    await at.page.context().clearCookies({ name: 'session' });
  });

  const says = (text: string | RegExp) => at.page.getByText(text).first().waitFor();
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const reason = () => at.page.locator('dialog[open]').getByLabel('Why, for the act log');
  /** The server's answer below this address, as a failure. */
  const breaks = (path: string) =>
    at.page.route(`**/api/${path}`, (route) =>
      route.fulfill({ status: 503, json: { error: { message: 'the database is slow' } } }),
    );

  it.each(['lost', 'html'])('says that the session has ended: %s', async (value) => {
    await at.open('runs');
    await at.page.context().addCookies([{ name: 'session', value, url: new URL(at.url).origin }]);
    await says('You may not look any more');
  });

  it('says that a view broke, and shows the others', async () => {
    await at.page.route('**/api/overview', (route) => route.fulfill({ json: {} }));
    await at.page.goto(`${at.url}/overview`);
    await at.page.getByRole('heading', { name: 'This view broke' }).waitFor();
    await at.page.getByRole('link', { name: 'queues' }).click();
    await at.page.getByRole('heading', { name: 'Queues' }).waitFor();
  });

  it('takes an answer that was cut off for none', async () => {
    await at.page.route('**/api/runs/listens/why', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: '{"text":' }),
    );
    await at.page.goto(`${at.url}/runs/listens`);
    await says('Why it stands where it stands: The app does not answer');
    await at.page.unrouteAll();
    await at.page.getByRole('region', { name: 'Why' }).waitFor();
  });

  it.each([
    ['queues', 'limits*', 'Limits'],
    ['queues', 'tasks*', 'Tasks'],
    ['queues', 'holds', 'Holds'],
    ['overview', 'graphs', 'The graphs'],
    ['outbox', 'outbox/standing*', 'Channels of search'],
    ['outbox', 'outbox/dead*', 'Dead letters of search'],
    ['effects', 'effects/abandoned*', 'Abandoned calls'],
    ['effects', 'effects/scheduled*', 'Scheduled calls'],
    ['runs', 'runs/counts*', 'The counts'],
    ['runs/listens', 'runs/listens/why', 'Why it stands where it stands'],
    ['runs/listens', 'runs/listens/tree*', 'Its relatives'],
  ])('says in %s that %s cannot be read', async (view, path, what) => {
    await breaks(path);
    await at.open(view);
    await says(`${what}: the database is slow`);
  });

  it('says that a file was not saved', async () => {
    await breaks('runs/listens/export*');
    await at.open('runs/listens');
    await button('Save as JSON').click();
    await says('It was not saved: the database is slow');
  });

  it('keeps a dialog whose button has gone, and the focus', async () => {
    await client.start(Approval, undefined, { id: 'ends' });
    await at.open('runs/ends');
    await button('Cancel').click();
    await reason().fill('it takes long');
    await client.signal(APPROVED.name, 'yes', { workflowId: 'ends' });
    await says('it no longer offers "Cancel"');
    expect(await reason().inputValue()).toBe('it takes long');
    await button('Close').click();
    expect(await focused(at.page)).not.toBe('BODY');
  });

  it('keeps the focus when the button that was used goes', async () => {
    await client.start(Approval, undefined, { id: 'to-terminate' });
    await at.open('runs/to-terminate');
    await button('Terminate').click();
    await reason().fill('a test');
    await at.page.locator('dialog[open] button.go').click();
    await at.page.locator('h1 .status.cancelled').waitFor();
    await button('Terminate').waitFor({ state: 'detached' });
    await at.page.locator(':focus').waitFor();
    await says('Terminate: done.');
  });

  it('sends a change of many runs once, of the runs for which it was opened', async () => {
    for (const n of [1, 2]) await client.startAndWait(Nightly, undefined, { id: `many-${n}`, timeout: '120s' });
    await at.open('runs?workflow=nightly');
    const sent: unknown[] = [];
    at.page.on('request', (request) => {
      if (request.url().includes('/api/bulk/')) sent.push(request.postDataJSON());
    });
    await at.page.getByLabel('Choose many-1').check();
    await button('delete 1 …').click();
    await reason().fill('a test');
    await at.page.locator('dialog[open]').getByText('Dry run').dblclick();
    await says('Would delete 1 run.');
    await at.page.locator('dialog[open] button.go').dblclick();
    await says('delete: 1 run.');
    await at.page.getByLabel('Choose many-1').waitFor({ state: 'detached' });
    await at.page.getByRole('heading', { name: 'delete the 1 run chosen' }).waitFor();
    await button('Close').click();
    expect(sent).toMatchObject([
      { ids: ['many-1'], dryRun: true },
      { ids: ['many-1'], dryRun: false },
    ]);
    expect(await focused(at.page)).not.toBe('BODY');
  });

  it('changes no run without a filter, and says why', async () => {
    await at.open('runs');
    expect(await button('cancel all …').isDisabled()).toBe(true);
    await says('Choose runs or set a filter to change many at once.');
  });

  it('asks for the number before it changes more than 20, and can be stopped', async () => {
    for (let n = 0; n < 21; n++)
      await client.start(Approval, undefined, { id: `stop-${n}`, attributes: { stop: true } });
    await at.open('runs?attribute=stop%3Dtrue');
    await button('cancel all …').click();
    await reason().fill('a test');
    await button('Dry run').click();
    await says('Would cancel 21 runs.');
    const go = at.page.locator('dialog[open] button.go');
    expect(await go.isDisabled()).toBe(true);
    await at.page.getByLabel('Type 21 to cancel so many').fill('21');
    // The server answers a page at a time: between two of them it is stopped.
    let asked = 0;
    await at.page.route('**/api/bulk/cancel', async (route) => {
      asked++;
      await button('Stop').click();
      await route.fulfill({ json: { done: ['stop-0'], refused: [], cursor: 'more' } });
    });
    await go.click();
    await says('cancel: 1 run, then stopped.');
    expect(asked).toBe(1);
    await button('Close').click();
  });

  it('says what came of a change, with a link', async () => {
    await client.startAndWait(Nightly, undefined, { id: 'forked', timeout: '120s' });
    await at.open('runs/forked');
    await button('Fork').click();
    await at.page.getByLabel('From the position').fill('0');
    await at.page.getByLabel('Its id, if you like').fill('the fork');
    await reason().fill('a test');
    await at.page.locator('dialog[open] button.go').click();
    await at.page.getByRole('status', { name: 'What came of it' }).getByRole('link', { name: 'the fork' }).click();
    await at.page.getByRole('heading', { name: 'the fork' }).waitFor();
    expect(await at.page.title()).toBe('the fork · Durable');
    await at.open('schedules');
    await at.page
      .getByRole('row', { name: /nightly/ })
      .first()
      .getByRole('button', { name: 'Fire now' })
      .click();
    await reason().fill('a test');
    await at.page.locator('dialog[open] button.go').click();
    await at.page.getByRole('status', { name: 'What came of it' }).getByRole('link').click();
    await at.page.getByRole('region', { name: 'Timeline' }).waitFor();
  });

  it('shows log lines as a list, and looks again', async () => {
    await client.startAndWait(Nightly, undefined, { id: 'logs', timeout: '120s' });
    await at.open('runs/logs?step=0');
    const panel = at.page.getByRole('region', { name: 'What it was given, and what came of it' });
    await panel.getByRole('button', { name: 'Show' }).click();
    await panel
      .getByRole('listitem')
      .filter({ hasText: /info\s*counted/ })
      .waitFor();
    await panel.locator('button:focus').filter({ hasText: 'Look again' }).waitFor();
    await panel.getByRole('button', { name: 'Look again' }).click();
  });

  it('says that a list is cut, and shows more of it', async () => {
    const calls = Array.from({ length: 120 }, (_, n) => ({ handler: 'crm.later', ref: `many-${n}` }));
    await at.app.get(Effects).enqueue({ operation: 'erase', subject: 'many', calls });
    await at.open('effects');
    await says('The first 100 scheduled calls are shown.');
    await button('More').click();
    await at.page.getByText('The first 100 scheduled calls are shown.').waitFor({ state: 'detached' });
    expect(await at.page.getByRole('region', { name: 'Scheduled calls' }).getByRole('row').count()).toBeGreaterThan(
      101,
    );
  });

  it.each(['..', 'x'.repeat(180), 'parent/ü:7'])('opens the run %s', async (id) => {
    await client.startAndWait(Order, { amount: 1 }, { id, timeout: '120s' });
    await at.open('runs?workflow=order');
    await at.page.getByRole('link', { name: id, exact: true }).click();
    await at.page.locator('h1 .status.completed').waitFor();
    await at.page.reload();
    await at.page.locator('h1 .status.completed').waitFor();
    await at.page.getByRole('region', { name: 'Timeline' }).waitFor();
    expect(await at.page.getByRole('alert').count()).toBe(0);
  });

  it('asks for a run that has ended less often for its steps', async () => {
    await client.startAndWait(Nightly, undefined, { id: 'ended', timeout: '120s' });
    await at.open('runs/ended');
    await at.page.getByRole('region', { name: 'Timeline' }).waitFor();
    let steps = 0;
    at.page.on('request', (request) => void (request.url().includes('/runs/ended/steps') && steps++));
    for (let n = 0; n < 4; n++) await at.page.waitForResponse((one) => one.url().endsWith('/runs/ended'));
    expect(steps).toBeLessThanOrEqual(1);
  });

  it('finds the search from every view, goes through lists by keys, and is paused by its address', async () => {
    await at.open('overview');
    await at.page.keyboard.press('/');
    await at.page.locator('[name=jump]:focus').waitFor();
    await at.open('runs?workflow=nightly');
    await at.page.getByRole('link', { name: 'ended' }).waitFor();
    await at.page.keyboard.press('j');
    await at.page.keyboard.press('j');
    await at.page.keyboard.press('k');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('region', { name: 'Timeline' }).waitFor();
    await at.page.keyboard.press('e');
    await at.page.locator('.why:focus').waitFor();
    await at.page.keyboard.press('g');
    await at.page.keyboard.press('x');
    await at.page.getByRole('heading', { name: 'Outbox' }).waitFor();
    await at.page.keyboard.press('p');
    await at.page.waitForURL(/paused=true/);
    await at.page.reload();
    await button('Go on').click();
    await at.page.waitForURL((url) => !url.searchParams.has('paused'));
  });

  it('has thrown nothing but what broke a view', () => {
    expect(at.wrong.filter((line) => !line.includes('unanswered'))).toEqual([]);
  });
});
