import { Workflow, type WorkflowContext } from '../../../lib/index.js';
import { createTestingDurable } from '../../../lib/testing/index.js';

let plays = 0;

@Workflow('by-chance')
class ByChance {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.step('toss', () => undefined);
    await ctx.step(plays++ % 2 === 0 ? 'heads' : 'tails', () => undefined);
    await ctx.sleep('nap', '1h');
  }
}

@Workflow('by-time')
class ByTime {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.executeChild('child', { at: Date.now() });
  }
}

@Workflow('fails')
class Fails {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.executeChild('child', { at: Date.now() });
    ctx.fail('no');
  }
}

@Workflow('child')
class Child {
  async run(ctx: WorkflowContext): Promise<number> {
    return ctx.step('one', () => 1);
  }
}

@Workflow('outside')
class Outside {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.step('one', () => 1);
    await new Promise((resolve) => setImmediate(resolve));
    await ctx.step('two', () => 2);
  }
}

@Workflow('outside-first')
class OutsideFirst {
  async run(ctx: WorkflowContext): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await ctx.step('one', () => 1);
  }
}

describe('Exploring the crashes of code that is not deterministic', () => {
  it.each([
    [ByChance, 1, 'step "heads"', 'step "tails"'],
    [ByTime, 0, 'child "child" with the same input', 'child "child" with another one (it differs at .at)'],
    [Fails, 0, 'child "child" with the same input', 'child "child" with another one (it differs at .at)'],
    [Outside, 1, 'step "two"', 'a wait for something that is no step: a timer, fetch or a query'],
    [OutsideFirst, 0, 'step "one"', 'a wait for something that is no step: a timer, fetch or a query'],
  ])('says so, and where: %p', async (workflow, seq, recorded, asked) => {
    plays = 0;
    const durable = await createTestingDurable({ workflows: [ByChance, ByTime, Fails, Outside, OutsideFirst, Child] });
    const explored = durable.exploreCrashes((client) => client.start(workflow, undefined, { id: 'x' }));
    await expect(explored).rejects.toMatchObject({
      name: 'NonDeterminismError',
      code: 'NON_DETERMINISM',
      workflowId: 'x',
      seq,
      recorded,
      asked,
      message: expect.stringContaining('its code is not deterministic') as string,
    });
    await durable.close();
  });

  it('is not needed by the kit itself, which blocks such a run if it is told to', async () => {
    const durable = await createTestingDurable({ workflows: [ByTime, Child] }, { durable: { determinism: 'error' } });
    const { id } = await durable.client.start(ByTime);
    await durable.drain();
    expect(await durable.client.getStatus(id)).toMatchObject({ reason: 'non_determinism' });
    await durable.close();
  });
});
