import { type INestApplicationContext, Injectable, type Provider } from '@nestjs/common';
import {
  DurableEvents,
  DurableModule,
  type DurableModuleOptions,
  Effect,
  Effects,
  MissingRightsError,
  OperatorActs,
  Operator,
  type OutboxEvent,
  OutboxOperations,
  OutboxPublisher,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSignal,
} from '../../lib/index.js';
import { runCli } from '../../lib/cli/cli.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { createRoleUsers, type Role, type RoleUsers } from '../support/role-users.js';
import { until } from '../support/until.js';

const published: string[] = [];
const called: string[] = [];
const go = new WorkflowSignal<string>('go');

@Worker({ group: 'billing' })
class Billing {
  private tries = 0;

  @RemoteStep('charge', { retry: { attempts: 3, backoff: { delay: '10ms' } } })
  charge(id: string): string {
    if (this.tries++ === 0) throw new Error('not yet');
    return `paid ${id}`;
  }
}

@Injectable()
class Mail {
  @Effect('mail', { attempts: 1 })
  send(ref: string): void {
    if (refused.has(ref)) throw new Error('refused');
    called.push(ref);
  }
}

/** Channels that the broker does not take, and calls that fail. */
const refused = new Set<string>();

@OutboxPublisher({ name: 'broker', attempts: 1 })
class Broker {
  publish(events: readonly OutboxEvent[]): void {
    if (events.some(({ channel }) => refused.has(channel))) throw new Error('refused');
    published.push(...events.map(({ name }) => name));
  }
}

@Workflow('parcel')
class Parcel {
  async run(ctx: WorkflowContext, id: string): Promise<string> {
    await ctx.sleep('nap', '10ms');
    return `parcel of ${id}`;
  }
}

@Workflow('order', { concurrency: { limit: 9 } })
class Order {
  async run(ctx: WorkflowContext, id: string): Promise<unknown> {
    ctx.setAttributes({ order: id });
    ctx.log.info('begun');
    const noted = await ctx.step('note', () => `noted ${id}`);
    const paid = await ctx.remote<string>('charge', id, { group: 'billing' });
    const word = await ctx.waitForSignal('word', go, { timeout: '1h' });
    const parcel = await ctx.executeChild(Parcel, id);
    await ctx.publish({ channel: id, name: `ordered ${id}` });
    await ctx.effects({ operation: 'confirm', subject: id, calls: [{ handler: 'mail', ref: id }] });
    return [noted, paid, word, parcel];
  }
}

@Workflow('sends')
class Sends {
  async run(ctx: WorkflowContext, to: string): Promise<void> {
    await ctx.publish({ channel: to, name: `sent ${to}` });
    await ctx.effects({ operation: 'send', subject: to, calls: [{ handler: 'mail', ref: to }] });
  }
}

@Workflow('outside')
class Outside {
  async run(ctx: WorkflowContext, id: string): Promise<string> {
    return ctx.remote<string>('approve', id, { group: 'people' });
  }
}

@Workflow('tick', { schedules: [{ id: 'ticks', every: '1s' }] })
class Tick {
  async run(): Promise<void> {}
}

const BY = { actor: 'ada', reason: 'a test' };

