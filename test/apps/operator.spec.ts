import { type INestApplicationContext } from '@nestjs/common';
import {
  DurableModule,
  type DurableModuleOptions,
  InvalidArgumentError,
  memoryBackend,
  Operator,
  OperatorActs,
  RemoteStep,
  type RunStatus,
  Worker,
  Workflow,
  WorkflowClient,
  WorkflowNotFoundError,
  type WorkflowContext,
  type WorkflowRunner,
  WorkflowSchedules,
  WorkflowSignal,
} from '../../lib/index.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

@Worker({ group: 'billing' })
class Billing {
  @RemoteStep('charge')
  async charge(): Promise<string> {
    return 'paid';
  }
}

const go = new WorkflowSignal<string>('go');
let isMended = false;

@Workflow('order')
class Order implements WorkflowRunner<string, unknown> {
  async run(ctx: WorkflowContext, how: string): Promise<unknown> {
    if (how === 'fails') throw new Error('no');
    if (how === 'blocks' && !isMended) return (undefined as unknown as { missing: { of: string } }).missing.of;
    if (how === 'waits') return ctx.waitForSignal('go', go);
    return ctx.remote<string>('charge', null, { group: 'billing' });
  }
}

/** Starts a child, that starts one, and so on. */
@Workflow('family')
class Family implements WorkflowRunner<number, unknown> {
  run(ctx: WorkflowContext, generations: number): Promise<unknown> {
    return generations === 0 ? ctx.waitForSignal('go', go) : ctx.executeChild(Family, generations - 1);
  }
}

const BY = { actor: 'ada', reason: 'a test' };
const OPTIONS: DurableModuleOptions = { worker: false, outbox: { relay: false } };

