import { type INestApplicationContext, Injectable } from '@nestjs/common';
import {
  DurableEvents,
  DurableModule,
  Effect,
  Effects,
  Operator,
  Outbox,
  OutboxPublisher,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { runCli } from '../../lib/cli/cli.js';
import { EXIT } from '../../lib/cli/print.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { type Gate, gate } from '../support/gate.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { thrownBy } from '../support/thrown-by.js';
import { until } from '../support/until.js';

const BY = { actor: 'ada', reason: 'its memory grows' };
const MANY = 12;

/** One process of the fleet, and what it has begun: the names of steps, tasks, calls and events. */
interface Process {
  app: INestApplicationContext;
  begun: string[];
  /** Whether it has heard that it drains. */
  drains: boolean;
}

describeDatabases('a process that drains', (at) => {
  let database: FreshDatabase;
  let operator: Operator;
  let gates: Map<string, Gate>;
  const processes: Process[] = [];
  let count = 0;

  /** Classes of its own, so that each tells of its process. */
  const providersOf = ({ begun }: Pick<Process, 'begun'>) => {
    @Workflow('order')
    class Order {
      async run(ctx: WorkflowContext, name: string): Promise<string> {
        await ctx.step('play', () => void begun.push(`run ${name}`));
        return ctx.remote<string>('charge', name, { group: 'billing' });
      }
    }

    @Workflow('slow')
    class Slow {
      async run(ctx: WorkflowContext, name: string): Promise<string> {
        await ctx.step('first', async () => {
          begun.push(`first ${name}`);
          await gates.get(name)?.opened;
        });
        return ctx.step('second', () => void begun.push(`second ${name}`)) as Promise<never>;
      }
    }

    @Worker({ group: 'billing' })
    class Billing {
      @RemoteStep('charge')
      async charge(name: string): Promise<void> {
        begun.push(`task ${name}`);
      }
    }

    @Injectable()
    class Mail {
      @Effect('mail')
      async send(name: string): Promise<void> {
        begun.push(`call ${name}`);
      }
    }

    @OutboxPublisher({ name: 'broker' })
    class Broker {
      async publish(events: readonly { channel: string }[]): Promise<void> {
        for (const { channel } of events) begun.push(`event ${channel}`);
      }
    }
    return [Order, Slow, Billing, Mail, Broker];
  };

  const boot = async (): Promise<Process> => {
    const begun: string[] = [];
    const app = await bootApp({
      imports: [
        ormModule(at.orm, database),
        DurableModule.forRoot({
          migrate: true,
          // A process whose lease is over is not there to be resumed, and this machine may be busy for seconds.
          engine: { nodeLease: '6s', pollInterval: '200ms' },
          worker: { pollInterval: '200ms' },
          effects: { pollInterval: '200ms' },
          outbox: { leaseDuration: '3s', heartbeatTimeout: '3s', publishTimeout: '1s', pollInterval: '200ms' },
        }),
      ],
      providers: providersOf({ begun }),
    });
    const one: Process = { app, begun, drains: false };
    app
      .get(DurableEvents)
      .on('node.draining')
      .subscribe(({ draining }) => (one.drains = draining));
    processes.push(one);
    return one;
  };
  /** The name of each process, in the order of their start. */
  const names = async () => (await operator.nodes()).map(({ id }) => id);
  /** Begins work of each kind, and waits until some process has done all of it. Returns what was to be begun. */
  const work = async (from: Process): Promise<string[]> => {
    const ids = Array.from({ length: MANY }, () => `n${++count}`);
    const workflows = from.app.get(WorkflowClient);
    const runs = await Promise.all(ids.map((id) => workflows.start('order', id, { id })));
    await from.app.get(Outbox).publish(ids.map((channel) => ({ channel, name: 'paid', data: {} })));
    for (const ref of ids)
      await from.app.get(Effects).enqueue({ operation: 'o', subject: ref, calls: [{ handler: 'mail', ref }] });
    await Promise.all(runs.map((run) => run.result({ timeout: '120s' })));
    const wanted = ids.flatMap((id) => ['run', 'task', 'call', 'event'].map((kind) => `${kind} ${id}`));
    const begun = () => new Set(processes.flatMap((one) => one.begun));
    await until('all was done', () => wanted.every((one) => begun().has(one)));
    return wanted;
  };
  const kindsOf = (begun: readonly string[]) => [...new Set(begun.map((one) => one.split(' ')[0]!))].sort();
  const ALL = ['call', 'event', 'run', 'task'];

  beforeAll(async () => {
    gates = new Map();
    database = await createDatabase(at.db);
    const first = await boot();
    operator = first.app.get(Operator);
    await boot();
  });
  afterAll(async () => {
    for (const { open } of gates.values()) open();
    await Promise.all(processes.map(({ app }) => app.close()));
    await database.close();
  });

  it('takes nothing more, lets what it has go on, and begins again once it is resumed', async () => {
    const [drained, other] = processes as [Process, Process];
    await until('both work', async () => {
      await work(other);
      return processes.every(({ begun }) => kindsOf(begun).join() === ALL.join());
    });
    const id = (await names())[0]!;
    // A run that it has in memory, in the middle of a step.
    const slow = await until('it plays one', async () => {
      const name = `slow-${++count}`;
      gates.set(name, gate());
      const run = await drained.app.get(WorkflowClient).start('slow', name, { id: name });
      const plays = await until('it is played', () => processes.find(({ begun }) => begun.includes(`first ${name}`)));
      if (plays === drained) return { name, run };
      gates.get(name)!.open();
      return undefined;
    });

    expect(await operator.drain(id, BY)).toBe(false);
    await until('it knows', () => drained.drains);
    const { draining } = (await operator.nodes())[0]!;
    expect(draining).toMatchObject(BY);
    expect(draining?.since).toBeInstanceOf(Date);
    expect((await operator.overview()).draining).toMatchObject([{ id, ...BY }]);
    await until('it has left its shards to the other one', async () => {
      const rows = await database.query('SELECT DISTINCT owner FROM durable_outbox_shards WHERE owner IS NOT NULL');
      return rows.length === 1;
    });
    const before = [...drained.begun];
    await work(drained);
    expect(drained.begun).toEqual(before);

    gates.get(slow.name)!.open();
    await slow.run.result({ timeout: '120s' });
    expect(drained.begun).toEqual(before);
    expect(other.begun).toContain(`second ${slow.name}`);
    expect(other.begun).not.toContain(`first ${slow.name}`);

    expect(await operator.drain(id, { ...BY, reason: 'still' })).toBe(true);
    expect(await operator.resume(id, BY)).toBe(true);
    await until('it knows', () => !drained.drains);
    drained.begun.length = 0;
    await until('it works again', async () => {
      await work(other);
      return kindsOf(drained.begun).join() === ALL.join();
    });
    expect(await operator.resume(id, BY)).toBe(false);
    const { acts } = await operator.acts({ kind: 'node', target: id });
    expect(acts.map(({ action, outcome, reason }) => [action, outcome, reason])).toEqual([
      ['resume', 'missing', BY.reason],
      ['resume', 'resumed', BY.reason],
      ['drain', 'changed', 'still'],
      ['drain', 'draining', BY.reason],
    ]);
  });

  it('is named where its work is missed, and drained and resumed from the command line', async () => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line.replaceAll(/ +/g, ' '));
    const call = (...args: string[]) =>
      runCli(['nodes', ...args, '--url', database.url], { env: {}, out: print, err: print });
    const why = ['--actor', 'bob', '--reason', 'a deploy'];
    const ids = await names();
    for (const id of ids) expect(await call('drain', id, ...why)).toBe(0);
    await until('both know', () => processes.every(({ drains }) => drains));
    const workflows = processes[0]!.app.get(WorkflowClient);
    const run = await workflows.start('order', 'missed', { id: 'missed' });
    const { text } = await workflows.explain('missed');
    expect(text).toContain('version 1 of "order" is served by "');
    expect(text).toContain('", which drain and begin nothing new.');
    expect((await operator.queues()).queues).toMatchObject([
      { group: 'billing', servedBy: [{ draining: true }, { draining: true }] },
    ]);
    expect(await call('list')).toBe(0);
    expect(lines.slice(-2).every((line) => line.includes(' draining '))).toBe(true);
    for (const id of ids) expect(await call('resume', id, ...why)).toBe(0);
    expect(await call('resume', ids[0]!, ...why)).toBe(1);
    expect(lines.at(-1)).toBe(`${ids[0]} did not drain`);
    await run.result({ timeout: '120s' });
    expect(await call('drain', 'nobody', ...why)).toBe(EXIT.missing);
    expect(await thrownBy(operator.drain('nobody', BY))).toMatchObject({ code: 'NODE_NOT_FOUND' });
    expect(await thrownBy(operator.drain(ids[0]!, { actor: 'ada' } as never))).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});
