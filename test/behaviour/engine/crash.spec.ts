import type { WorkflowContext } from '../../../lib/engine/context.js';
import { ManualClock } from '../../../lib/core/time.js';
import { gate } from '../../support/gate.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

describeHouses('a process that dies', (house) => {
  it('has its runs taken over once its lease has run out, by itself (N8)', async () => {
    const hold = gate();
    const body = (released: Promise<void>) => (ctx: WorkflowContext) =>
      ctx.step('hold', ({ attempt }) => released.then(() => attempt));
    const first = await house().boot({ nodeLeaseMs: 600, workflows: { order: body(hold.opened) } });
    const { id } = await first.client.start('order');
    await until('it is played', async () => (await first.client.getStatus(id)).status === 'running');
    const second = await house().boot({ nodeLeaseMs: 600, workflows: { order: body(Promise.resolve()) } });
    first.kill();
    // A crash is no failed attempt of the step (N8).
    expect(await second.client.result(id)).toBe(1);
  });

  it('and comes back as a zombie writes nothing, its signals abort, and the new owner decides (E20, T25)', async () => {
    const [inside, frozen, thawed] = [gate(), gate(), gate()];
    const aborted: string[] = [];
    let freeze = false;
    const zombie = await house().boot({
      nodeLeaseMs: 60_000,
      workflows: {
        order: async (ctx) => {
          ctx.signal.addEventListener('abort', () => aborted.push('run'));
          return ctx.step('a', async ({ signal }) => {
            signal.addEventListener('abort', () => aborted.push('step'));
            inside.open();
            await thawed.opened;
            return 'zombie';
          });
        },
      },
      hooks: {
        // It neither beats nor looks at what it owns while it is frozen.
        before: (call) => (freeze && call.startsWith('roster') ? frozen.opened : undefined),
      },
    });
    const { id } = await zombie.client.start('order');
    await inside.opened;
    freeze = true;
    await house().bury(zombie);
    const heir = await house().boot({ workflows: { order: (ctx) => ctx.step('a', () => 'heir') } });
    expect(await heir.client.result(id)).toBe('heir');
    const before = await heir.client.getStatus(id, { history: true });
    thawed.open();
    await until('the zombie noticed', () => aborted.length === 2);
    frozen.open();
    expect(aborted.sort()).toEqual(['run', 'step']);
    expect(await heir.client.getStatus(id, { history: true })).toEqual(before);
    expect(before.history).toMatchObject([{ name: 'a', output: 'heir', status: 'completed' }]);
  });

  it('again and again with the same run is not let to: the run fails, innocents do not (E6)', async () => {
    let killed = 0;
    const crashCap = 5;
    const boot = (): Promise<Process> => {
      let process: Process | undefined;
      const started = house().boot({
        crashCap,
        workflows: {
          killer: (ctx) =>
            ctx.step('kill', () => {
              killed++;
              process?.kill();
              return new Promise(() => {});
            }),
          innocent: async (ctx) => {
            await ctx.step('a', () => 1);
            await ctx.sleep('nap', 50);
            return ctx.step('b', () => 'fine');
          },
        },
      });
      return started.then((own) => (process = own));
    };
    const observer = await house().boot({ engine: false });
    await observer.client.start('killer', null, { id: 'killer' });
    const innocents = Array.from({ length: 10 }, (_, n) => `i${n}`);
    for (const id of innocents) await observer.client.start('innocent', null, { id });
    for (let round = 0; round < 30; round++) {
      const process = await boot();
      const over = await until('it died, or all is over', async () => {
        const { runs } = await observer.client.list();
        return !process.alive || runs.every(({ status }) => status === 'completed' || status === 'failed');
      });
      expect(over).toBe(true);
      if (process.alive) break;
      await house().bury(process);
    }
    expect((await observer.client.getStatus('killer')).error).toMatchObject({ code: 'crash_loop' });
    expect(killed).toBe(crashCap);
    for (const id of innocents) expect((await observer.client.getStatus(id)).status).toBe('completed');
  });

  it('between a failed attempt and the next loses neither the count nor the wait (E8)', async () => {
    const attempts: number[] = [];
    // What one process does: it is killed after its first attempt, however long that takes.
    const body = () => {
      let tried = false;
      return (ctx: WorkflowContext) =>
        ctx.step(
          'flaky',
          ({ attempt }) => {
            if (tried) return new Promise<never>(() => {});
            tried = true;
            attempts.push(attempt);
            return Promise.reject(Object.assign(new Error(`no ${attempt}`), { code: `E${attempt}` }));
          },
          { retry: { attempts: 4, backoff: { delay: 300, factor: 1, jitter: 'none' } } },
        );
    };
    let process = await house().boot({ workflows: { order: body() } });
    const observer = await house().boot({ engine: false });
    const { id } = await observer.client.start('order');
    for (let failures = 1; failures <= 3; failures++) {
      const step = await until(`${failures} failures are recorded`, async () => {
        const { history } = await observer.client.getStatus(id, { history: true });
        return history![0]?.failures === failures ? history![0] : undefined;
      });
      expect(step.status).toBe('pending');
      expect(step.wakeAt).toBeInstanceOf(Date);
      process.kill();
      await house().bury(process);
      process = await house().boot({ workflows: { order: body() } });
    }
    await expect(observer.client.result(id)).rejects.toMatchObject({ message: 'no 4', code: 'E4' });
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  it('in good order gives its runs away at once: what waits is parked, what works is finished', async () => {
    const hold = gate();
    let running = false;
    const body = async (ctx: WorkflowContext) => {
      const a = await ctx.step('a', async () => {
        running = true;
        await hold.opened;
        return 'done once';
      });
      return [a, await ctx.step('b', () => ctx.workflowId)];
    };
    const waits = (ctx: WorkflowContext) => ctx.remote('far');
    const first = await house().boot({ shutdownMs: 30_000, workflows: { order: body, waits } });
    await first.client.start('order', null, { id: 'works' });
    await first.client.start('waits', null, { id: 'waits' });
    await until('the step runs', () => running);
    await until('the task is there', async () => (await first.storage.dispatcher.lost(['waits:0'])).length === 0);
    const stopping = first.stop();
    const observer = await house().boot({ engine: false });
    await until(
      'the waiting run is parked',
      async () => (await observer.client.getStatus('waits')).status === 'suspended',
    );
    hold.open();
    await stopping;
    first.kill();
    expect((await observer.client.getStatus('works', { history: true })).history).toMatchObject([
      { output: 'done once' },
    ]);
    running = false;
    const second = await house().boot({ workflows: { order: body, waits }, handlers: { far: () => 'near' } });
    expect(await second.client.result('works')).toEqual(['done once', 'works']);
    expect(await second.client.result('waits')).toBe('near');
    expect(running).toBe(false);
  });
});

const clock = new ManualClock();

describeHouses(
  'a process that dies by a clock that is turned',
  (house) => {
    it('while its run slept: the sleep ends when it would have', async () => {
      const body = async (ctx: WorkflowContext) => {
        const before = ctx.now();
        await ctx.sleep('nap', 700);
        return [before, ctx.now()];
      };
      const first = await house().boot({ workflows: { order: body } });
      const { id } = await first.client.start('order');
      await until('it sleeps', async () => (await first.client.getStatus(id, { history: true })).history!.length === 2);
      clock.advance(200);
      first.kill();
      await house().bury(first);
      clock.advance(300);
      const second = await house().boot({ workflows: { order: body } });
      await until('it is played again', () => second.engine.residents.size === 1);
      clock.advance(199);
      expect((await second.client.getStatus(id)).finishedAt).toBeNull();
      clock.advance(1);
      const [before, after] = await second.client.result<[Date, Date]>(id);
      expect(after.getTime() - before.getTime()).toBe(700);
    });
  },
  { clock },
);

describeHouses('several engines', (house) => {
  it('on one storage play 20 of 20 runs to the end, however the answers fall (T5)', async () => {
    const ran = new Map<string, number>();
    const body = async (ctx: WorkflowContext, n: number) => {
      const a = await ctx.remote<number>('double', n);
      const b = await ctx.step('add', ({ stepId }) => {
        ran.set(stepId, (ran.get(stepId) ?? 0) + 1);
        return a + 1;
      });
      const [c, d] = await Promise.all([ctx.remote<number>('double', b), ctx.remote<number>('double', a)]);
      return c + d;
    };
    const handlers = { double: (n: number) => n * 2 };
    const processes = await Promise.all(
      [1, 2, 3].map(() => house().boot({ workflows: { order: body }, handlers, residencyMs: 20 })),
    );
    const handles = await Promise.all(
      Array.from({ length: 20 }, (_, n) => processes[n % 3]!.client.start('order', n, { id: `r${n}` })),
    );
    const outputs = await Promise.all(handles.map((handle) => handle.result({ timeout: '120s' })));
    expect(outputs).toEqual(Array.from({ length: 20 }, (_, n) => (n * 2 + 1) * 2 + n * 4));
    for (const [stepId, times] of ran) expect([stepId, times]).toEqual([stepId, 1]);
  });

  it('of two namespaces settle each their own answers (T6)', async () => {
    const handlers = { double: (n: number) => n * 2 };
    const processes = await Promise.all(
      ['red', 'blue'].map((namespace) =>
        house().boot({
          namespace,
          residencyMs: 1,
          handlers,
          workflows: { order: async (ctx, n: number) => `${namespace} ${await ctx.remote('double', n)}` },
        }),
      ),
    );
    const [red, blue] = processes as [Process, Process];
    const starts = Array.from({ length: 20 }, (_, n) => (n % 2 ? red : blue).client.start('order', n, { id: `r${n}` }));
    const handles = await Promise.all(starts);
    const outputs = await Promise.all(handles.map((handle) => handle.result({ timeout: '120s' })));
    expect(outputs).toEqual(Array.from({ length: 20 }, (_, n) => `${n % 2 ? 'red' : 'blue'} ${n * 2}`));
    expect((await red.client.list()).runs).toHaveLength(10);
    await expect(blue.client.start('order', 1, { id: 'r1' })).rejects.toMatchObject({ code: 'WORKFLOW_ID_CONFLICT' });
  });

  it('leave a workflow or version they do not have for one that has it (T13)', async () => {
    const old = await house().boot({ workflows: { other: async () => 1 } });
    await old.client.start('order', null, { id: 'r1', version: 2 });
    await old.client.startAndWait('other');
    expect(await old.client.getStatus('r1')).toMatchObject({ status: 'pending', reason: null });
    const fresh = await house().boot({ engine: false, role: 'engine' });
    fresh.define('order', async (ctx) => ctx.version, 2);
    await fresh.start();
    expect(await fresh.client.result('r1')).toBe(2);
  });
});
