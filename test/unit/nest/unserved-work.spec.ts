import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableEvents,
  DurableModule,
  RemoteStep,
  Worker,
  Workflow,
  type WorkflowContext,
} from '../../../lib/index.js';
import { createTestingDurable } from '../../../lib/testing/index.js';
import { bootApp } from '../../support/nest-app.js';
import { until } from '../../support/until.js';
import { newRun } from '../../contract/conformance/fixtures.js';
import { reportOf, taskOf } from '../../../lib/conformance/transport.js';
import type { Served } from '../../../lib/engine/nodes.js';
import { NOTHING_HELD } from '../../../lib/acts/holds.js';
import { type MemoryBackend, memoryBackend } from '../../../lib/memory-backend.js';
import { DurableLog } from '../../../lib/nest/log.js';
import { UnservedWork } from '../../../lib/nest/presence.js';
import { Telemetry } from '../../../lib/core/telemetry.js';
import { ManualClock } from '../../../lib/core/time.js';

const since = '2026-01-01T00:00:00.000Z';

describe('what nobody serves', () => {
  let clock: ManualClock;
  let backend: MemoryBackend;
  let effects: ReturnType<MemoryBackend['effects']>;
  let lines: string[];
  let work: UnservedWork;
  let watchOf: (nodeId: string) => UnservedWork;
  let held: string[];
  beforeEach(async () => {
    clock = new ManualClock();
    backend = memoryBackend({ clock });
    effects = backend.effects();
    lines = [];
    held = [];
    const telemetry = new Telemetry();
    const keep = (line: string) => void lines.push(line);
    new DurableLog({ log: keep, warn: keep, error: keep }, clock).subscribe(telemetry);
    const { engine, source } = backend;
    watchOf = (nodeId) =>
      new UnservedWork({
        storage: { engine, source, effects, clock },
        nodeId,
        namespace: '',
        telemetry,
        held: { ...NOTHING_HELD, isHeld: (kind, name) => held.includes(`${kind} ${name}`) },
      });
    work = watchOf('app');
    await signIn('app', {}, 'engine');
  });

  const start = (workflow: string, version = 1) =>
    backend.engine.catalog.create([newRun(workflow, { workflow, version })]);
  const enqueue = (handler: string) =>
    effects.store.enqueue([{ entryId: handler, operation: 'erase', subject: 'u1', handler, ref: '1', payload: '{}' }]);
  const signIn = (id: string, serves: Served, roles = 'worker') =>
    backend.engine.roster.beat({ id, namespace: '', roles, serves }, 3_600_000);
  /** Passes more than `ms`, with a look at the end. */
  const pass = async (ms: number) => {
    clock.advance(ms);
    await work.look();
  };

  it('is told of after 30 s: the step, the group, and who is signed in', async () => {
    await signIn('w1', { groups: { mail: ['send'], bills: ['print'] } });
    await backend.engine.dispatcher.dispatch([
      taskOf(1, { name: 'charge', group: 'payments' }),
      taskOf(2, { name: 'charge', group: 'payments' }),
      taskOf(3, { name: 'post', group: 'mail' }),
      taskOf(4, { name: 'send', group: 'mail' }),
    ]);
    await pass(15_000);
    await pass(14_999);
    expect(lines).toEqual([]);
    await pass(15_000);
    expect(lines).toEqual([
      `2 tasks "charge" waiting in group "payments" since ${since}, first of run "run": no process that has signed in serves group "payments" (signed in: "w1" serves "mail", "bills"). Start a worker of that group with @RemoteStep('charge'), or correct the name`,
      `1 task "post" waiting in group "mail" since ${since}, first of run "run": group "mail" is served by "w1", without a handler for "post". Start a worker of that group with @RemoteStep('post'), or correct the name`,
    ]);
  });

  it('is told of runs whose workflow or version nobody has', async () => {
    await signIn('n1', { workflows: { order: [1], ship: [3] } });
    await start('order');
    await start('ship', 4);
    await start('gone');
    await pass(30_000);
    expect(lines).toEqual([
      `Runs of "ship" (version 4) have been due since ${since}: no process has version 4 of "ship"; version 3 is served by "n1". Start a process that has it, or terminate them`,
      `Runs of "gone" (version 1) have been due since ${since}: no process has version 1 of "gone". Start a process that has it, or terminate them`,
    ]);
  });

  it('is not the only thing: other code for the same workflows is told of once, by the first process that came with it', async () => {
    const codes = (order: string, ship: string) => ({ order: { 1: order }, ship: { 2: ship } });
    const workflows = { order: [1], ship: [2] };
    const engine = (id: string, order: string, ship: string, namespace = '') =>
      backend.engine.roster.beat(
        { id, namespace, roles: 'engine', serves: { workflows, codes: codes(order, ship) } },
        3_600_000,
      );
    await engine('elsewhere', 'z', 'z', 'other');
    for (const id of ['old 1', 'old 2', 'old 3', 'old 4']) await engine(id, 'a', 'a');
    clock.advance(1);
    work = watchOf('new 1');
    const second = watchOf('new 2');
    await engine('new 1', 'b', 'a');
    clock.advance(1);
    await engine('new 2', 'b', 'a');
    clock.advance(15_000);
    await Promise.all([work.look(), second.look(), watchOf('old 1').look()]);
    await pass(15_000);
    expect(lines).toEqual([
      'Processes "old 1", "old 2", "old 3" and 1 more and this process have different code for "order" (version 1). While a ' +
        'deploy replaces processes, that is as it should be: runs go on wherever the code fits their histories. If these ' +
        "are two apps, give each its own `namespace`, since they play each other's runs",
    ]);
    await engine('third', 'c', 'a');
    work = watchOf('third');
    await pass(15_000);
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^Processes "old 1", .* different code for "order" \(version 1\)\./),
      expect.stringMatching(
        /^Processes "new 1", "new 2" and this process have different code for "order" \(version 1\)\./,
      ),
    ]);
  });

  it('is told of calls without a handler after 30 s, and with too few after 5 minutes', async () => {
    await signIn('e1', { effects: ['crm'] });
    await enqueue('crm');
    await enqueue('mail');
    await pass(30_000);
    expect(lines).toEqual([
      `Calls of "mail" have waited since ${since}: no process that has signed in serves effect "mail" (signed in: "e1" serves "crm"). Start a process with @Effect('mail'), or more of them`,
    ]);
    await pass(270_000);
    const tooFew = `Calls of "crm" have waited since ${since}: effect "crm" is served by "e1". Start a process with @Effect('crm'), or more of them`;
    expect(lines.slice(1)).toEqual([tooFew]);
    await pass(15_000);
    expect(lines).toHaveLength(2);
  });

  it('is not told of while an operator holds it', async () => {
    held = ['group payments', 'workflow gone', 'effect mail'];
    await start('gone');
    await enqueue('mail');
    await backend.engine.dispatcher.dispatch([taskOf(1, { name: 'charge', group: 'payments' })]);
    for (let n = 0; n < 3; n++) await pass(15_000);
    expect(lines).toEqual([]);
    held = [];
    for (let n = 0; n < 2; n++) await pass(15_000);
    expect(lines).toHaveLength(3);
  });

  it('is told of by one process: the first one of its namespace that looks', async () => {
    const { roster } = backend.engine;
    await start('gone');
    await roster.beat({ id: 'a relay', namespace: '', roles: 'relay' }, 3_600_000);
    await roster.beat({ id: 'elsewhere', namespace: 'other', roles: 'engine' }, 3_600_000);
    await roster.beat({ id: 'another', namespace: '', roles: 'engine,worker' }, 40_000);
    await pass(30_000);
    expect(lines).toEqual([]);
    // That one has died.
    await pass(15_000);
    expect(lines).toHaveLength(1);
  });

  it('is not told of while its process is being replaced, and again when that has ended for good', async () => {
    await signIn('n1', { workflows: { order: [1] } });
    await start('order');
    await pass(60_000);
    await backend.engine.roster.leave('n1');
    await pass(15_000);
    expect(lines).toEqual([]);
    await pass(15_000);
    expect(lines).toEqual([
      expect.stringContaining('no process has had version 1 of "order" since 2026-01-01T00:01:00'),
    ]);
    await pass(15_000);
    await signIn('n1', { workflows: { order: [1] } });
    await pass(15_000);
    await backend.engine.roster.leave('n1');
    await pass(30_000);
    expect(lines).toHaveLength(2);
  });

  it('is not told of while workers claim it that do not sign in', async () => {
    const tasks = Array.from({ length: 10 }, (_, n) => taskOf(n, { name: 'resize', group: 'python' }));
    await backend.engine.dispatcher.dispatch(tasks);
    clock.advance(60_000);
    for (let n = 0; n < 4; n++) {
      const groups = [{ group: 'python', limit: 1 }];
      const request = { workerId: 'py', groups, names: ['resize'], limit: 1, leaseMs: 30_000 };
      const [task] = await backend.source.claim(request);
      await backend.source.report([reportOf(task!)]);
      await pass(15_000);
    }
    expect(lines).toEqual([]);
    for (let n = 0; n < 2; n++) await pass(15_000);
    expect(lines).toEqual([expect.stringMatching(/^6 tasks "resize" waiting in group "python"/)]);
  });
});

