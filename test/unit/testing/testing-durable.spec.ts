import { Module } from '@nestjs/common';
import {
  DurableModule,
  RemoteStep,
  Worker,
  Workflow,
  type WorkflowContext,
  WorkflowSignal,
} from '../../../lib/index.js';
import { createTestingDurable, type RecordedHistory, type TestingDurable } from '../../../lib/testing/index.js';

const approved = new WorkflowSignal<{ by: string }>('approved');
let charged = 0;

@Worker()
class Payments {
  @RemoteStep('payments.charge', { retry: { attempts: 3, backoff: { delay: '1h', factor: 1, jitter: 'none' } } })
  charge(amount: number): string {
    charged++;
    return `charge-${amount}`;
  }
}

@Workflow('tested.order')
class Order {
  async run(ctx: WorkflowContext, amount: number): Promise<unknown> {
    const total = await ctx.step('total', () => amount + 1);
    const approval = await ctx.waitForSignal('approval', approved, { timeout: '3d' });
    if (!approval) return { expired: ctx.now().toISOString() };
    const charge = await ctx.remote(Payments).charge(total);
    await ctx.transaction('book', () => undefined);
    await ctx.sleep('cool down', '2h');
    return { charge, by: approval.by };
  }
}

@Module({ providers: [Order, Payments] })
class Feature {}

@Module({ imports: [Feature, DurableModule.forRoot({ prefix: 'own' })] })
class App {}

describe('createTestingDurable', () => {
  let durable: TestingDurable;
  beforeEach(async () => {
    charged = 0;
    durable = await createTestingDurable({ workflows: [Order], providers: [Payments] });
  });
  afterEach(() => durable.close());

  it('lets days pass in no time, each thing at the moment at which it is due', async () => {
    const { id } = await durable.client.start(Order, 1);
    await durable.drain();
    expect(await durable.client.getStatus(id)).toMatchObject({
      status: expect.stringMatching(/running|suspended/) as string,
    });
    await durable.clock.advance('2d');
    expect((await durable.client.getStatus(id)).finishedAt).toBeNull();
    await durable.clock.advance('2d');
    expect(await durable.client.getStatus(id)).toMatchObject({
      status: 'completed',
      output: { expired: '2026-01-04T00:00:00.000Z' },
    });
  });

  it('watches steps and acts in their place', async () => {
    const charges = durable.spy(Payments, 'charge');
    const booked = durable.spyStep('book');
    let failures = 1;
    charges.replace((amount: number) => {
      if (failures-- > 0) throw new Error('not now');
      return `replaced-${amount}`;
    });
    const { id } = await durable.client.start(Order, 1);
    await durable.client.signal(approved, { by: 'Ada' }, { workflowId: id });
    expect(await charges.called()).toMatchObject({ input: 2, attempt: 1, error: new Error('not now') });
    await durable.drain();
    expect(charges.calls).toHaveLength(1);
    await durable.clock.advance('1h');
    expect(await charges.called(2)).toMatchObject({ attempt: 2, output: 'replaced-2' });
    await booked.called();
    await durable.clock.advance('2h');
    expect(await durable.client.result(id)).toEqual({ charge: 'replaced-2', by: 'Ada' });
    expect(charged).toBe(0);
  });

  it('plays a recorded history against code', async () => {
    const { id } = await durable.client.start(Order, 1);
    await durable.drain();
    const history = JSON.parse(JSON.stringify(await durable.history(id))) as Awaited<
      ReturnType<TestingDurable['history']>
    >;
    expect(await durable.replay(history)).toEqual({ verdict: 'fits', then: 'waits' });
    const [first, ...others] = history.steps;
    const otherwise = { ...history, steps: [{ ...first!, name: 'sum' }, ...others] };
    expect(await durable.replay(otherwise)).toMatchObject({
      verdict: 'blocks',
      position: 0,
      recorded: 'step "sum"',
      asked: 'step "total"',
    });
  });

  it('takes a module, be it one that imports DurableModule itself', async () => {
    for (const module of [Feature, App]) {
      const other = await createTestingDurable(module);
      const { id } = await other.client.start(Order, 1);
      await other.clock.advance('3d');
      expect(await other.client.getStatus(id)).toMatchObject({ status: 'completed' });
      await other.close();
    }
  });

  it('explores every crash of a run, and finds that it ends the same', async () => {
    const explored = await durable.exploreCrashes(async (client) => {
      const { id } = await client.start(Order, 1, { id: 'explored' });
      await client.signal(approved, { by: 'Ada' }, { workflowId: id });
      return id;
    });
    expect(explored.undisturbed).toMatchObject({ status: 'completed', output: { charge: 'charge-2', by: 'Ada' } });
    expect(explored.writes).toBeGreaterThanOrEqual(5);
    expect(explored.crashes).toBe(2 * explored.writes);
  });

  it('explores a recorded run from where it is, or from a position of it', async () => {
    const { id } = await durable.client.start(Order, 1, { id: 'recorded' });
    await durable.client.signal(approved, { by: 'Ada' }, { workflowId: id });
    await durable.drain();
    const waiting = JSON.parse(JSON.stringify(await durable.history(id))) as RecordedHistory;
    await durable.clock.advance('3h');
    const ended = await durable.history(id);
    const output = { charge: 'charge-2', by: 'Ada' };
    const before = charged;
    const last = await durable.exploreCrashes(waiting);
    expect(last.undisturbed).toMatchObject({ id, status: 'completed', output });
    expect([charged, last.writes > 0]).toEqual([before, true]);
    const more = await durable.exploreCrashes(ended, { from: 2 });
    expect(more.undisturbed).toMatchObject({ status: 'completed', output });
    expect(more.writes).toBeGreaterThan(last.writes);
    expect(charged).toBeGreaterThan(before);
  });

  it('finds code whose end depends on where it crashed', async () => {
    let lives = 0;
    @Workflow('tested.forgetful')
    class Forgetful {
      async run(ctx: WorkflowContext): Promise<number> {
        const life = ++lives;
        await ctx.step('work', () => 1);
        await ctx.sleep('a day', '1d');
        return life;
      }
    }
    const forgetful = await createTestingDurable({ workflows: [Forgetful] });
    const explored = forgetful.exploreCrashes((client) => client.start(Forgetful, undefined, { id: 'forgetful' }));
    await expect(explored).rejects.toThrow(/just before write 1, its run ends as .*"output":/);
    await forgetful.close();
  });
});
