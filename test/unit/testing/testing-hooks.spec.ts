import { Injectable } from '@nestjs/common';
import {
  type BlockedRun,
  type EndedRun,
  OnRunBlocked,
  OnRunEnded,
  Workflow,
  type WorkflowContext,
} from '../../../lib/index.js';
import { createTestingDurable, type TestingDurable } from '../../../lib/testing/index.js';

@Workflow('kit.sleeper')
class Sleeper {
  async run(ctx: WorkflowContext, fails: boolean): Promise<void> {
    await ctx.sleep('long', '3d');
    if (fails) throw new Error('as asked');
  }
}

@Workflow('kit.wrong')
class Wrong {
  async run(): Promise<void> {
    await (undefined as unknown as () => Promise<void>)();
  }
}

let told: string[] = [];
let refusals = 0;

@Injectable()
class Hooks {
  @OnRunEnded({ workflow: Sleeper, status: ['failed', 'cancelled'] })
  ended({ workflowId, status }: EndedRun): void {
    if (refusals-- > 0) throw new Error('not yet');
    told.push(`${workflowId} ${status}`);
  }

  @OnRunBlocked()
  blocked({ workflowId, reason }: BlockedRun): void {
    told.push(`${workflowId} ${reason}`);
  }
}

describe('hooks in the testing kit', () => {
  let durable: TestingDurable;
  beforeEach(async () => {
    [told, refusals] = [[], 0];
    durable = await createTestingDurable({ workflows: [Sleeper, Wrong], providers: [Hooks] });
  });
  afterEach(() => durable.close());

  it('are called once the app is at rest', async () => {
    const { client, clock } = durable;
    await client.start(Sleeper, true, { id: 'fails' });
    await client.start(Sleeper, false, { id: 'completes' });
    await client.start(Sleeper, false, { id: 'cancelled' });
    await client.start(Wrong, undefined, { id: 'wrong' });
    await durable.drain();
    expect(told).toEqual(['wrong programming_error']);
    await client.cancel('cancelled');
    await durable.drain();
    await clock.advance('4d');
    expect(told).toEqual(['wrong programming_error', 'cancelled cancelled', 'fails failed']);
  });

  it('are tried again as time passes', async () => {
    refusals = 2;
    await durable.client.start(Sleeper, true, { id: 'fails' });
    await durable.clock.advance('4d');
    await durable.clock.advance('1h');
    expect([told, refusals]).toEqual([['fails failed'], -1]);
  });
});