@Worker()
class Payments {
  @RemoteStep('payments.charge')
  charge(): string {
    return 'charged';
  }
}

@Workflow('unserved.order')
class Order {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.remote(Payments, { compensate: 'payments.refnud' }).charge();
    throw new Error('sold out');
  }
}

it('is told of by an app: here a compensation by the name of a step that nobody has', async () => {
  const durable = await createTestingDurable({ workflows: [Order], providers: [Payments] });
  const told = new Promise((resolve) => durable.app.get(DurableEvents).on('task.unserved').subscribe(resolve));
  const { id, result } = await durable.client.start(Order, undefined);
  await until('its compensation', async () =>
    (await durable.client.explain(id)).waitingFor.some(
      (wait) => wait.kind === 'task' && wait.name === 'payments.refnud',
    ),
  );
  // Noticed, and then told of.
  for (let n = 0; n < 3; n++) await durable.clock.advance('15s');
  expect(await told).toMatchObject({ name: 'payments.refnud', group: 'payments.refnud', count: 1 });
  await expect(result({ timeout: 1 })).rejects.toThrow(
    /remote step "payments\.refnud" \(compensates position 0\): .* serves group "payments\.refnud" \(signed in: ".*" serves "payments\.charge"\)/,
  );
  await durable.close();
});

