import type { WorkflowContext } from '../../../lib/engine/context.js';
import { gate } from '../../support/gate.js';
import { describeHouses, type House, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

/** Kills the process and starts another one, which takes over its runs. */
async function takeOver(house: House, dead: Process, ...args: Parameters<House['boot']>): Promise<Process> {
  dead.kill();
  await house.bury(dead);
  return house.boot(...args);
}

describeHouses('replay', (house) => {
  it('a recorded step is never run again, whichever write was the last before the process died (P2)', async () => {
    const observer = await house().boot({ engine: false });
    // Two writes per step at most; the run ends long before the last of these.
    for (let lastWrite = 1; lastWrite <= 12; lastWrite++) {
      const executed: string[] = [];
      const settled = new Set<string>();
      const again: string[] = [];
      const body = (process: () => Process | undefined) => async (ctx: WorkflowContext) => {
        const step = (name: string) =>
          ctx.step(name, () => {
            if (process()?.alive === false) return new Promise<string>(() => {});
            if (settled.has(name)) again.push(name);
            executed.push(name);
            return `${name}-${executed.length}`;
          });
        const a = await step('a');
        const both = await Promise.all([step('b'), step('c')]);
        await ctx.sleep('nap', 1);
        const remote = await ctx.remote<string>('far', a);
        return [a, ...both, remote, await step('d')];
      };
      const far = { far: (input: string) => `far ${input}` };
      const booted: { first?: Process; second?: Process } = {};
      let writes = 0;
      const first = await house().boot({
        workflows: { order: body(() => booted.first) },
        handlers: far,
        hooks: {
          after: (call, [batch], lost) => {
            if (call !== 'store.commit' || (lost as unknown[]).length > 0) return;
            const steps = (batch as { steps: { name: string; settled: number | null }[] }[]).flatMap((w) => w.steps);
            for (const { name, settled: place } of steps) if (place !== null) settled.add(name);
            if (++writes === lastWrite) booted.first?.kill();
          },
        },
      });
      booted.first = first;
      const id = `r${lastWrite}`;
      await observer.client.start('order', null, { id });
      await until('the process died or the run ended', async () => {
        if (!first.alive) return true;
        return (await observer.client.getStatus(id)).status === 'completed';
      });
      first.kill();
      const recorded = [...settled];
      const second = await takeOver(house(), first, { workflows: { order: body(() => booted.second) }, handlers: far });
      booted.second = second;
      const output = await second.client.result<string[]>(id);
      expect(again).toEqual([]);
      for (const name of ['a', 'b', 'c', 'd']) {
        const times = executed.filter((other) => other === name).length;
        expect(times).toBeGreaterThanOrEqual(1);
        // A step that ran, and whose record was lost with the process, runs once more; no other does.
        if (recorded.includes(name)) expect(times).toBe(1);
        expect(times).toBeLessThanOrEqual(2);
      }
      expect(output[3]).toBe(`far ${output[0]}`);
      await second.stop();
      second.kill();
    }
  });

  it('nothing acts before what decided it is recorded (P2)', async () => {
    const [held, record] = [gate(), gate()];
    const acted: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const a = await ctx.step('a', () => Math.random());
          acted.push('decided');
          return ctx.step('b', () => acted.push('acted') && a);
        },
      },
      hooks: {
        before: async (call) => {
          if (call !== 'store.commit') return;
          held.open();
          await record.opened;
        },
      },
    });
    const handle = await process.client.start('order');
    await held.opened;
    await until('the code has decided', () => acted.length > 0);
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(acted).toEqual(['decided']);
    record.open();
    await handle.result();
    expect(acted).toEqual(['decided', 'acted']);
  });

  it('values are the same on first delivery and on replay (E12)', async () => {
    const seen: unknown[][] = [];
    const [holds, hold] = [gate(), gate()];
    const body = (release: Promise<void>) => async (ctx: WorkflowContext) => {
      const values = [
        await ctx.step('date', () => new Date(86_400_000)),
        await ctx.step('undefined', () => undefined),
        await ctx.step('map', () => new Map<unknown, unknown>([['k', new Set([1n])]])),
        await ctx.step(
          'class',
          () =>
            new (class Point {
              x = 1;
              hidden = () => 2;
              toJSON() {
                return { x: 1 };
              }
            })(),
        ),
        await ctx.step('nan', () => [Number.NaN, -0, Number.POSITIVE_INFINITY]),
        await ctx.step('tag', () => ({ $durable: 'Date', value: 'mine' })),
        ctx.now(),
        ctx.random(),
        ctx.uuid(),
      ];
      seen.push(values);
      // It begins when all that was given to the code before is recorded.
      await ctx.step('hold', () => (holds.open(), release));
      return values;
    };
    const first = await house().boot({ workflows: { order: body(hold.opened) } });
    const { id } = await first.client.start('order');
    await holds.opened;
    const second = await takeOver(house(), first, { workflows: { order: body(Promise.resolve()) } });
    const output = await second.client.result(id);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
    expect(output).toEqual(seen[0]);
    const [date, nothing, map, point, numbers] = seen[0]!;
    expect(date).toBeInstanceOf(Date);
    expect(nothing).toBeUndefined();
    expect(map).toEqual(new Map([['k', new Set([1n])]]));
    expect(point).toEqual({ x: 1 });
    expect(Object.is((numbers as number[])[1], -0)).toBe(true);
  });

  it('what the code does to a value it was given does not reach the record (E12)', async () => {
    const shared = { list: [1] };
    const first = await house().boot({
      workflows: {
        order: async (ctx) => {
          const value = await ctx.step('value', () => shared);
          value.list.push(2);
          return { same: value === shared, value, again: await ctx.step('length', () => shared.list.length) };
        },
      },
    });
    expect(await first.client.startAndWait('order')).toEqual({ same: false, value: { list: [1, 2] }, again: 1 });
  });

  it('races are decided on replay as they were live, in many interleavings (E13)', async () => {
    const decide = async (ctx: WorkflowContext, waits: readonly number[], slow: (n: number) => Promise<void>) => {
      const log: string[] = [];
      const branch = async (name: string, wait: number, hops: number) => {
        for (let hop = 0; hop < hops; hop++) {
          await ctx.step(`${name}${hop}`, () => slow(wait));
          log.push(`${name}${hop}`);
        }
        return name;
      };
      const [a, b, c, d] = waits as [number, number, number, number];
      const raced = await Promise.race([branch('a', a, 2), branch('b', b, 1), ctx.sleep('s', c).then(() => 's')]);
      const failing = ctx.step('f', () => slow(d).then(() => Promise.reject(new Error('no'))), { retry: false });
      const any = await Promise.any([failing, branch('c', a, 1), branch('d', c, 1)]);
      const all = await Promise.allSettled([branch('e', b, 2), branch('g', d, 1), ctx.remote('far', waits)]);
      // Whether a late branch has come further must be the same as well.
      return { raced, any, all: all.map(({ status }) => status), log: [...log] };
    };
    const decisions = new Map<string, unknown[]>();
    const holding = new Set<string>();
    const hold = gate();
    const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const body =
      (slow: (n: number) => Promise<void>, held: Promise<void>) => async (ctx: WorkflowContext, waits: number[]) => {
        const decided = await decide(ctx, waits, slow);
        decisions.set(ctx.workflowId, [...(decisions.get(ctx.workflowId) ?? []), decided]);
        await ctx.step('hold', () => (holding.add(ctx.workflowId), held));
        return decided;
      };
    const far = { far: () => pause(Math.random() * 5) };
    const first = await house().boot({ workflows: { race: body(pause, hold.opened) }, handlers: far });
    const runs = 40;
    for (let n = 0; n < runs; n++) {
      const waits = Array.from({ length: 4 }, () => Math.floor(Math.random() * 4));
      await first.client.start('race', waits, { id: `r${n}` });
    }
    // Decided is not recorded yet; what is under way after it begins only then.
    await until('every decision is recorded', () => holding.size === runs);
    const second = await takeOver(house(), first, {
      workflows: { race: body(async () => undefined, Promise.resolve()) },
      handlers: far,
    });
    for (let n = 0; n < runs; n++) {
      const output = await second.client.result(`r${n}`);
      const [live, replayed] = decisions.get(`r${n}`)!;
      expect(replayed).toEqual(live);
      expect(output).toEqual(live);
    }
  });

  it('nothing is thrown through the code to suspend it, and no finally of it runs (E15)', async () => {
    const caught: unknown[] = [];
    const first = await house().boot({
      residencyMs: 30,
      workflows: {
        order: async (ctx) => {
          try {
            await ctx.remote('nobody');
          } catch (error) {
            caught.push(error);
          } finally {
            caught.push('finally');
          }
          return 'swallowed';
        },
      },
    });
    const { id } = await first.client.start('order');
    await until('the run is parked', async () => {
      await first.engine.residents.tick();
      const { status } = await first.client.getStatus(id);
      return status === 'suspended' && first.engine.residents.size === 0;
    });
    expect(caught).toEqual([]);
  });

  it('code that no longer fits blocks the run and says where; it goes on with code that fits (E14)', async () => {
    const hold = gate();
    const old = (release: Promise<void>) => async (ctx: WorkflowContext) => {
      const a = await ctx.step('a', () => 1);
      await ctx.step('hold', () => release);
      return a + (await ctx.step('b', () => 1));
    };
    const first = await house().boot({ workflows: { order: old(hold.opened) } });
    const { id } = await first.client.start('order');
    await until(
      'a is recorded',
      async () => (await first.client.getStatus(id, { history: true })).history!.length >= 1,
    );
    const changed = async (ctx: WorkflowContext) => {
      await ctx.step('new', () => 1).catch(() => 'swallowed');
      return 'wrong';
    };
    const second = await takeOver(house(), first, { workflows: { order: changed } });
    const blocked = await until('the run is blocked', async () => {
      const status = await second.client.getStatus(id);
      return status.reason === null ? undefined : status;
    });
    expect(blocked).toMatchObject({ status: 'suspended', reason: 'non_determinism', error: null });
    expect(blocked.reasonDetail).toMatch(/recorded step "a" at position 0.*asks for step "new"/);
    // A process that has just started may be trying it once more.
    const listed = await until('it is listed', async () => {
      const { runs } = await second.client.list({ blocked: true });
      return runs.length > 0 && runs;
    });
    expect(listed.map((run) => run.id)).toEqual([id]);
    // A process tries blocked runs once, when it starts: the second may not hold this one just then.
    const third = await takeOver(house(), second, { workflows: { order: old(Promise.resolve()) } });
    expect(await third.client.result(id)).toBe(2);
  });

  it('code that ends before its history does is no match either', async () => {
    const hold = gate();
    const first = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('a', () => 1);
          await ctx.step('hold', () => hold.opened);
        },
      },
    });
    const { id } = await first.client.start('order');
    await until(
      'a is recorded',
      async () => (await first.client.getStatus(id, { history: true })).history!.length >= 1,
    );
    const second = await takeOver(house(), first, { workflows: { order: async () => 'short' } });
    const blocked = await until('the run is blocked', async () => {
      const status = await second.client.getStatus(id);
      return status.reason === null ? undefined : status;
    });
    expect(blocked.reasonDetail).toMatch(/recorded step "a" at position 0.*asks for nothing/);
  });

  it('a programming error blocks the run, undoes nothing, and a fixed deploy goes on (N6)', async () => {
    const done: string[] = [];
    const body = (fixed: boolean) => async (ctx: WorkflowContext) => {
      await ctx.step('a', () => void done.push('a'));
      const order = (fixed ? { total: 1 } : undefined) as { total: number };
      return order.total;
    };
    const first = await house().boot({ workflows: { order: body(false) } });
    const { id } = await first.client.start('order');
    const blocked = await until('the run is blocked', async () => {
      const status = await first.client.getStatus(id);
      return status.reason === null ? undefined : status;
    });
    expect(blocked).toMatchObject({ status: 'suspended', reason: 'programming_error', error: null });
    expect(blocked.reasonDetail).toMatch(/^TypeError: .*total/);
    const second = await house().boot({ workflows: { order: body(true) } });
    expect(await second.client.result(id)).toBe(1);
    expect(done).toEqual(['a']);
  });

  it('a thousand steps are replayed in order, and each is recorded once', async () => {
    const ran: number[] = [];
    const hold = gate();
    const body = (release: Promise<void>) => async (ctx: WorkflowContext) => {
      let sum = 0;
      for (let n = 0; n < 300; n++) sum += await ctx.step('add', () => (ran.push(n), n));
      await ctx.step('hold', () => release);
      return sum;
    };
    const first = await house().boot({ workflows: { order: body(hold.opened) } });
    const { id } = await first.client.start('order');
    await until('all are recorded', async () => (await first.storage.catalog.steps(id)).length >= 300);
    const second = await takeOver(house(), first, { workflows: { order: body(Promise.resolve()) } });
    expect(await second.client.result(id)).toBe((300 * 299) / 2);
    expect(ran).toHaveLength(300);
  });
});
