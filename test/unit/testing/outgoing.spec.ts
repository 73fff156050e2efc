import { Workflow, type WorkflowContext } from '../../../lib/index.js';
import { createTestingDurable, type TestingDurable } from '../../../lib/testing/index.js';

@Workflow('tested.announcing')
class Announcing {
  async run(ctx: WorkflowContext, amount: number): Promise<unknown> {
    const first = await ctx.publish({ channel: 'orders', name: 'begun', data: { amount } });
    const total = await ctx.step('total', () => amount + 1);
    await ctx.sleep('cool down', '2h');
    const last = await ctx.publish('over', [{ channel: 'orders', name: 'over', mutationId: `over-${total}` }]);
    return { first: first.length, last };
  }
}

describe('a workflow that publishes, in the testing kit', () => {
  let durable: TestingDurable;
  beforeEach(async () => {
    durable = await createTestingDurable({ workflows: [Announcing] });
  });
  afterEach(() => durable.close());

  it('ends the same wherever its process dies', async () => {
    const explored = await durable.exploreCrashes((client) => client.start(Announcing, 1, { id: 'explored' }));
    expect(explored.undisturbed).toMatchObject({ status: 'completed', output: { first: 1, last: ['over-2'] } });
    expect(explored.writes).toBeGreaterThanOrEqual(3);
  });

  it('fits its history, also where it publishes next', async () => {
    const { id } = await durable.client.start(Announcing, 1);
    await durable.drain();
    const asleep = await durable.history(id);
    expect(await durable.replay(asleep)).toMatchObject({ verdict: 'fits', then: 'waits' });
    await durable.clock.advance('3h');
    const over = await durable.history(id);
    expect(await durable.replay(over)).toMatchObject({ verdict: 'fits', then: 'completed' });
    const before = { ...over, steps: over.steps.filter(({ seq }) => seq < 3) };
    expect(await durable.replay(before)).toMatchObject({ verdict: 'fits', then: 'completed' });
  });
});
