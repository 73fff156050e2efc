import type { WorkflowHandle } from '../../../lib/engine/client/results.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import type { KeyedLimits } from '../../../lib/engine/limits.js';
import type { RemoteStepDirectory } from '../../../lib/engine/workflow.js';
import { gate } from '../../support/gate.js';
import {
  type BootOptions,
  describeHouses,
  describeSqlHouses,
  type House,
  type Process,
} from '../../support/processes.js';
import { until } from '../../support/until.js';

type Body = (ctx: WorkflowContext, input: never) => Promise<unknown>;

/** A process that plays `order` within limits. */
async function limited(house: House, body: Body, limits: KeyedLimits, options: BootOptions = {}): Promise<Process> {
  const process = await house.boot({ ...options, engine: false, role: 'engine' });
  process.registry.register({ name: 'order', version: 1, limits, runner: { run: body } });
  await process.start();
  return process;
}

/** How many are inside at once, at most. */
function semaphore() {
  let inside = 0;
  let most = 0;
  return {
    get most() {
      return most;
    },
    async pass(work: () => Promise<unknown>) {
      most = Math.max(most, ++inside);
      try {
        await work();
      } finally {
        inside--;
      }
    },
  };
}

const breath = () => new Promise<void>((resolve) => setTimeout(resolve, 3));

const stepsOf = (limits: KeyedLimits): RemoteStepDirectory => ({
  ofClass: () => new Map(),
  ofName: (name) => ({ name, group: name, limits }),
});

