import { readFile } from 'node:fs/promises';
import { OperatorActs, WorkflowClient, WorkflowSchedules } from '../../../lib/index.js';
import type { Overview } from '../../../lib/operate/overview.js';
import { openDashboard, type OpenDashboard } from '../../support/dashboard-browser.js';
import { Nightly, Unserved } from '../../support/dashboard-fill.js';
import { describeWithProgram } from '../../support/installed-programs.js';

describeWithProgram('chromium', 'filters of the page', (chromium) => {
  let at: OpenDashboard;
  beforeAll(async () => {
    at = await openDashboard(chromium, { filled: true });
  });
  afterAll(() => at?.close());

  /** The names in the first cells of a table. */
  const firstCells = async (table: string): Promise<string[]> => {
    const rows = at.page.getByRole('table', { name: table }).getByRole('row');
    await rows.nth(1).waitFor();
    const cells = (await rows.all()).slice(1).map((row) => row.getByRole('cell').first().textContent());
    return (await Promise.all(cells)).map(String);
  };

  describe('that the overview leads to', () => {
    const since = new Date(0).toISOString();
    const json = {
      ...{ blocked: [], compensationFailed: 0, failed: 0, due: [], holds: [], lost: [], draining: [], unanswered: [] },
      unserved: [{ group: 'reports', step: 'reports.write', waiting: 3, since: new Date(0) }],
      lateSchedules: [{ id: 'zz-last', workflow: 'nightly', since: new Date(0) }],
      outbox: [{ name: 'search', blocked: 2, blockedSince: new Date(0), dead: 1 }],
      effects: { abandoned: 1, unclaimed: [] },
    } satisfies Overview;
    beforeAll(async () => {
      const schedules = at.app.get(WorkflowSchedules);
      // So many that the last one is on another page.
      for (let n = 0; n < 100; n++) await schedules.create(Nightly, { id: `many-${n}`, every: '1h', paused: true });
      await schedules.create(Nightly, { id: 'zz-last', every: '1h', paused: true });
      await at.page.route('**/api/overview', (route) => route.fulfill({ json: { ...json, since } }));
    });
    beforeEach(() => at.open('overview'));

    it('show one group', async () => {
      await at.page.getByRole('link', { name: /in group reports/ }).click();
      expect(await at.page.getByRole('combobox', { name: 'Group' }).inputValue()).toBe('reports');
      expect(await firstCells('Groups')).toEqual(['reports']);
      await at.page.getByRole('combobox', { name: 'Group' }).fill('nothing');
      await at.page.getByRole('combobox', { name: 'Group' }).press('Enter');
      await at.page.getByText('No task waits, and no process serves this group.').waitFor();
    });

    it('show the schedules of a workflow, and the late one', async () => {
      await at.page.getByRole('link', { name: /^Schedule zz-last/ }).click();
      await at.page.getByRole('region', { name: 'Schedule zz-last' }).waitFor();
      expect(await at.page.getByLabel('Workflow').inputValue()).toBe('nightly');
      expect(await firstCells('Schedules')).not.toContain('zz-last');
      await at.page.getByRole('link', { name: 'More schedules' }).click();
      await at.page.getByRole('link', { name: 'zz-last', exact: true }).waitFor();
      await at.page.getByRole('region', { name: 'Schedule zz-last' }).waitFor();
    });

    it('show one destination', async () => {
      await at.page.getByRole('link', { name: /^search: / }).click();
      await at.page.waitForURL(/outbox\?destination=search/);
      expect(await firstCells('Destinations')).toEqual(['search']);
      await at.open('outbox?destination=nothing');
      await at.page.getByText('No publisher or consumer of this name has started.').waitFor();
      await at.page.getByRole('link', { name: 'All destinations' }).click();
      expect(await firstCells('Destinations')).toContain('search');
    });
  });

  it('show abandoned calls alone', async () => {
    await at.open('overview');
    await at.page.getByRole('link', { name: '1 abandoned call' }).click();
    expect(await firstCells('Abandoned calls')).toHaveLength(1);
    expect(await at.page.getByRole('heading', { name: 'Scheduled' }).count()).toBe(0);
    await at.page.getByRole('link', { name: 'All of effects' }).click();
    await at.page.getByRole('heading', { name: 'Scheduled' }).waitFor();
  });

  it.each([
    ['runs', 'Workflow', ['nightly', 'order']],
    ['schedules', 'Workflow', ['nightly', 'order']],
    ['queues', 'Group', ['payments']],
  ])('offer names that processes serve [%s]', async (view, label, names) => {
    await at.open(view);
    const list = await at.page.getByRole('combobox', { name: label }).getAttribute('list');
    const options = at.page.locator(`datalist#${list} option`);
    await options.first().waitFor({ state: 'attached' });
    const offered = await options.evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(offered).toEqual(expect.arrayContaining(names));
  });

  it('find steps over runs, and lead to each', async () => {
    await at.app.get(WorkflowClient).start(Unserved, undefined, { id: 'unserved-1' });
    await at.open('steps?step=reports.write');
    await at.page.getByRole('link', { name: 'reports.write' }).waitFor();
    expect(await firstCells('Steps')).toEqual(['unserved-1']);
    await at.page.getByLabel(/^Status/).selectOption('failed');
    await at.page.getByText('No step matches.').waitFor();
    await at.page.getByLabel(/^Status/).selectOption('pending');
    await at.page.getByLabel('Of workflow').fill('nobody');
    await at.page.getByLabel('Of workflow').press('Enter');
    await at.page.getByText('No step matches.').waitFor();
    await at.page.getByLabel('Of workflow').fill('unserved');
    await at.page.getByLabel('Of workflow').press('Enter');
    await at.page.getByRole('link', { name: 'reports.write' }).click();
    await at.page.waitForURL(/runs\/unserved-1\?step=0/);
  });

  it('find tasks, and say which filter is wrong', async () => {
    await at.open('queues?group=reports');
    expect(await firstCells('Tasks of remote steps')).toEqual(['unserved-1']);
    const tasks = at.page.getByRole('region', { name: 'Tasks', exact: true });
    await tasks.getByLabel('Status').selectOption('lapsed');
    await tasks.getByText('No task matches.').waitFor();
    await tasks.getByLabel('Status').selectOption('waiting');
    await tasks.getByLabel('Older than').fill('long');
    await tasks.getByLabel('Older than').press('Enter');
    await tasks
      .getByRole('alert')
      .getByText(/olderThan is "long": pass milliseconds/)
      .waitFor();
  });

  it('find signals that nobody took, and runs that wait for one', async () => {
    const client = at.app.get(WorkflowClient);
    await client.start('approval', undefined, { id: 'waits-too' });
    await client.signal('unheard', 'hello', { key: 'a-key' });
    await at.open('signals');
    expect((await firstCells('Signals that nobody took')).sort()).toEqual(['unheard', 'unheard']);
    expect(await firstCells('Runs that wait for signals')).toEqual(expect.arrayContaining(['listens', 'waits-too']));
    await at.page.getByLabel('Run', { exact: true }).fill('waits-too');
    await at.page.getByLabel('Run', { exact: true }).press('Enter');
    await at.page.getByText('Every signal was taken.').waitFor();
    expect(await firstCells('Runs that wait for signals')).toEqual(['waits-too']);
    const cells = await at.page
      .getByRole('table', { name: 'Runs that wait for signals' })
      .getByRole('cell')
      .allTextContents();
    expect(cells.slice(1, 5)).toEqual(['approval', 'approval', 'approved', '–']);
    await at.open('signals?key=a-key');
    expect(await firstCells('Signals that nobody took')).toEqual(['unheard']);
    await at.page.getByText('Runs that wait are found by a run, or by a signal and its key together.').waitFor();
    await at.page.getByLabel('Signal', { exact: true }).fill('unheard');
    await at.page.getByLabel('Signal', { exact: true }).press('Enter');
    await at.page.getByText('No run waits for a signal.').waitFor();
    await at.page.getByRole('link', { name: 'listens' }).waitFor({ state: 'detached' });
  });

  describe('that choose what is saved', () => {
    const savedIds = async () => {
      const download = at.page.waitForEvent('download');
      await at.page.getByRole('button', { name: 'Save all as JSON' }).click();
      const text = await readFile(await (await download).path(), 'utf8');
      return (JSON.parse(text) as { run: { id: string } }[]).map(({ run }) => run.id);
    };

    it('save all runs that match, and record each look', async () => {
      const client = at.app.get(WorkflowClient);
      for (const id of ['save-1', 'save-2'])
        await client.start('approval', undefined, { id, attributes: { saved: true } });
      await at.open('runs?attribute=saved%3Dtrue');
      expect(await savedIds()).toEqual(['save-2', 'save-1']);
      await at.page.getByText('Saved 2.', { exact: true }).waitFor();
      const { acts } = await at.app.get(OperatorActs).list({ target: 'save-1' });
      expect(acts.map(({ actor, action }) => `${actor} ${action}`)).toEqual(['ada look']);
      await at.open('runs');
      expect(await at.page.getByRole('button', { name: 'Save all as JSON' }).count()).toBe(0);
    });

    it('save a thousand, and say that there are more', async () => {
      await at.open('runs?idPrefix=x');
      let asked = 0;
      await at.page.route('**/api/runs?*', (route) => {
        const runs = Array.from({ length: 200 }, () => ({ id: `x-${asked++}` }));
        return route.fulfill({ json: { runs, cursor: 'more', lookedAt: 200 } });
      });
      await at.page.route('**/api/runs/x-*/export*', (route) => {
        const [, id = ''] = /runs\/(x-\d+)/.exec(route.request().url()) ?? [];
        if (id.endsWith('-7')) return route.fulfill({ status: 404, json: { error: { message: 'gone' } } });
        return route.fulfill({ json: { name: 'x.json', text: JSON.stringify({ run: { id } }) } });
      });
      await at.page.getByRole('button', { name: 'Pause' }).click();
      asked = 0;
      expect(await savedIds()).toHaveLength(999);
      await at.page
        .getByText('Saved 999. The newest 1000 that match: there are more. 1 were deleted meanwhile.')
        .waitFor();
      await at.page.unrouteAll();
    });
  });

  it('have broken no policy and thrown nothing', () => {
    expect(at.wrong).toEqual([]);
  });
});
