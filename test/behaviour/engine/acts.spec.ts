import { type ListActsOptions, OperatorActs } from '../../../lib/acts/acts.js';
import { stepIdOf } from '../../../lib/core/protocol.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { type BootOptions, describeHouses, describeSqlHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const ada = { actor: 'ada@example.com', reason: 'a customer called' };

const code = (refused: Promise<unknown>) => refused.catch((error: { code: string }) => error.code);

const actsOf = async ({ storage }: Process, options: ListActsOptions = {}) =>
  (await new OperatorActs(storage.acts, '').list(options)).acts;

describeHouses('the record of what operators do', (house) => {
  const sleepers: BootOptions = { workflows: { sleeps: (ctx) => ctx.sleep('nap', '1h') } };
  const parked = async (process: Process) => {
    const { id } = await process.client.start('sleeps');
    await until('it sleeps', async () => (await process.client.getStatus(id)).status === 'suspended');
    return id;
  };

  it('tells who ended a run, why, and what it was before', async () => {
    const process = await house().boot(sleepers);
    const [cancelled, terminated] = [await parked(process), await parked(process)];
    expect(await process.client.cancel(cancelled, ada)).toBe(true);
    expect(await process.client.cancel(cancelled, ada)).toBe(false);
    expect(await process.client.terminate(terminated, { actor: 'bob' })).toBe(true);
    const acts = await actsOf(process);
    expect(acts.map(({ actor, action, target, outcome }) => [actor, action, target, outcome])).toEqual([
      ['bob', 'terminate', terminated, 'ended'],
      [ada.actor, 'cancel', cancelled, 'over'],
      [ada.actor, 'cancel', cancelled, 'ended'],
    ]);
    const first = acts[2]!;
    const details = { workflow: 'sleeps', before: { status: 'suspended' } };
    expect(first).toMatchObject({ kind: 'run', reason: ada.reason, namespace: '', details });
  });

  it('has nothing of what was refused, of unknown runs, and of the calls of an app', async () => {
    const process = await house().boot(sleepers);
    const id = await parked(process);
    expect(await code(process.client.retry(id, ada))).toBe('WORKFLOW_NOT_RETRYABLE');
    expect(await code(process.client.cancel('unknown', ada))).toBe('WORKFLOW_NOT_FOUND');
    expect(await code(process.client.delete(id, ada))).toBe('WORKFLOW_NOT_ENDED');
    expect(await code(process.client.cancel(id, { reason: 'nobody says' }))).toBe('INVALID_ARGUMENT');
    await process.client.cancel(id);
    expect(await actsOf(process)).toEqual([]);
  });

  it('has the begin and the end of a purge, with how many it has deleted', async () => {
    const process = await house().boot(sleepers);
    await process.client.cancel(await parked(process));
    const asked = { olderThan: 0, status: 'cancelled' } as const;
    expect(await code(process.client.purge({ ...asked, actor: '' }))).toBe('INVALID_ARGUMENT');
    expect(await process.client.purge({ ...asked, ...ada })).toBe(1);
    expect(await process.client.purgeSignals({ olderThan: '1h', ...ada })).toBe(0);
    expect(await process.client.purge(asked)).toBe(0);
    const acts = (await actsOf(process, { kind: 'bulk' })).reverse();
    const details = { olderThanMs: 0, status: ['cancelled'] };
    expect(acts).toMatchObject([
      { ...ada, action: 'purge runs', namespace: '', outcome: 'begun', details },
      { ...ada, action: 'purge runs', outcome: 'ended', details: { ...details, count: 1 } },
      { action: 'purge signals', outcome: 'begun', details: { olderThanMs: 3_600_000 } },
      { action: 'purge signals', outcome: 'ended', details: { count: 0 } },
    ]);
    expect(acts[0]!.target).toBe(acts[1]!.target);
  });

  it('outlives the run that an operator deleted', async () => {
    const process = await house().boot(sleepers);
    const id = await parked(process);
    await process.client.cancel(id);
    expect(await process.client.delete(id, ada)).toBe(true);
    expect(await process.client.delete(id, ada)).toBe(false);
    const [again, deleted] = await actsOf(process, { kind: 'run', target: id });
    expect(again).toMatchObject({ action: 'delete', outcome: 'missing' });
    expect(deleted).toMatchObject({ outcome: 'deleted', details: { before: { status: 'cancelled' }, ids: [id] } });
  });

  it('tells who answered a step, and who sent a signal', async () => {
    const process = await house().boot({ workflows: { order: (ctx) => ctx.remote('approval', null) } });
    const { client } = process;
    const { id } = await client.start('order');
    await until('it asks', async () => (await process.storage.catalog.step(id, 0)) !== undefined);
    await client.signal('hint', 1, { workflowId: id, ...ada });
    await client.signal('hint', 1, { key: 'k', id: 'once', ...ada });
    await client.signal('hint', 1, { key: 'k', id: 'once', ...ada });
    expect(await code(client.signal('hint', 1, { workflowId: 'unknown', ...ada }))).toBe('WORKFLOW_NOT_FOUND');
    await client.completeStep(stepIdOf(id, 0), 'yes', ada);
    expect(await code(client.failStep(stepIdOf(id, 0), new Error('no'), ada))).toBe('STEP_ALREADY_SETTLED');
    expect(await client.result(id)).toBe('yes');
    const acts = await actsOf(process);
    expect(acts.map(({ kind, target, action, outcome }) => [kind, target, action, outcome])).toEqual([
      ['run', id, 'complete step', 'completed'],
      ['signal', 'k', 'signal', 'repeated'],
      ['signal', 'k', 'signal', 'sent'],
      ['run', id, 'signal', 'sent'],
    ]);
    expect(acts[0]?.details).toEqual({ seq: 0 });
  });

  it('tells who changed a schedule, and how it was', async () => {
    const process = await house().boot(sleepers);
    const { schedules } = process;
    await schedules.create('sleeps', { id: 'nightly', cron: '0 3 * * *' });
    await schedules.pause('nightly', ada);
    await schedules.resume('nightly', ada);
    const run = await schedules.trigger('nightly', ada);
    await schedules.delete('nightly', ada);
    expect(await code(schedules.pause('nightly', ada))).toBe('SCHEDULE_NOT_FOUND');
    const acts = await actsOf(process, { kind: 'schedule', target: 'nightly' });
    const pausedBefore = (details: Record<string, unknown>) => (details['before'] as { paused: boolean }).paused;
    expect(acts.map(({ action, details }) => [action, pausedBefore(details)])).toEqual([
      ['delete', false],
      ['trigger', false],
      ['resume', true],
      ['pause', false],
    ]);
    expect(acts[1]!.details).toMatchObject({ run });
  });
});

describeSqlHouses('the record of what operators do, in a transaction of the app', (house) => {
  it('commits and rolls back with it', async () => {
    const process = await house().boot({ workflows: { sleeps: (ctx) => ctx.sleep('nap', '1h') } });
    const { client } = process;
    const { id } = await client.start('sleeps');
    const { orm } = house().backend!;
    const undone = inAppTransaction(orm, process.storage.handle, async ({ handle: transaction }) => {
      await client.cancel(id, { ...ada, transaction });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await actsOf(process)).toEqual([]);
    await inAppTransaction(orm, process.storage.handle, ({ handle: transaction }) =>
      client.cancel(id, { ...ada, transaction }),
    );
    expect((await actsOf(process)).map(({ outcome }) => outcome)).toEqual(['ended']);
  });
});
