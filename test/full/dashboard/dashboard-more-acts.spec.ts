import { OperatorActs, WorkflowClient } from '../../../lib/index.js';
import { Approval, Long } from '../../support/dashboard-app.js';
import { openDashboard, type OpenDashboard } from '../../support/dashboard-browser.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { type PageAct, pressAct } from '../../support/page-act.js';
import { until } from '../../support/until.js';

describeWithProgram('chromium', 'acts on processes, signals and many runs in the page', (chromium) => {
  let at: OpenDashboard;
  let client: WorkflowClient;
  beforeAll(async () => {
    at = await openDashboard(chromium, { filled: true });
    client = at.app.get(WorkflowClient);
  });
  afterAll(() => at?.close());

  const act = (one: PageAct, reason: string) => pressAct(at.page, one, reason);
  const actsFor = async (reason: string) => {
    const { acts } = await at.app.get(OperatorActs).list({ actor: 'ada', limit: 100 });
    return acts
      .filter((one) => one.reason === reason)
      .map(({ action, kind, outcome }) => `${action} ${kind} ${outcome}`);
  };

  it('a process drains, and is resumed', async () => {
    await at.open('processes');
    await act({ press: /^Drain /, says: /^Drain .*: done\./ }, 'its memory grows');
    const row = at.page.getByRole('table', { name: 'Processes' }).getByRole('row').nth(1);
    await row.getByText('draining').waitFor();
    await row.getByText('ada: its memory grows').waitFor();
    await at.open('overview');
    await at.page.getByRole('link', { name: /^ada drains process/ }).click();
    await act({ press: /^Resume /, says: /^Resume .*: done\./ }, 'it was restarted');
    await at.page.getByRole('button', { name: /^Drain / }).waitFor();
    await row.getByText('draining').waitFor({ state: 'detached' });
    expect(await actsFor('its memory grows')).toEqual([expect.stringMatching(/^drain /)]);
    expect(await actsFor('it was restarted')).toEqual([expect.stringMatching(/^resume /)]);
    await client.startAndWait('nightly', undefined, { id: 'after-the-drain', timeout: '120s' });
  });

  it('a signal is sent from the page of its run, which offers its name', async () => {
    await client.start(Approval, undefined, { id: 'by-its-page' });
    await until('it waits', async () => (await client.explain('by-its-page')).waitingFor[0]?.kind === 'signal');
    await at.open('runs/by-its-page');
    const look = async () =>
      expect(await at.page.locator('datalist#listened option').first().getAttribute('value')).toBe('approved');
    const fill = { Name: 'approved', 'Payload, as JSON': '{"by":"ada"}' };
    await act({ press: 'Signal', fill, look, says: 'The signal was sent' }, 'approved by phone');
    await at.page.getByText('completed', { exact: true }).first().waitFor();
    expect((await client.getStatus('by-its-page')).output).toEqual({ by: 'ada' });
  });

  it('a signal is sent to a key, and deleted as nobody took it', async () => {
    await at.open('signals');
    const fill = { Signal: 'paid', 'Its id, or the key': 'order-7', 'Payload, as JSON': '1' };
    for (const reason of ['sent', 'sent twice'])
      await act({ press: 'Send a signal', fill, choose: { To: 'key' }, says: 'Send a signal: done.' }, reason);
    const table = at.page.getByRole('table', { name: 'Signals that nobody took' });
    const row = table.getByRole('row').filter({ hasText: 'key order-7' });
    await row.getByRole('cell', { name: '2', exact: true }).waitFor();
    await act({ press: 'Delete paid', choose: { Which: 'first' }, says: 'Delete paid: done.' }, 'one by mistake');
    await row.getByRole('cell', { name: '1', exact: true }).waitFor();
    await act({ press: 'Delete paid', says: 'Delete paid: done.' }, 'both by mistake');
    await row.waitFor({ state: 'detached' });
    await table.getByRole('cell', { name: 'unheard', exact: true }).waitFor();
    for (const reason of ['one by mistake', 'both by mistake'])
      expect(await actsFor(reason)).toEqual(['delete signals signal deleted']);
  });

  it('all runs that match are terminated, after a dry run', async () => {
    const ids = ['t-1', 't-2', 't-3'];
    for (const id of ids) await client.start(Approval, undefined, { id, attributes: { ends: true } });
    await at.open('runs?attribute=ends%3Dtrue');
    await at.page.getByRole('button', { name: 'terminate all …' }).click();
    const dialog = at.page.locator('dialog[open]');
    await dialog.getByLabel('Why, for the act log').fill('the customer left');
    expect(await dialog.locator('button.go').isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('Would terminate 3 runs.').waitFor();
    expect((await client.getStatus('t-1')).finishedAt).toBeNull();
    await dialog.getByRole('button', { name: 'terminate', exact: true }).click();
    await dialog.getByText('terminate: 3 runs.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await at.page.getByRole('row').filter({ hasText: 'cancelled' }).nth(2).waitFor();
    for (const id of ids) expect((await client.getStatus(id)).status).toBe('cancelled');
    expect(await actsFor('the customer left')).toEqual([
      'terminate all bulk ended',
      ...ids.map(() => 'terminate run ended'),
      'terminate all bulk begun',
    ]);
  });

  it('dragging over the strip shows a part of the time, and All the whole again', async () => {
    await client.startAndWait(Long, 20, { id: 'zoomed', timeout: '120s' });
    await at.open('runs/zoomed');
    const track = at.page.locator('.strip .track');
    const shown = at.page.locator('.strip .window');
    const width = async () =>
      Number.parseFloat(/width: ([\d.]+)%/.exec((await shown.getAttribute('style')) ?? '')![1]!);
    await track.scrollIntoViewIfNeeded();
    const box = (await track.boundingBox())!;
    const y = box.y + box.height / 2;
    await at.page.mouse.move(box.x + box.width * 0.25, y);
    await at.page.mouse.down();
    await at.page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
    await at.page.locator('.strip .drag').waitFor();
    await at.page.mouse.up();
    await until('a quarter is shown', async () => Math.abs((await width()) - 25) < 3);
    await at.page.getByRole('button', { name: 'All', exact: true }).click();
    await until('all is shown', async () => (await width()) === 100);
  });

  it('have broken no policy and thrown nothing', () => {
    expect(at.wrong).toEqual([]);
  });
});
