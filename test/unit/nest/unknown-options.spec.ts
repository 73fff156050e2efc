import {
  DbTransport,
  driverExecutor,
  dropStatements,
  DurableDoctor,
  DurableModule,
  DurableNodes,
  Effect,
  Effects,
  memoryBackend,
  migrationStatements,
  OnOutboxMessage,
  OnRunBlocked,
  OnRunEnded,
  OperatorActs,
  Outbox,
  OutboxOperations,
  OutboxPublisher,
  outboxSchemaSql,
  RemoteStep,
  UnknownOptionError,
  webhookPublisher,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSchedules,
  WorkflowSignal,
} from '../../../lib/index.js';
import { createTestingDurable, type TestingDurable } from '../../../lib/testing/index.js';
import { bootApp } from '../../support/nest-app.js';

const go = new WorkflowSignal('go');
const by = { actor: 'ada', reason: 'a test' };

/** Calls the function of the context that its input names, with an option that nobody knows. */
const CALLS: Readonly<Record<string, (ctx: WorkflowContext, wrong: never) => unknown>> = {
  step: (ctx, wrong) => ctx.step('a', () => 1, wrong),
  transaction: (ctx, wrong) => ctx.transaction('a', () => 1, wrong),
  remote: (ctx, wrong) => ctx.remote('a', 1, wrong),
  waitForSignal: (ctx, wrong) => ctx.waitForSignal('a', go, wrong),
  signalWait: (ctx, wrong) => ctx.waitForAny('w', { go: ctx.signalWait(go, wrong) }),
  startChild: (ctx, wrong) => ctx.startChild('unknown-options', 1, wrong),
  executeChild: (ctx, wrong) => ctx.executeChild('unknown-options', 1, wrong),
  all: (ctx, wrong) => ctx.all('unknown-options', [1], wrong),
  publish: (ctx, wrong) => ctx.publish({ channel: 'a', name: 'b', ...(wrong as object) }),
  effects: (ctx, wrong) => ctx.effects({ operation: 'a', subject: 'b', calls: [], ...(wrong as object) }),
};

@Workflow('unknown-options')
class Calling {
  async run(ctx: WorkflowContext, call: string): Promise<string> {
    try {
      await CALLS[call]!(ctx, { optoin: 1 } as never);
    } catch (error) {
      return (error as Error).message;
    }
    return 'accepted';
  }
}

let undone = 0;

@Workflow('careless')
class Careless {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.step('charge', () => 1, { compensate: () => void undone++ });
    await ctx.step('ship', () => 1, { optoin: 1 } as never);
  }
}

const wrong = { optoin: 1 } as never;
const start = (options: object) => (app: TestingDurable) => app.client.start(Calling, 'step', options);