describeDatabases('an app whose processes have database users of their own', (at) => {
  let database: FreshDatabase;
  let users: RoleUsers;
  const apps: INestApplicationContext[] = [];
  const denied: string[] = [];

  const boot = async (role: Role, options: DurableModuleOptions, providers: Provider[] = []) => {
    const durable = DurableModule.forRoot({ migrate: false, ...options });
    const app = await bootApp({
      imports: [ormModule(at.orm, users.as(role), { poolMax: 3 }), durable],
      providers: [
        ...providers,
        // From the first loop on.
        {
          provide: 'LISTENER',
          inject: [DurableEvents],
          useFactory: (events: DurableEvents) =>
            events.events$.subscribe((event) => {
              if ('error' in event && /denied/.test(String(event.error)))
                denied.push(`${role}: ${String(event.error)}`);
            }),
        },
      ],
    });
    apps.push(app);
    return app;
  };
  const asClient = () => boot('client', { engine: false, worker: false });
  const asOperator = () => boot('operator', { engine: false, worker: false });

  beforeAll(async () => {
    database = await createDatabase(at.db);
    const silent = () => undefined;
    expect(await runCli(['migrate', '--url', database.url], { env: {}, out: silent, err: silent })).toBe(0);
    users = await createRoleUsers(database);
    await boot('engine', { worker: false }, [Order, Parcel, Sends, Outside, Tick, Mail, Broker]);
    await boot('worker', { engine: false }, [Billing]);
  });
  afterEach(() => expect(denied.splice(0)).toEqual([]));
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await users.close();
    await database.close();
    expect(denied).toEqual([]);
  });

  it('a client starts, signals, looks at and awaits what engine and worker do', async () => {
    const client = (await asClient()).get(WorkflowClient);
    await client.start(Order, 'one', { id: 'one', attributes: { vip: true } });
    await client.start(Order, 'one', { id: 'one', idReuse: 'allow-if-failed' });
    await client.signal(go, 'early', { workflowId: 'one', id: 'once' });
    await expect(client.result('one', { timeout: '120s' })).resolves.toEqual([
      'noted one',
      'paid one',
      'early',
      'parcel of one',
    ]);
    await until('its event is published', () => published.includes('ordered one'));
    await until('its call is made', () => called.includes('one'));
    const status = await client.getStatus('one', { history: true });
    expect(status).toMatchObject({ status: 'completed' });
    expect((await client.list({ attributes: { order: 'one' } })).runs).toHaveLength(1);
    await client.explain('one');
    await client.start(Parcel, 'after', { id: 'after', after: ['one'], delay: '10ms' });
    await client.start(Parcel, 'single', { id: 'single', singleton: { key: 'single' } });
    for (const id of ['after', 'single']) await client.result(id, { timeout: '120s' });
  });

  it('an operator sees everything and does what it says, with a record that it may not change', async () => {
    const app = await asOperator();
    const operator = app.get(Operator);
    const client = (await asClient()).get(WorkflowClient);
    for (const id of ['cancelled', 'terminated', 'deleted', 'forked']) await client.start(Order, id, { id });
    const waits = async (id: string) =>
      (await client.getStatus(id, { history: true })).history?.at(-1)?.kind === 'signal';
    for (const id of ['cancelled', 'terminated', 'deleted', 'forked']) await until('it waits', () => waits(id));
    expect((await operator.overview()).unanswered).toEqual([]);
    await operator.runs.counts();
    await operator.runs.list();
    await operator.runs.show('forked', { history: true });
    await operator.runs.why('forked');
    await operator.runs.story({ id: 'forked' });
    await operator.runs.payloads('forked', { actor: 'ada' });
    await operator.queues();
    await operator.limits();
    await operator.signals();
    await operator.nodes();
    await operator.samples();
    await operator.outbox.destinations();
    await operator.outbox.lag();
    await operator.outbox.deadLetters();
    await operator.effects.counts();
    await operator.effects.abandoned();
    await operator.schedules.late();
    const [schedule] = await operator.schedules.list();
    await operator.schedules.pause(schedule!.id, BY);
    await operator.schedules.resume(schedule!.id, BY);
    await operator.schedules.trigger(schedule!.id, BY);
    await operator.holds.hold({ workflow: 'tick' }, BY);
    await operator.holds.lift({ workflow: 'tick' }, BY);
    await operator.runs.cancel('cancelled', BY);
    await operator.runs.terminate('terminated', BY);
    await operator.runs.terminate('deleted', BY);
    await until('it has ended', async () => (await client.getStatus('deleted')).status === 'cancelled');
    await operator.runs.delete('deleted', BY);
    await operator.runs.fork('forked', { ...BY, from: 2, id: 'fork' });
    await operator.runs.restart('terminated', BY);
    for (const id of ['forked', 'fork', 'terminated']) {
      await operator.runs.signal('go', 'go', { workflowId: id, ...BY });
      await client.result(id, { timeout: '120s' });
    }
    await operator.runs.bulk('cancel', { workflow: 'order' }, BY);
    await client.start(Outside, 'x', { id: 'outside' });
    await until('it asks', async () => (await client.getStatus('outside', { history: true })).history?.length === 1);
    await operator.steps.complete('outside', 0, 'approved', BY);
    await expect(client.result('outside', { timeout: '120s' })).resolves.toBe('approved');
    await expect(app.get(WorkflowClient).erase({ id: 'outside' }, BY)).rejects.toThrow('denied');
    const { acts } = await app.get(OperatorActs).list();
    expect(acts.length).toBeGreaterThan(8);
  });

  it('an operator mends and purges what left the app, and an engine erases a person', async () => {
    const app = await asOperator();
    const { outbox, effects } = app.get(Operator);
    const operations = app.get(OutboxOperations);
    const client = app.get(WorkflowClient);
    refused.add('bad').add('worse');
    await client.start(Sends, 'bad', { id: 'sends' });
    await client.start(Sends, 'worse', { id: 'sends more' });
    const standing = async () =>
      (await outbox.standing({ destination: 'broker' })).map(({ channel }) => channel).sort();
    await until('both channels are blocked', async () => (await standing()).join() === 'bad,worse');
    await until('both calls are abandoned', async () => (await effects.abandoned()).length === 2);
    await outbox.skip('worse', { destination: 'broker', ...BY });
    expect(await outbox.deadLetters({ destination: 'broker' })).toHaveLength(1);
    refused.clear();
    await outbox.retry('bad', { destination: 'broker', ...BY });
    await outbox.requeue('worse', { destination: 'broker', ...BY });
    await until('both are published', () => ['sent bad', 'sent worse'].every((name) => published.includes(name)));
    const abandoned = await effects.abandoned();
    expect(
      await effects.requeue(
        abandoned.map(({ entryId }) => entryId),
        BY,
      ),
    ).toHaveLength(2);
    for (const id of ['sends', 'sends more']) await client.result(id, { timeout: '120s' });
    const old = { olderThan: 1, ...BY };
    expect(await app.get(Effects).purge(old)).toBeGreaterThanOrEqual(2);
    expect(await app.get(Effects).purgeAuditLog(old)).toBeGreaterThanOrEqual(0);
    await operations.purgeDeadLetters(old);
    await client.purgeSignals(old);
    await client.purge(old);
    await outbox.forget('broker', BY);
    const engine = await boot('engine', { worker: false, outbox: { relay: false } }, [Parcel]);
    const report = await engine.get(WorkflowClient).erase({ id: 'sends' }, BY);
    expect(report.kept).toEqual([]);
  });

  it('an app that does more than its role is refused at its start, with the grants for what it lacks', async () => {
    const refusal = async (role: Role, options: DurableModuleOptions, providers: Provider[] = []) => {
      const error: unknown = await boot(role, options, providers).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(MissingRightsError);
      return (error as MissingRightsError).grants.join('\n');
    };
    expect(await refusal('client', { worker: false, outbox: false }, [Parcel])).toMatch(/durable.{1,3}schedules/);
    const ofWorker = await refusal('client', { engine: false }, [Billing]);
    expect(ofWorker).toMatch(/durable.{1,3}transport_tasks/);
    expect(ofWorker).not.toMatch(/durable.{1,3}runs\W/);
    await refusal('foreignWorker', { engine: false }, [Billing]);
    await refusal('worker', { engine: false, worker: false });
  });

  it('a reader may run what reads no payloads', async () => {
    const app = await boot('reader', { engine: false, worker: false });
    const operator = app.get(Operator);
    await operator.nodes();
    await operator.samples();
    await operator.queues();
    await operator.effects.counts();
    expect((await operator.runs.counts()).complete).toBe(true);
  });
});
