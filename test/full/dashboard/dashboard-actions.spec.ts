import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { PAGE } from '../../../lib/dashboard/page.generated.js';
import { PageFiles } from '../../../lib/dashboard/page.js';
import { OperatorActs, Outbox, OutboxOperations, WorkflowClient } from '../../../lib/index.js';
import { Approval, Order, Payments } from '../../support/dashboard-app.js';
import { findingsOf, hasLooked, openDashboard, type OpenDashboard } from '../../support/dashboard-browser.js';
import { Nightly, Patient } from '../../support/dashboard-fill.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { type PageAct, pressAct } from '../../support/page-act.js';
import { until } from '../../support/until.js';
import { ROOT } from '../../support/root.mjs';

/** With `DURABLE_TEST_SHOTS`, what axe examines can be looked at here. */
const SHOTS = join(ROOT, '.cache/dashboard-walk/filled-');

interface Action extends PageAct {
  name: string;
  /** What is there before; returns the view. */
  view: (id: string) => Promise<string>;
  /** What the act log says. */
  act: { action: string; kind?: string; target?: string };
}

describeWithProgram('chromium', 'every action of the page', (chromium) => {
  let at: OpenDashboard;
  let client: WorkflowClient;

  beforeAll(async () => {
    at = await openDashboard(chromium, { filled: true });
    client = at.app.get(WorkflowClient);
  });
  afterAll(async () => {
    Payments.broken = false;
    await at?.close();
  });

  const path = (id: string) => `runs/${id}`;
  const open = async (id: string) => (await client.start(Approval, undefined, { id }), path(id));
  const ended = async (id: string) => (
    await client.startAndWait(Nightly, undefined, { id, timeout: '120s' }),
    path(id)
  );
  /** A run whose step nobody works on. */
  const waiting = async (id: string) => {
    await client.start('unserved', undefined, { id });
    await until('it waits', async () => (await client.getStatus(id)).status === 'suspended');
    return `${path(id)}?step=0`;
  };
  /** A run whose step failed, and has its next attempt in an hour. */
  const deferred = async (id: string) => {
    await client.start(Order, { amount: -1 }, { id });
    const waits = async () => (await client.explain(id)).waitingFor[0]?.kind;
    await until('it waits for the next attempt', async () => (await waits()) === 'retry');
    return `${path(id)}?step=0`;
  };
  const patient = async (id: string) => {
    await client.start(Patient, undefined, { id });
    const waits = async () => (await client.explain(id)).waitingFor[0]?.kind;
    await until('it waits for the next attempt', async () => (await waits()) === 'retry');
    Patient.mended = true;
    return `${path(id)}?step=0`;
  };
  const blocked = async (id: string) => {
    Payments.broken = true;
    await client.start(Order, { amount: 1 }, { id });
    await until('it is blocked', async () => (await client.getStatus(id)).reason !== null);
    Payments.broken = false;
    return path(id);
  };
  /** A run that waits for a signal. */
  const listening = async (id: string) => {
    await open(id);
    await until('it waits', async () => (await client.explain(id)).waitingFor[0]?.kind === 'signal');
    return `${path(id)}?step=0`;
  };
  const view = (name: string) => () => Promise.resolve(name);

  const ACTIONS: Action[] = [
    { name: 'Cancel', view: open, press: 'Cancel', act: { action: 'cancel' }, says: 'Cancel: done.' },
    { name: 'Terminate', view: open, press: 'Terminate', act: { action: 'terminate' }, says: 'Terminate: done.' },
    {
      name: 'Signal',
      view: open,
      press: 'Signal',
      fill: { Name: 'approved', 'Payload, as JSON': '"yes"' },
      act: { action: 'signal' },
      says: 'The signal was sent',
    },
    { name: 'Retry', view: blocked, press: 'Retry', act: { action: 'retry' }, says: 'Retry: done.' },
    { name: 'Restart', view: ended, press: 'Restart', act: { action: 'restart' }, says: 'Restart: done.' },
    {
      name: 'Fork',
      view: ended,
      press: 'Fork',
      fill: { 'From the position': '0' },
      act: { action: 'fork' },
      says: 'Forked: ',
    },
    { name: 'Delete', view: ended, press: 'Delete', act: { action: 'delete' }, says: 'Delete: done.' },
    { name: 'Run now', view: deferred, press: 'Run now', act: { action: 'run now' }, says: 'Run now: done.' },
    {
      name: 'Run a local step now',
      view: patient,
      press: 'Run now',
      act: { action: 'run now' },
      says: 'Run now: done.',
    },
    {
      name: 'Complete',
      view: waiting,
      press: 'Complete',
      fill: { 'Output, as JSON': '7' },
      act: { action: 'complete step' },
      says: 'Complete: done.',
    },
    {
      name: 'Fail',
      view: waiting,
      press: 'Fail',
      fill: { Message: 'it is gone' },
      act: { action: 'fail step' },
      says: 'Fail: done.',
    },
    {
      name: 'Resolve',
      view: async (id) => `${await blocked(id)}?step=0`,
      press: 'Resolve',
      fill: { 'Output, as JSON': '"paid by phone"' },
      act: { action: 'resolve step' },
      says: 'Resolve: done.',
    },
    { name: 'Skip a wait', view: listening, press: 'Skip', act: { action: 'resolve step' }, says: 'Skip: done.' },
    {
      name: 'Hold',
      view: view('queues'),
      press: 'Hold payments',
      act: { action: 'hold' },
      says: 'Hold payments: done.',
    },
    {
      name: 'Lift',
      view: view('queues'),
      press: 'Lift payments',
      act: { action: 'lift' },
      says: 'Lift payments: done.',
    },
    {
      name: 'Hold a name that nobody serves',
      view: view('queues'),
      press: 'Hold by name',
      fill: { 'Its name': 'aproval', Until: '2099-01-02T03:04' },
      act: { action: 'hold', kind: 'hold', target: 'workflow:aproval' },
      says: 'Held. No process serves workflow aproval, and nothing of it waits: is that its name?',
    },
    {
      name: 'Lift a workflow',
      view: view('queues'),
      press: 'Lift workflow aproval',
      act: { action: 'lift', kind: 'hold', target: 'workflow:aproval' },
      says: 'Lift workflow aproval: done.',
    },
    ...['effect crm.later', 'schedule nightly'].flatMap((thing): Action[] => {
      const [kind = '', name = ''] = thing.split(' ');
      const target = `${kind}:${name}`;
      return [
        {
          name: `Hold ${thing}`,
          view: view('queues'),
          press: 'Hold by name',
          choose: { What: kind },
          fill: { 'Its name': name },
          act: { action: 'hold', kind: 'hold', target },
          says: `Held: ${thing}.`,
        },
        {
          name: `Lift ${thing}`,
          view: view('queues'),
          press: `Lift ${thing}`,
          act: { action: 'lift', kind: 'hold', target },
          says: `Lift ${thing}: done.`,
        },
      ];
    }),
    { name: 'Fire', view: view('schedules'), press: 'Fire now', act: { action: 'trigger' }, says: 'Fired: ' },
    { name: 'Pause', view: view('schedules'), press: 'Pause', act: { action: 'pause' }, says: 'Pause: done.' },
    { name: 'Resume', view: view('schedules'), press: 'Resume', act: { action: 'resume' }, says: 'Resume: done.' },
    {
      name: 'Retry a channel',
      view: view('outbox'),
      press: 'Retry posts:1',
      act: { action: 'retry' },
      says: 'Retry posts:1: done.',
    },
    {
      name: 'Retry all',
      view: view('outbox'),
      press: 'Retry all of search',
      act: { action: 'retry all' },
      says: /Retried \d+ channels of search/,
    },
    {
      name: 'Skip',
      view: async () => {
        const standing = () => at.app.get(OutboxOperations).standing();
        await until('they stand still again', async () => (await standing()).length === 2);
        return 'outbox';
      },
      press: 'Skip in posts:1',
      act: { action: 'skip' },
      says: 'Skip in posts:1: done.',
    },
    {
      name: 'Requeue a dead letter',
      view: view('outbox'),
      press: /^Requeue \d+/,
      act: { action: 'requeue' },
      says: /Requeue \d+: done/,
    },
    {
      name: 'Requeue a call',
      view: view('effects'),
      press: 'Requeue crm.forget',
      act: { action: 'requeue' },
      says: 'Requeue crm.forget: done.',
    },
  ];

  const acts = async (reason: string) => {
    const { acts: all } = await at.app.get(OperatorActs).list({ actor: 'ada', limit: 100 });
    return all.filter((act) => act.reason === reason);
  };

  const does = async (action: Action) => {
    const { page } = at;
    const id = `act-${action.name}`.replaceAll(' ', '-');
    await at.open(await action.view(id));
    await pressAct(page, action, action.name);
    expect(await acts(action.name)).toMatchObject([{ actor: 'ada', reason: action.name, ...action.act }]);
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  };

  it.each(ACTIONS)('$name: asks why, does it, says so and is in the act log', does);

  it('Resolve and Skip give the code its outcome', async () => {
    await until('both have ended', async () => {
      const statuses = await Promise.all(['act-Resolve', 'act-Skip-a-wait'].map((id) => client.getStatus(id)));
      return statuses.every(({ status }) => status === 'completed');
    });
    expect((await client.getStatus('act-Resolve')).output).toBe('paid by phone');
    expect((await client.getStatus('act-Skip-a-wait')).output ?? null).toBeNull();
  });

  it('Run now lets a local step have its next attempt', async () => {
    expect(await client.result('act-Run-a-local-step-now', { timeout: '120s' })).toBe('dialled');
  });

  it('sends a signal to all runs that match, after a dry run', async () => {
    const ids = ['many-1', 'many-2', 'many-3'];
    for (const id of ids) await client.start(Approval, undefined, { id, attributes: { many: true } });
    await at.open('runs?attribute=many%3Dtrue');
    await at.page.getByRole('button', { name: 'signal all …' }).click();
    const dialog = at.page.locator('dialog[open]');
    await dialog.getByLabel('Name').fill('approved');
    await dialog.getByLabel('Payload, as JSON').fill('yes');
    await dialog.getByLabel('Why, for the act log').fill('many');
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByRole('alert').getByText('payload is not JSON').waitFor();
    await dialog.getByLabel('Payload, as JSON').fill('"yes"');
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('Would signal 3 runs.').waitFor();
    expect((await client.getStatus('many-1')).finishedAt).toBeNull();
    await dialog.getByRole('button', { name: 'signal', exact: true }).click();
    await dialog.getByText('signal: 3 runs.').waitFor();
    for (const id of ids)
      await until('it has the signal', async () => (await client.getStatus(id)).status === 'completed');
    expect((await client.getStatus('many-3')).output).toBe('yes');
  });

  it('leads from the overview to the holds', async () => {
    await at.open('overview');
    await at.page.getByRole('link', { name: /^group reports is held by/ }).click();
    await at.page.locator('h2:focus').getByText('Holds').waitFor();
    const row = at.page.getByRole('table', { name: 'What is held' }).getByRole('row', { name: 'reports' });
    expect((await row.getByRole('cell').allTextContents()).slice(0, 2)).toEqual(['group', 'reports']);
  });

  it('Show, and both ways to save, record who looked', async () => {
    await at.open(await ended('looked-at'));
    await at.page.getByRole('button', { name: 'Show' }).click();
    await at.page.getByRole('button', { name: 'Look again' }).waitFor();
    const texts: string[] = [];
    for (const name of ['Save as JSON', 'Save as a test']) {
      const download = at.page.waitForEvent('download');
      await at.page.getByRole('button', { name }).click();
      texts.push(await readFile(await (await download).path(), 'utf8'));
    }
    expect(JSON.parse(texts[0]!)).toBeTruthy();
    expect(texts[1]).toContain('createTestingDurable');
    const { acts: looks } = await at.app.get(OperatorActs).list({ target: 'looked-at' });
    expect(looks.map(({ actor, action }) => `${actor} ${action}`)).toEqual(['ada look', 'ada look', 'ada look']);
  });

  it('Save of chosen runs makes one file, and records each look', async () => {
    for (const id of ['both-1', 'both-2']) await ended(id);
    await at.open('runs?idPrefix=both-');
    for (const id of ['both-1', 'both-2']) await at.page.getByLabel(`Choose ${id}`).check();
    const download = at.page.waitForEvent('download');
    await at.page.getByRole('button', { name: 'Save 2 as JSON' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('runs.json');
    const runs = JSON.parse(await readFile(await file.path(), 'utf8')) as unknown[];
    expect(runs).toHaveLength(2);
    for (const id of ['both-1', 'both-2']) {
      expect(JSON.stringify(runs)).toContain(id);
      const { acts } = await at.app.get(OperatorActs).list({ target: id });
      expect(acts.map(({ actor, action }) => `${actor} ${action}`)).toEqual(['ada look']);
    }
  });

  it('Copy puts the statements of the doctor on the clipboard', async () => {
    const mend = ['CREATE INDEX x ON y (z)'];
    const check = {
      id: 'indexes',
      meaning: 'Are they there?',
      page: 'doctor.md',
      outcome: 'found',
      findings: [],
      mend,
    };
    const counts = { error: 1, warning: 0, info: 0, untold: 0 };
    await at.page.route('**/api/doctor', (route) => route.fulfill({ json: { server: 'x', checks: [check], counts } }));
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await at.open('doctor');
    await at.page.getByRole('button', { name: 'Examine the database' }).click();
    await at.page.getByRole('button', { name: 'Copy' }).click();
    await at.page.getByText('Copied.').waitFor();
    expect(await at.page.evaluate(() => navigator.clipboard.readText())).toBe(mend[0]);
    await at.page.unrouteAll();
  });

  it('filters and pages of runs and acts are in the address', async () => {
    for (let n = 0; n < 60; n++)
      await client.start(Approval, undefined, { id: `page-${n}`, attributes: { paged: true } });
    await at.open('runs');
    await at.page.getByLabel('Attributes').fill('paged=true');
    await at.page.getByLabel('Attributes').press('Enter');
    await at.page.waitForURL(/attribute=paged/);
    await at.page.getByRole('link', { name: 'Next page' }).click();
    await at.page.waitForURL(/cursor=/);
    await at.page.getByRole('link', { name: 'page-0', exact: true }).waitFor();
    await at.page.getByRole('link', { name: 'First page' }).click();
    await at.page.getByRole('link', { name: 'page-59', exact: true }).waitFor();
    await at.page.getByLabel('Status').selectOption('completed');
    await at.page.getByText('No run matches.').waitFor();
    await at.open('runs?status=pending,running');
    expect(await at.page.getByLabel('Status').inputValue()).toBe('pending,running');
    await at.open('acts?action=cancel');
    await at.page.getByRole('cell', { name: 'cancel', exact: true }).first().waitFor();
    expect(await at.page.getByRole('cell', { name: 'terminate', exact: true }).count()).toBe(0);
  });

  it('graphs have times, and their highest value', async () => {
    const values = Array.from({ length: 60 }, (_, n) => (n % 7 === 3 ? null : (n * n) % 23));
    const lines = [
      { name: 'completed', values },
      { name: 'failed', values: values.map((one) => one && one / 4) },
    ];
    const from = '2026-01-02T03:04:00.000Z';
    const json = {
      from,
      ...{ ended: lines, queueAges: lines, relayLags: [], delivered: [], standing: lines },
      complete: true,
    };
    await at.page.route('**/api/graphs', (route) => route.fulfill({ json }));
    await at.page.setViewportSize({ width: 1100, height: 700 });
    await at.open('overview');
    await at.page.getByText('up to 18', { exact: true }).first().waitFor();
    expect(await at.page.locator('.axis').first().textContent()).toMatch(/^\d\d:04 .Mup to 18\d\d:04 .M$/);
    if (process.env['DURABLE_TEST_SHOTS']) await at.page.screenshot({ path: `${SHOTS}graphs.png` });
    await at.page.unrouteAll();
  });

  const LOOKS = [
    ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
    ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
    ['on a phone', { colorScheme: 'light', viewport: { width: 375, height: 700 } }],
    ['dark on a phone', { colorScheme: 'dark', viewport: { width: 375, height: 700 } }],
  ] as const;

  describe.each(LOOKS)('looked at %s', (look, options) => {
    let page: Page;
    beforeAll(async () => {
      for (const channel of ['posts:7', 'posts:8'])
        await at.app.get(Outbox).publish({ channel, name: 'poison', data: {}, mutationId: `${channel} ${look}` });
      page = await at.other(options);
    });
    afterAll(() => page.context().close());

    const check = async (what: string) => {
      const file = `${SHOTS}${look} ${what}.png`.replaceAll(' ', '-');
      if (process.env['DURABLE_TEST_SHOTS']) await page.screenshot({ path: file, fullPage: true });
      expect({ what, found: await findingsOf(page) }).toEqual({ what, found: [] });
      const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect({ what, wide }).toEqual({ what, wide: false });
    };

    it('is accessible with everything that it can show, an open dialog and open payloads', async () => {
      for (const name of [
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
      ]) {
        await page.goto(`${at.url}/${name}`);
        await hasLooked(page);
        if (name !== 'overview') await page.getByRole('row').first().waitFor({ state: 'attached' });
        await check(name);
      }
      await page.goto(`${at.url}/runs/looked-at?step=0`);
      for (const title of ['What it was given, and what came of it', 'Input and outcome']) {
        const panel = page.getByRole('region', { name: title });
        await panel.getByRole('button', { name: 'Show' }).click();
        await panel.getByRole('button', { name: 'Look again' }).waitFor();
      }
      await check('payloads');
      await page.getByRole('button', { name: 'Fork', exact: true }).click();
      await page.locator('dialog[open]').waitFor();
      await check('a dialog');
      const dialogs = [
        ['runs/listens?step=0', 'Skip'],
        ['queues', 'Hold by name'],
        ['runs?workflow=approval', 'signal all …'],
      ] as const;
      for (const [address, press] of dialogs) {
        await page.goto(`${at.url}/${address}`);
        await hasLooked(page);
        await page.getByRole('button', { name: press }).click();
        await page.locator('dialog[open]').waitFor();
        await check(`the dialog of ${press.replace(' …', '')}`);
      }
    });
  });

  it('leaves room for the view on a phone, and its buttons in sight', async () => {
    const page = await at.other({ viewport: { width: 375, height: 700 }, hasTouch: true });
    await page.goto(`${at.url}/schedules`);
    await hasLooked(page);
    expect((await page.locator('header').boundingBox())!.height).toBeLessThan(64);
    const fire = (await page.getByRole('button', { name: 'Fire now' }).first().boundingBox())!;
    expect(fire.x + fire.width).toBeLessThanOrEqual(375);
    expect(fire.height).toBeGreaterThanOrEqual(24);
    await page.locator('header summary').click();
    await page.getByRole('link', { name: 'outbox' }).click();
    await page.getByRole('heading', { name: 'Outbox' }).waitFor();
    await page.context().close();
  });

  it.each<Action>([
    {
      name: 'Forget',
      view: view('outbox'),
      press: 'Forget search',
      act: { action: 'forget' },
      says: 'Forget search: done.',
    },
  ])('$name: takes a destination away, at last', does);

  it('has broken no policy and thrown nothing', () => {
    expect(at.wrong).toEqual([]);
  });
});

describe('the files of the page', () => {
  it.each([
    ['js', 40],
    ['css', 6],
  ])('are small: .%s', (ending, most) => {
    const files = new PageFiles();
    const sizes = Object.keys(PAGE.files)
      .filter((name) => name.endsWith(`.${ending}`))
      .map((name) => gzipSync(files.file(name)!.body, { level: 9 }).length);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0) / 1024).toBeLessThanOrEqual(most);
  });
});