describe('unknown options', () => {
  let durable: TestingDurable;
  beforeAll(async () => {
    durable = await createTestingDurable({ workflows: [Calling, Careless] });
  });
  afterAll(() => durable.close());

  const client = (app: TestingDurable) => app.get(WorkflowClient);
  const schedules = (app: TestingDurable) => app.get(WorkflowSchedules);
  const operations = (app: TestingDurable) => app.get(OutboxOperations);
  const effects = (app: TestingDurable) => app.get(Effects);

  it.each<[string, (app: TestingDurable) => unknown, string]>([
    ['start', start({ dealy: '1s' }), 'start has no option "dealy": did you mean "delay"?'],
    [
      'singleton',
      start({ singleton: { key: 'a', windwo: 1 } }),
      'start: singleton has no option "windwo": did you mean',
    ],
    ['debounce', start({ debounce: { key: 'a', delay: 1, max: 1 } }), 'start: debounce has no option "max"'],
    ['startAndWait', (app) => client(app).startAndWait(Calling, 'step', wrong), 'start'],
    ['result', (app) => client(app).result('a', wrong), 'result'],
    ['getStatus', (app) => client(app).getStatus('a', { histroy: true } as never), 'did you mean "history"?'],
    ['list', (app) => client(app).list({ state: 'failed' } as never), 'did you mean "status"?'],
    ['story', (app) => client(app).story({ id: 'a' }, wrong), 'story'],
    ['the target of story', (app) => client(app).story({ ids: ['a'] } as never), 'did you mean "id"?'],
    ['cancel', (app) => client(app).cancel('a', wrong), 'cancel'],
    ['terminate', (app) => client(app).terminate('a', wrong), 'terminate'],
    ['retry', (app) => client(app).retry('a', wrong), 'retry'],
    ['delete', (app) => client(app).delete('a', wrong), 'delete'],
    ['restart', (app) => client(app).restart('a', wrong), 'restart'],
    ['fork', (app) => client(app).fork('a', { from: 1, ...(wrong as object) }), 'fork'],
    ['purge', (app) => client(app).purge({ olderThen: '1d' } as never), 'did you mean "olderThan"?'],
    ['purgeSignals', (app) => client(app).purgeSignals(wrong), 'purgeSignals'],
    ['hold', (app) => client(app).hold({ group: 'a' }, { ...by, ...(wrong as object) }), 'hold'],
    ['lift', (app) => client(app).lift(wrong, by), 'lift'],
    ['erase', (app) => client(app).erase({ id: 'a' }, { ...by, ...(wrong as object) }), 'erase'],
    ['the target of erase', (app) => client(app).erase(wrong, by), 'The target of erase'],
    ['signal', (app) => client(app).signal(go, undefined, { workflow: 'a' } as never), 'did you mean "workflowId"?'],
    ['completeStep', (app) => client(app).completeStep('a:1', 1, wrong), 'completeStep'],
    ['failStep', (app) => client(app).failStep('a:1', { message: 'a', retriable: false } as never), '"retryable"?'],
    [
      'resolveStep',
      (app) => client(app).resolveStep('a', 1, { skip: true }, { ...by, ...(wrong as object) }),
      'resolve',
    ],
    ['cancelAll', (app) => client(app).cancelAll({ ids: ['a'] }, { ...by, ...(wrong as object) }), 'cancelAll'],
    [
      'create',
      (app) => schedules(app).create(Calling, { id: 'a', corn: '* * * * *' } as never),
      'did you mean "cron"?',
    ],
    ['update', (app) => schedules(app).update('a', wrong), 'update'],
    ['pause', (app) => schedules(app).pause('a', wrong), 'WorkflowSchedules'],
    ['schedules', (app) => schedules(app).list(wrong), 'list'],
    ['preview', (app) => schedules(app).preview(wrong), 'preview'],
    ['acts', (app) => app.get(OperatorActs).list(wrong), 'OperatorActs.list'],
    ['nodes', (app) => app.get(DurableNodes).list(wrong), 'DurableNodes.list'],
    ['the doctor', (app) => app.get(DurableDoctor).examine(wrong), 'DurableDoctor.examine'],
    ['an event', (app) => app.get(Outbox).publish({ chanel: 'a', name: 'b' } as never), 'did you mean "channel"?'],
    ['publish', (app) => app.get(Outbox).publish([], { tx: 1 } as never), 'Outbox.publish'],
    ['lag', (app) => operations(app).lag(wrong), 'lag'],
    ['standing', (app) => operations(app).standing(wrong), 'standing'],
    ['deadLetters', (app) => operations(app).deadLetters(wrong), 'deadLetters'],
    ['skip', (app) => operations(app).skip('a', wrong), 'skip'],
    ['requeue', (app) => operations(app).requeue('a', wrong), 'requeue'],
    ['forget', (app) => operations(app).forget('a', wrong), 'forget'],
    ['purgeDeadLetters', (app) => operations(app).purgeDeadLetters(wrong), 'purgeDeadLetters'],
    ['enqueue', (app) => effects(app).enqueue({ operation: 'a', subject: 'b', calls: [] }, wrong), 'Effects.enqueue'],
    ['an operation', (app) => effects(app).enqueue({ calls: [], ...(wrong as object) } as never), 'The operation'],
    ['a call', (app) => effects(app).enqueue({ operation: 'a', subject: 'b', calls: [wrong] }), 'calls[0]'],
    ['listAbandoned', (app) => effects(app).listAbandoned(wrong), 'listAbandoned'],
    ['listUnclaimed', (app) => effects(app).listUnclaimed(wrong), 'listUnclaimed'],
    ['purge of effects', (app) => effects(app).purge(wrong), 'Effects.purge'],
    ['purgeAuditLog', (app) => effects(app).purgeAuditLog(wrong), 'purgeAuditLog'],
    ['exploreCrashes', (app) => app.exploreCrashes(async () => 'a', wrong), 'exploreCrashes'],
  ])('of %s are refused', async (_, call, message) => {
    const refused = Promise.resolve().then(() => call(durable));
    await expect(refused).rejects.toThrow(UnknownOptionError);
    await expect(refused).rejects.toThrow(message);
  });

  it.each<[string, (app: TestingDurable) => unknown]>([
    ['hold', (app) => client(app).hold({ group: 'a' }, undefined as never)],
    ['lift', (app) => client(app).lift({ group: 'a' }, undefined as never)],
    ['erase', (app) => client(app).erase({ id: 'a' }, undefined as never)],
    ['resolveStep', (app) => client(app).resolveStep('a', 1, { skip: true }, undefined as never)],
    ['cancelAll', (app) => client(app).cancelAll({ ids: ['a'] }, undefined as never)],
  ])('of %s are asked for where none are given', async (_, call) => {
    const refused = Promise.resolve().then(() => call(durable));
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'actor' });
  });

  it('of ctx block a run whose code has them, and undo nothing', async () => {
    const { id } = await durable.client.start(Careless);
    await durable.drain();
    expect(await durable.client.getStatus(id)).toMatchObject({ status: 'suspended', reason: 'programming_error' });
    expect(undone).toBe(0);
  });

  it.each(Object.keys(CALLS))('of ctx.%s are refused', async (call) => {
    const { id } = await durable.client.start(Calling, call);
    await durable.drain();
    const { output } = await durable.client.getStatus(id);
    expect(output).toMatch(/ has no option "optoin": /);
  });

  const steps = class {
    method() {}
  };
  const decorate = (decorator: MethodDecorator) => decorator(steps.prototype, 'method', { value: () => 1 });

  it.each<[string, () => unknown, string]>([
    ['@Workflow', () => Workflow('a', { verison: 2 } as never), 'did you mean "version"?'],
    ['a limit', () => Workflow('a', { concurrency: { limit: 1, by: 1 } } as never), 'concurrency has no option "by"'],
    [
      'a declared schedule',
      () => Workflow('a', { schedules: [{ cron: '* * * * *', tz: 1 }] } as never),
      'schedules[0]',
    ],
    ['@RemoteStep', () => RemoteStep('a', { retries: 2 } as never), 'did you mean "retry"?'],
    ['a retry', () => RemoteStep('a', { retry: { atempts: 2 } } as never), 'did you mean "attempts"?'],
    ['a backoff', () => RemoteStep('a', { retry: { backoff: { max: 2 } } } as never), 'retry: backoff'],
    ['@Worker', () => Worker({ concurency: 2 } as never)(steps), 'did you mean "concurrency"?'],
    ['@Effect', () => Effect('a', { timout: 2 } as never), 'did you mean "timeout"?'],
    ['@OutboxPublisher', () => OutboxPublisher(wrong)(steps as never), '@OutboxPublisher'],
    ['@OnOutboxMessage', () => decorate(OnOutboxMessage('a', wrong) as MethodDecorator), '@OnOutboxMessage'],
    ['@OnRunEnded', () => OnRunEnded(wrong), '@OnRunEnded'],
    ['@OnRunBlocked', () => OnRunBlocked({ reasons: [] } as never), 'did you mean "reason"?'],
    ['forRoot', () => DurableModule.forRoot({ perfix: 'a' } as never), 'did you mean "prefix"?'],
    ['a group', () => DurableModule.forRoot({ maxResident: 5 } as never), 'did you mean "engine.maxResident"?'],
    [
      'the engine',
      () => DurableModule.forRoot({ engine: { poll: 5 } } as never),
      'DurableModule: engine has no option',
    ],
    ['the outbox', () => DurableModule.forRoot({ outbox: { onPosion: 'park' } } as never), 'did you mean "onPoison"?'],
    ['an override', () => DurableModule.forRoot({ steps: { a: { timout: 5 } } } as never), "steps['a'] has no option"],
    ['retention', () => DurableModule.forRoot({ retention: { complted: '1d' } } as never), 'did you mean "completed"'],
    [
      'forRootAsync',
      () => DurableModule.forRootAsync({ useFactroy: () => ({}) } as never),
      'did you mean "useFactory"?',
    ],
    [
      'the module beside its factory',
      () => DurableModule.forRootAsync({ useFactory: () => ({}), prefix: 'a' } as never),
      'DurableModule.forRootAsync has no option "prefix": let useFactory, useClass or useExisting return it',
    ],
    ['memoryBackend', () => memoryBackend({ path: 'a' } as never), 'memoryBackend has no option "path"'],
    [
      'webhookPublisher',
      () => webhookPublisher({ url: 'http://a', secrets: ['b'] } as never),
      'did you mean "secret"?',
    ],
    ['driverExecutor', () => driverExecutor({}, wrong), 'driverExecutor'],
    ['outboxSchemaSql', () => outboxSchemaSql('postgres', wrong), 'outboxSchemaSql'],
    ['migrationStatements', () => migrationStatements('postgres', { form: '0.1.0' } as never), 'did you mean "from"?'],
    ['dropStatements', () => dropStatements('mysql', { prefx: 'old' } as never), 'did you mean "prefix"?'],
    ['their outbox', () => dropStatements('mysql', { outbox: { tabel: 'a' } } as never), 'did you mean "table"?'],
    ['DbTransport', () => new DbTransport({ executer: 1 } as never), 'did you mean "executor"?'],
  ])('of %s are refused when it is called', (_, call, message) => {
    expect(call).toThrow(UnknownOptionError);
    expect(call).toThrow(message);
  });

  it('of the testing kit are refused', async () => {
    await expect(createTestingDurable({ workflow: [] } as never)).rejects.toThrow('did you mean "workflows"?');
    await expect(createTestingDurable({}, { durabel: {} } as never)).rejects.toThrow('did you mean "durable"?');
    await expect(createTestingDurable({}, { durable: { retries: 1 } } as never)).rejects.toThrow(
      'did you mean "retry"?',
    );
  });

  it('of a factory are refused at the start', async () => {
    const useFactory = () => ({ backend: memoryBackend(), perfix: 'a' });
    const booting = bootApp({ imports: [DurableModule.forRootAsync({ useFactory })] });
    await expect(booting).rejects.toThrow('DurableModule has no option "perfix": did you mean "prefix"?');
  });
});