/** What an operator sees and does, on any storage. */
function operating(open: () => Promise<INestApplicationContext>): void {
  let app: INestApplicationContext;
  let operator: Operator;
  let workflows: WorkflowClient;
  beforeAll(async () => {
    app = await open();
    operator = app.get(Operator);
    workflows = app.get(WorkflowClient);
    isMended = false;
  });
  afterAll(() => app?.close());

  const actsOf = async (target: string) =>
    (await app.get(OperatorActs).list({ target })).acts.map(({ action, actor, reason }) => ({ action, actor, reason }));

  it('an overview of nothing says that nothing needs anybody', async () => {
    const nothing = { blocked: [], compensationFailed: 0, failed: 0, due: [], unserved: [], outbox: [] };
    const others = { lateSchedules: [], holds: [], lost: [], draining: [], unanswered: [] };
    expect(await operator.overview()).toEqual({ ...nothing, effects: { abandoned: 0, unclaimed: [] }, ...others });
    expect(await operator.runs.counts()).toEqual({ byStatus: {}, lookedAt: 0, complete: true });
    expect(await operator.limits()).toEqual({ limits: [] });
    expect(await operator.signals()).toEqual({ signals: [], lookedAt: 0, complete: true });
    expect(await operator.effects.counts()).toMatchObject({ pending: 0, abandoned: 0 });
    expect(await operator.outbox.destinations()).toEqual([]);
  });

  it('tells of runs that stand still or failed, and of tasks that nobody serves', async () => {
    await workflows.start(Order, 'blocks', { id: 'blocked' });
    await workflows.start(Order, 'fails', { id: 'failed' });
    await workflows.start(Order, 'charges', { id: 'asking' });
    const [overview, queues] = await until('all of them are there', async () => {
      const seen = [await operator.overview(), (await operator.queues()).queues] as const;
      return seen[0].blocked.length > 0 && seen[0].failed === 1 && seen[1].length > 0 && seen;
    });
    const kind = { workflow: 'order', version: 1 };
    expect(overview).toMatchObject({ blocked: [{ ...kind, reason: 'programming_error', runs: 1 }], unanswered: [] });
    expect(queues).toEqual([
      {
        group: 'billing',
        waiting: 1,
        since: expect.any(Date) as Date,
        ...{ inHand: 0, lapsed: 0, servedBy: [], perMinute: null },
      },
    ]);
    expect(await operator.runs.counts({ workflow: 'order' })).toMatchObject({
      byStatus: { failed: 1 },
      complete: true,
    });
    expect((await operator.runs.list({ blocked: true })).runs.map(({ id }) => id)).toEqual(['blocked']);
    expect((await operator.runs.why('asking')).text).toContain('charge');
    expect((await operator.runs.show('failed')).status).toBe('failed');
    expect((await operator.runs.story({ id: 'failed' })).entries.length).toBeGreaterThan(0);
    expect((await operator.nodes()).map(({ roles }) => roles)).toEqual([['engine']]);
  });

  it('lists tasks and steps over runs', async () => {
    await until('both are listed', async () => {
      const found = [(await operator.tasks()).tasks, (await operator.steps.list({ kind: 'remote' })).steps];
      return found.every((list) => list.length === 1);
    });
    const task = { workflowId: 'asking', workflow: 'order', seq: 0, step: 'charge', group: 'billing', attempt: 1 };
    const since = expect.any(Date) as Date;
    expect(await operator.tasks()).toEqual({
      tasks: [{ ...task, status: 'waiting', worker: null, claimedAt: null, since }],
    });
    const wanted = { group: 'billing', step: 'charge', status: 'waiting' } as const;
    expect((await operator.tasks(wanted)).tasks).toHaveLength(1);
    expect((await operator.tasks({ ...wanted, worker: 'none' })).tasks).toEqual([]);
    expect((await operator.tasks({ ...wanted, olderThan: '1h' })).tasks).toEqual([]);
    const facts = { kind: 'remote', name: 'charge', status: 'pending', failures: 0, worker: null, error: null };
    const times = { createdAt: since, askedAt: since, startedAt: null, finishedAt: null, wakeAt: null };
    const step = { workflowId: 'asking', workflow: 'order', seq: 0, ...facts, ...times };
    expect(await operator.steps.list({ step: 'charge' })).toEqual({ steps: [step], lookedAt: 3 });
    const ofRuns = async (status: RunStatus[]) => (await operator.steps.list({ runs: { status } })).steps;
    expect(await ofRuns(['running', 'suspended'])).toEqual([step]);
    expect(await ofRuns(['failed'])).toEqual([]);
    expect((await operator.steps.list({ status: ['pending'], youngerThan: '1h', limit: 1 })).steps).toEqual([step]);
    expect((await operator.steps.list({ olderThan: '1h' })).steps).toEqual([]);
    for (const olderThan of [9.3e18, 1e19, 1e300])
      expect([await operator.tasks({ olderThan }), (await operator.steps.list({ olderThan })).steps]).toEqual([
        { tasks: [] },
        [],
      ]);
  });

  it('says what is wrong with a filter of tasks and steps', async () => {
    const refused: [Promise<unknown>, string][] = [
      [operator.tasks({ status: 'asleep' as 'waiting' }), 'waiting, inHand, lapsed'],
      [operator.tasks({ olderThan: 'long' as '1h' }), 'olderThan'],
      [operator.tasks({ limit: 101 }), 'from 1 to 100'],
      [operator.tasks({ cursor: 'x' }), 'the cursor of the previous page'],
      [operator.tasks({ groups: 'billing' } as object), 'groups'],
      [operator.steps.list({ status: 'asleep' as 'pending' }), 'pending, answered, exhausted'],
      [operator.steps.list({ kind: 'job' as 'step' }), 'transaction'],
      [operator.steps.list({ kind: 7 as unknown as 'step' }), 'kind is 7'],
      [operator.tasks({ status: '' as 'waiting' }), 'waiting, inHand, lapsed'],
      [operator.steps.list({ cursor: 'x' }), 'the cursor of the previous page'],
      [operator.steps.list({ runs: { state: 'failed' } as object }), 'state'],
      [operator.steps.list({ runs: 'failed' as unknown as object }), 'The options of steps.list: runs is "failed"'],
      [operator.steps.list({ runs: null as unknown as object }), 'The options of steps.list: runs is null'],
    ];
    for (const [asked, told] of refused) await expect(asked).rejects.toThrow(told);
  });

  it('changes nothing without an actor and a reason', async () => {
    for (const by of [{}, { actor: 'ada' }, { reason: 'why' }, undefined] as unknown as (typeof BY)[]) {
      const tries = [
        operator.runs.cancel('asking', by),
        operator.runs.retry('blocked', by),
        operator.runs.restart('failed', { ...by }),
        operator.runs.bulk('cancel', { workflow: 'order' }, { ...by }),
        operator.steps.complete('asking', 0, 1, by),
        operator.schedules.pause('none', by),
        operator.outbox.retryAll({ ...by }),
        operator.effects.requeue([], by),
        operator.runs.purge({ ...by, olderThan: '30d' }),
        operator.purgeSignals({ ...by, olderThan: '30d' }),
        operator.effects.purge({ ...by, olderThan: '30d' }),
        operator.effects.purgeAuditLog({ ...by, olderThan: '30d' }),
        operator.outbox.purgeDeadLetters({ ...by, olderThan: '30d' }),
        operator.holds.hold({ group: 'billing' }, by),
      ];
      for (const one of await Promise.allSettled(tries))
        expect((one as PromiseRejectedResult).reason).toBeInstanceOf(InvalidArgumentError);
    }
    expect((await operator.acts()).acts).toEqual([]);
  });

  it('deletes what ended long ago, between two acts', async () => {
    const old = { olderThan: '30d', ...BY } as const;
    const purges = {
      'purge runs': operator.runs.purge({ ...old, status: 'completed' }),
      'purge signals': operator.purgeSignals(old),
      'purge succeeded effects': operator.effects.purge(old),
      'purge effect audit': operator.effects.purgeAuditLog(old),
      'purge dead letters': operator.outbox.purgeDeadLetters(old),
    };
    for (const [action, purge] of Object.entries(purges)) {
      expect(await purge).toBe(0);
      const { acts } = await operator.acts({ action });
      const told = acts.map(({ actor, reason, outcome, details }) => ({
        actor,
        reason,
        outcome,
        count: details['count'],
      }));
      expect(told).toEqual([
        { ...BY, outcome: 'ended', count: 0 },
        { ...BY, outcome: 'begun', count: undefined },
      ]);
    }
  });

  it('changes runs and steps, each with its act', async () => {
    await operator.steps.complete('asking', 0, 'by hand', BY);
    expect(await workflows.result('asking')).toBe('by hand');
    expect(await actsOf('asking')).toEqual([{ action: 'complete step', ...BY }]);
    await workflows.start(Order, 'waits', { id: 'waiting' });
    await operator.runs.signal('go', 'now', { workflowId: 'waiting', ...BY });
    expect(await workflows.result('waiting')).toBe('now');
    const fork = await operator.runs.fork('waiting', { from: 0, id: 'again', ...BY });
    expect(fork).toEqual({ id: 'again', created: true });
    expect(await operator.runs.terminate('again', BY)).toBe(true);
    await until('it has ended', async () => (await workflows.getStatus('again')).finishedAt !== null);
    expect(await operator.runs.delete('again', BY)).toBe(true);
    isMended = true;
    await operator.runs.retry('blocked', BY);
    await until('it goes on', async () => (await operator.overview()).blocked.length === 0);
    expect((await operator.acts({ kind: 'run' })).acts.every(({ actor, reason }) => actor === 'ada' && reason)).toBe(
      true,
    );
  });

  it('changes many runs, at most 200 at a time', async () => {
    const ids = ['m2', 'm1', 'm3'];
    for (const id of [...ids].sort()) await workflows.start(Order, 'waits', { id });
    const filter = { ids: [...ids, 'failed'] };
    expect(await operator.runs.bulk('cancel', filter, { ...BY, dryRun: true })).toMatchObject({
      done: ids,
      refused: [{ id: 'failed' }],
    });
    const first = await operator.runs.bulk('cancel', filter, { ...BY, limit: 2 });
    expect(first).toMatchObject({ done: ['m2', 'm1'], refused: [], total: { done: 2, refused: 0 } });
    const second = await operator.runs.bulk('cancel', filter, { ...BY, limit: 2, cursor: String(first.cursor) });
    expect(second).toEqual({
      done: ['m3'],
      refused: [{ id: 'failed', why: 'It has ended' }],
      total: { done: 3, refused: 1 },
    });
    for (const id of ['s1', 's2']) await workflows.start(Order, 'waits', { id });
    const signal = { name: 'go', payload: 'all' };
    await operator.runs.bulk('signal', { ids: ['s1', 's2'] }, { ...BY, signal });
    expect(await Promise.all(['s1', 's2'].map((id) => workflows.result(id)))).toEqual(['all', 'all']);
    await expect(operator.runs.bulk('signal', { ids: ['s1'] }, BY)).rejects.toThrow('{ name, payload }');
    const wrong = operator.runs.bulk('cancel', filter, { ...BY, limit: 201 });
    await expect(wrong).rejects.toThrow('a whole number from 1 to 200');
    await expect(operator.runs.bulk('start' as never, filter, BY)).rejects.toThrow('one of cancel, terminate');
  });

  it('shows the relatives of a run', async () => {
    await workflows.start(Family, 2, { id: 'grandparent' });
    await workflows.start(Order, 'waits', { id: 'after', after: ['grandparent'] });
    const tree = await until('all are there', async () => {
      const seen = await operator.runs.tree('grandparent');
      return seen.descendants.length === 2 && seen;
    });
    const [parent, child] = tree.descendants.map(({ id }) => id) as [string, string];
    expect(tree).toMatchObject({
      run: { id: 'grandparent', workflow: 'family', parentId: null },
      descendants: [{ parentId: 'grandparent' }, { parentId: parent }],
      ancestors: [],
      after: [],
      complete: true,
    });
    expect(await operator.runs.tree('grandparent', { limit: 1 })).toMatchObject({
      descendants: [{ id: parent }],
      complete: false,
    });
    const ancestors = (await operator.runs.tree(child)).ancestors.map(({ id }) => id);
    expect(ancestors).toEqual([parent, 'grandparent']);
    expect((await operator.runs.tree('after')).after.map(({ id }) => id)).toEqual(['grandparent']);
    await expect(operator.runs.tree('nobody')).rejects.toBeInstanceOf(WorkflowNotFoundError);
    await expect(operator.runs.tree('after', { limit: 0 })).rejects.toThrow('a whole number from 1 to 1000');
    for (const id of [child, parent, 'grandparent', 'after']) await operator.runs.terminate(id, BY);
  });

  it('exports a run as a history, and as a test; the act log says who took it', async () => {
    const { name, text } = await operator.runs.export('waiting', { actor: 'ada' });
    expect(name).toBe('waiting.json');
    expect(JSON.parse(text)).toMatchObject({ run: { id: 'waiting', workflow: 'order' }, steps: [{ name: 'go' }] });
    const test = await operator.runs.export('waiting', { as: 'test', module: './app.module', runner: 'node' });
    expect(test.name).toBe('waiting.spec.ts');
    expect(test.text).toContain('import { AppModule } from "./app.module"');
    expect(test.text).toContain('await durable.assertFits(history)');
    expect((await actsOf('waiting'))[0]).toMatchObject({ action: 'look', actor: 'ada' });
    await expect(operator.runs.export('waiting', { export: 'a; b', as: 'test' })).rejects.toThrow('exported class');
    await expect(operator.runs.export('nobody')).rejects.toBeInstanceOf(WorkflowNotFoundError);
  });

  it('compares two runs', async () => {
    for (const [id, payload] of [
      ['one', { amount: 1 }],
      ['two', { amount: 2 }],
    ] as const) {
      await workflows.start(Order, 'waits', { id });
      await operator.runs.signal('go', payload, { workflowId: id, ...BY });
      await workflows.result(id);
    }
    const { a, b, steps, output, input, complete } = await operator.runs.compare('one', 'two', { actor: 'ada' });
    expect([a.id, b.id, complete]).toEqual(['one', 'two', true]);
    expect(input).toEqual([]);
    expect(output).toEqual([{ path: ['amount'], a: 1, b: 2 }]);
    const times = { seq: 0, tookMs: expect.any(Number) as number };
    expect(steps).toMatchObject([{ name: 'go', nth: 1, a: times, b: times, output }]);
    const hidden = await operator.runs.compare('one', 'two', { see: () => 'hidden' });
    expect([hidden.output, hidden.steps[0]?.output]).toEqual([[], []]);
    const looks = (await operator.acts({ action: 'look', actor: 'ada', kind: 'run' })).acts.map(({ target }) => target);
    expect(looks).toEqual(expect.arrayContaining(['one', 'two']));
  });

  it('holds, and shows what it holds', async () => {
    await operator.holds.hold({ group: 'billing' }, BY);
    expect((await operator.overview()).holds).toMatchObject([{ kind: 'group', name: 'billing', ...BY }]);
    const { queues } = await operator.queues();
    expect(queues.find(({ group }) => group === 'billing')?.hold).toMatchObject(BY);
    expect(await operator.holds.lift({ group: 'billing' }, BY)).toBe(true);
    expect(await operator.holds.list()).toEqual([]);
  });

  it('shows schedules, and changes them', async () => {
    await app.get(WorkflowSchedules).create('order', { id: 'nightly', every: '1d', input: 'waits' });
    await operator.schedules.pause('nightly', BY);
    expect(await operator.schedules.show('nightly')).toMatchObject({ paused: true });
    await operator.schedules.resume('nightly', BY);
    const id = await operator.schedules.trigger('nightly', BY);
    expect((await operator.runs.show(id)).workflow).toBe('order');
    expect(await operator.schedules.late()).toEqual([]);
    const daily = await operator.schedules.preview('nightly', { count: 2 });
    expect(daily[1]!.getTime() - daily[0]!.getTime()).toBe(86_400_000);
    const hourly = await operator.schedules.preview('nightly', { count: 2, changed: { every: '1h' } });
    expect(hourly[1]!.getTime() - hourly[0]!.getTime()).toBe(3_600_000);
    expect(await operator.schedules.preview({ cron: '0 9 * * 1' })).toHaveLength(5);
    await expect(operator.schedules.preview('nightly', { count: 101 })).rejects.toThrow('from 1 to 100');
    await expect(operator.schedules.preview('nightly', { changed: { cron: 'x' } })).rejects.toThrow('a pattern');
    expect((await operator.schedules.show('nightly')).options).toMatchObject({ every: 86_400_000 });
    expect((await actsOf('nightly')).map(({ action }) => action)).toEqual(['trigger', 'resume', 'pause']);
  });
}

describe('operating in memory', () => {
  operating(() =>
    bootApp({
      imports: [DurableModule.forRoot({ ...OPTIONS, backend: memoryBackend() })],
      providers: [Order, Family, Billing],
    }),
  );
});

describeDatabases('operating', (at) => {
  let database: FreshDatabase;
  afterAll(() => database?.close());

  operating(async () => {
    database = await createDatabase(at.db);
    const imports = [ormModule(at.orm, database), DurableModule.forRoot({ ...OPTIONS, migrate: true })];
    return bootApp({ imports, providers: [Order, Family, Billing] });
  });
});