describeHouses('limits of a workflow', (house) => {
  it('are kept by all processes together, and every run has its turn', async () => {
    const doors = semaphore();
    // Nobody leaves before there were two, however far apart they come.
    const met = () => until('another is inside', () => doors.most > 1).then(breath);
    const body: Body = (ctx) => ctx.step('work', () => doors.pass(met));
    const processes = [];
    for (let n = 0; n < 3; n++) processes.push(await limited(house(), body, { concurrency: { limit: 3 } }));
    const { client } = processes[0]!;
    const handles = await Promise.all(Array.from({ length: 60 }, (_, n) => client.start('order', n)));
    await Promise.all(handles.map(({ result }) => result({ timeout: '120s' })));
    expect(doors.most).toBeLessThanOrEqual(3);
    expect(doors.most).toBeGreaterThan(1);
  });

  it('wait without a place that is lost: cancelled, failed and terminated runs give theirs back', async () => {
    const stay = gate();
    const body: Body = (ctx, input: string) =>
      ctx.step('work', () => (input === 'fails' ? Promise.reject(new Error('no')) : stay.opened), { retry: false });
    const process = await limited(house(), body, { concurrency: { limit: 1 } });
    const { client } = process;
    const first = await client.start('order', 'stays');
    await until('it works', async () => (await first.status()).status === 'running');
    const rest: WorkflowHandle[] = [];
    for (const input of ['fails', 'stays', 'stays', 'fails']) rest.push(await client.start('order', input));
    await until('all wait', async () =>
      (await Promise.all(rest.map(({ status }) => status()))).every(({ reason }) => reason === 'concurrency_limit'),
    );
    await rest[2]!.cancel();
    await client.terminate(first.id);
    await until('the next has its turn', async () => (await rest[1]!.status()).status === 'running');
    await rest[1]!.cancel();
    await expect(rest[3]!.result({ timeout: '120s' })).rejects.toThrow('no');
    stay.open();
    expect(await (await client.start('order', 'stays')).result({ timeout: '120s' })).toBe(undefined);
  });

  it('of a remote step hold for the fleet, with retries and with answers to parked runs', async () => {
    const doors = semaphore();
    const tries = new Map<number, number>();
    const handlers = {
      charge: async (n: number) => {
        tries.set(n, (tries.get(n) ?? 0) + 1);
        await doors.pass(breath);
        if (n % 5 === 0 && tries.get(n) === 1) throw new Error('once more');
        return n;
      },
    };
    const workflows = {
      order: (ctx: WorkflowContext, n: never) =>
        ctx.remote('charge', n, { retry: { attempts: 2, backoff: { delay: 5 } } }),
    };
    const steps = stepsOf({ concurrency: { limit: 2 } });
    const worker = { leaseMs: 30_000 };
    const first = await house().boot({ workflows, steps, handlers, worker, residencyMs: 50 });
    await house().boot({ workflows, steps, handlers, worker });
    const handles = await Promise.all(Array.from({ length: 30 }, (_, n) => first.client.start('order', n)));
    const outputs = await Promise.all(handles.map(({ result }) => result({ timeout: '120s' })));
    expect(outputs).toEqual(Array.from({ length: 30 }, (_, n) => n));
    expect(doors.most).toBeLessThanOrEqual(2);
    expect([...tries.values()].reduce((sum, n) => sum + n, 0)).toBe(36);
  });

  it('of a remote step are given back by a run that goes on without its answer', async () => {
    const never = new Promise(() => undefined);
    const undone = gate();
    let [asked, stuck] = [0, 0];
    /** Until a worker is at it, so that it has its place. */
    const taken = (ctx: WorkflowContext, nth: number) =>
      ctx.step('taken', () => until('a worker is at it', () => stuck >= nth).then(() => null));
    const workflows: Record<string, Body> = {
      again: async (ctx: WorkflowContext<number>, life: number) => {
        if (life > 1) return ctx.remote('slow', { waits: false });
        void ctx.remote('slow', { waits: true });
        await taken(ctx, 1);
        return ctx.continueAsNew(2);
      },
      saga: async (ctx, queued: boolean) => {
        await ctx.step('booked', () => 1, { compensate: () => undone.opened });
        void ctx.remote('slow', { waits: true });
        if (queued) void ctx.remote('slow', { waits: true });
        await taken(ctx, 2);
        return ctx.fail('no');
      },
      other: (ctx) => ctx.remote('slow', { waits: false }),
    };
    const handlers = { slow: ({ waits }: { waits: boolean }) => (++asked, waits ? (++stuck, never) : 'done') };
    const steps = stepsOf({ concurrency: { limit: 1 } });
    const { client } = await house().boot({ workflows, handlers, worker: { leaseMs: 30_000 }, steps });
    expect(await (await client.start('again', 1)).result({ timeout: '120s' })).toBe('done');
    const saga = await client.start('saga', true);
    await until('it is being undone', async () => (await saga.status()).status === 'compensating');
    const before = asked;
    expect(await (await client.start('other')).result({ timeout: '120s' })).toBe('done');
    // Nor is what still stood in line asked for.
    expect(asked).toBe(before + 1);
    undone.open();
    await expect(saga.result({ timeout: '120s' })).rejects.toThrow('no');
  });
});

describeSqlHouses('limits when processes are killed', (house) => {
  it('are never exceeded, and no place is lost', async () => {
    const doors = semaphore();
    let killed = false;
    const body: Body = (ctx) => ctx.step('work', () => doors.pass(breath));
    const boot = () => limited(house(), body, { concurrency: { limit: 2 } });
    const victims = [await boot(), await boot()];
    const survivor = await boot();
    const handles = await Promise.all(Array.from({ length: 40 }, (_, n) => survivor.client.start('order', n)));
    await until('some have ended', async () => (await handles[3]!.status()).status === 'completed' || killed);
    for (const victim of victims) victim.kill();
    killed = true;
    for (const victim of victims) await house().bury(victim);
    await Promise.all(handles.map(({ result }) => result({ timeout: '120s' })));
    const left = await survivor.storage.admissions.waiting('', 100);
    expect(left.limiters).toEqual([]);
    await until('no place is taken', async () => {
      const rows = await house().backend!.query('SELECT holder FROM durable_limiter_entries');
      return (rows as unknown[]).length === 0;
    });
  });
});