describe('options of another kind', () => {
  it.each<[object, string]>([
    [
      { retention: '30d' },
      `retention is "30d": pass an object that says what is kept for how long, such as { completed:`,
    ],
    [{ engine: true }, 'engine is true: pass an object: { residency, maxResident,'],
    [{ worker: 5 }, 'worker is 5: pass an object: { groups, concurrency,'],
    [{ outbox: 'outbox' }, 'outbox is "outbox": pass an object: { table,'],
    [{ limits: 1_000 }, 'limits is 1000: pass an object: { payload,'],
  ])('are refused by forRoot: %o', (options, message) => {
    expect(() => DurableModule.forRoot(options as never)).toThrow(message);
  });

  it('are refused by start', async () => {
    const durable = await createTestingDurable({ workflows: [Calling] });
    const startAt = '2026-01-01' as never;
    await expect(durable.client.start(Calling, 'step', { startAt })).rejects.toThrow(
      `startAt is "2026-01-01": pass a valid Date, such as new Date('2026-01-31T09:00:00Z')`,
    );
    await expect(durable.client.start(Calling, 'step', 'an-id' as never)).rejects.toThrow(
      'The options of start is "an-id": pass an object: { id,',
    );
    await durable.close();
  });
});

describe('a module that is imported twice', () => {
  it('is refused with both places', async () => {
    const backend = memoryBackend();
    const once = DurableModule.forRoot({ backend });
    const again = DurableModule.forRootAsync({ useFactory: () => ({ backend }) });
    const booting = bootApp({ imports: [once, again] });
    await expect(booting).rejects.toThrow(/is imported 2 times, by .*unknown-options.* and .*unknown-options.*once/s);
  });

  it('may be the same one', async () => {
    const once = DurableModule.forRoot({ backend: memoryBackend() });
    const app = await bootApp({ imports: [once, once] });
    await app.close();
  });
});