describe('The code of a workflow', () => {
  const declared = (run: (ctx: WorkflowContext) => Promise<unknown>, Base: new () => object = Object) => {
    @Workflow('order')
    class Order extends Base {
      run(ctx: WorkflowContext): Promise<unknown> {
        return run(ctx);
      }
    }
    return Order;
  };
  class Greets {
    hello = 1;
  }
  class Waves {
    hello = 2;
  }
  const apps: INestApplicationContext[] = [];
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

  it('is what its processes sign in with: the same for the same class, another one for another', async () => {
    const backend = memoryBackend();
    @Workflow('order')
    class Other {
      async run(ctx: WorkflowContext): Promise<unknown> {
        return ctx.now();
      }
    }
    const run = () => Promise.resolve();
    for (const type of [declared(run), declared(run), Other, declared(run, Greets), declared(run, Waves)])
      apps.push(await bootApp({ imports: [DurableModule.forRoot({ backend })], providers: [type] }));
    const { nodes } = await backend.engine.roster.nodes();
    const codes = nodes.sort((a, b) => a.startedAt - b.startedAt).map(({ serves }) => serves.codes!['order']![1]);
    expect(codes.every((code) => /^[\w-]{12}$/.test(code!))).toBe(true);
    expect(new Set(codes).size).toBe(4);
  });
});
