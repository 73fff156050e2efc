import {
  NonRetryableStepError,
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  type WorkflowContext,
  WorkflowSignal,
} from '../../../lib/index.js';
import { UNRECORDED } from '../../../lib/engine/starts.js';
import { createTestingDurable, type TestingDurable } from '../../../lib/testing/index.js';

const by = { actor: 'ada', reason: 'mended' };
const RETRY = { attempts: 2, backoff: { delay: '1h', factor: 1, jitter: 'none' } } as const;
const approved = new WorkflowSignal<string>('approved');

/** Under which keys each step was executed. */
const keys = new Map<string, Set<string>>();
let isBroken = false;

function did(step: string, { idempotencyKey }: { idempotencyKey: string }): string {
  keys.set(step, (keys.get(step) ?? new Set()).add(idempotencyKey));
  return step;
}

/** Fails in the attempts of a life, and succeeds once it was given fresh ones. */
function mended(step: string, context: { idempotencyKey: string; attempt: number }): string {
  did(step, context);
  if (context.attempt <= RETRY.attempts) throw new Error(`${step} fails in attempt ${context.attempt}`);
  return step;
}

function undone(context: { idempotencyKey: string }): void {
  did('undo second', context);
  if (isBroken) throw new Error('it cannot be undone yet');
}

@Worker()
class Bank {
  @RemoteStep('bank.charge', { retry: RETRY })
  charge(_amount: number, step: StepContext): string {
    return mended('charge', step);
  }
}

@Workflow('exploring.order')
class Order {
  async run(ctx: WorkflowContext): Promise<unknown> {
    const reserved = await ctx.step('reserve', (step) => did('reserve', step));
    const charged = await ctx.remote(Bank).charge(7);
    return [reserved, charged, await ctx.executeChild('exploring.pack')];
  }
}

@Workflow('exploring.payout', { onExhausted: 'block' })
class Payout {
  async run(ctx: WorkflowContext): Promise<unknown> {
    const charged = await ctx.remote(Bank).charge(7);
    const sent = ctx.step('send', (step) => mended('send', step), { retry: RETRY });
    return [charged, ...(await Promise.all([sent, ctx.transaction('book', () => 'booked')]))];
  }
}

@Workflow('exploring.pack')
class Pack {
  run(ctx: WorkflowContext): Promise<string> {
    return ctx.step('pack', (step) => mended('pack', step), { retry: RETRY });
  }
}

@Workflow('exploring.refund')
class Refund {
  async run(ctx: WorkflowContext, account: string): Promise<unknown> {
    const found = await ctx.step('find', (step) => did('find', step));
    const checked = await ctx.step('check', (step) => {
      did('check', step);
      if (account !== 'right') throw new NonRetryableStepError('a wrong account');
      return account;
    });
    return [found, checked, await ctx.step('pay', (step) => did('pay', step))];
  }
}

@Workflow('exploring.approval', { onExhausted: 'block' })
class Approval {
  async run(ctx: WorkflowContext): Promise<unknown> {
    const said = await ctx.waitForSignal('approval', approved);
    const paid = await ctx.step('pay', (step) => mended('pay', step), { retry: RETRY });
    const signed = await ctx.step('sign', (step) => mended('sign', step), { retry: RETRY });
    return [said, paid, signed ?? 'not signed'];
  }
}

@Workflow('exploring.undone')
class Undone {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.step('first', () => 1, { compensate: (_, step) => did('undo first', step) });
    await ctx.step('second', () => 2, { compensate: (_, step) => undone(step), retry: RETRY });
    ctx.fail('it must be undone');
  }
}

const WORKFLOWS = [Order, Payout, Pack, Refund, Approval, Undone];
const started = (workflow: string, input?: unknown) => (client: TestingDurable['client']) =>
  client.start(workflow, input, { id: 'explored' });

describe('every crash there could be', () => {
  let durable: TestingDurable;
  beforeEach(async () => {
    keys.clear();
    durable = await createTestingDurable({ workflows: WORKFLOWS, providers: [Bank] });
  });
  afterEach(() => durable.close());

  // An attempt that was lost with its worker has a number too: so fewer failures may be left.
  const retried = async (client: TestingDurable['client'], id: string) =>
    (await client.getStatus(id)).status === 'completed' ? undefined : client.retry(id, by);

  it('ends a run that fails, and is retried each time, with one key for each step', async () => {
    const { undisturbed, crashes } = await durable.exploreCrashes(started('exploring.order'), {
      acts: [retried, retried],
    });
    expect(undisturbed).toMatchObject({ status: 'completed', output: ['reserve', 'charge', 'pack'] });
    expect(crashes).toBeGreaterThan(20);
    expect([...keys].map(([step, all]) => [step, all.size])).toEqual([...keys.keys()].map((step) => [step, 1]));
  });

  it('ends a run that stands still where it has no attempts left, and is retried each time', async () => {
    const { undisturbed } = await durable.exploreCrashes(started('exploring.payout'), { acts: [retried, retried] });
    expect(undisturbed).toMatchObject({ status: 'completed', output: ['charge', 'send', 'booked'] });
    expect([...keys.get('charge')!, ...keys.get('send')!]).toEqual(['explored:0', 'explored:1']);
  });

  it('ends a run that is restarted with another input, under new keys', async () => {
    const { undisturbed } = await durable.exploreCrashes(started('exploring.refund', 'wrong'), {
      acts: [(client, id) => client.restart(id, { input: 'right', ...by })],
    });
    expect(undisturbed).toMatchObject({ status: 'completed', output: ['find', 'right', 'pay'] });
    expect([...keys.get('find')!]).toEqual(['explored:0', `explored:${2 + UNRECORDED}`]);
    expect([...keys.get('pay')!]).toEqual([`explored:${4 + UNRECORDED}`]);
  });

  it('ends a fork with another input, which does nothing again that it shares', async () => {
    const { undisturbed } = await durable.exploreCrashes(started('exploring.refund', 'wrong'), {
      acts: [async (client, id) => client.fork(id, { from: 1, input: 'right', id: 'fork', ...by })],
    });
    expect(undisturbed).toMatchObject({ id: 'fork', status: 'completed', output: ['find', 'right', 'pay'] });
    expect([...keys.get('find')!]).toEqual(['explored:0']);
    expect([...keys.get('check')!]).toEqual(['explored:1', 'fork:1']);
  });

  it('ends a run whose steps were given outcomes by hand', async () => {
    const { undisturbed } = await durable.exploreCrashes(started('exploring.approval'), {
      acts: [
        (client, id) => client.resolveStep(id, 0, { output: 'by phone' }, by),
        (client, id) => client.resolveStep(id, 1, { output: 'paid in cash' }, by),
        (client, id) => client.resolveStep(id, 2, { skip: true }, by),
      ],
    });
    expect(undisturbed).toMatchObject({ status: 'completed', output: ['by phone', 'paid in cash', 'not signed'] });
  });

  it('goes on to undo where that had failed', async () => {
    const begin = (client: TestingDurable['client']) => {
      isBroken = true;
      return client.start('exploring.undone', undefined, { id: 'explored' });
    };
    const mend = (client: TestingDurable['client'], id: string) => {
      isBroken = false;
      return client.retry(id, by);
    };
    const { undisturbed } = await durable.exploreCrashes(begin, { acts: [mend] });
    expect(undisturbed).toMatchObject({ status: 'failed', error: { message: 'it must be undone' } });
    expect([...keys.get('undo second')!]).toEqual(['explored:-2']);
    expect([...keys.get('undo first')!]).toEqual(['explored:-1']);
  });

  it('names the crash after which what an operator does has another result', async () => {
    let lives = 0;
    @Workflow('exploring.forgetful')
    class Forgetful {
      async run(ctx: WorkflowContext): Promise<number> {
        const life = ++lives;
        await ctx.step('work', (step) => mended('work', step), { retry: RETRY });
        await ctx.sleep('a day', '1d');
        return life > 2 ? life : 0;
      }
    }
    const forgetful = await createTestingDurable({ workflows: [Forgetful] });
    const explored = forgetful.exploreCrashes(started('exploring.forgetful'), { acts: [retried] });
    await expect(explored).rejects.toThrow(/^If its process dies just (before|after) write \d+, its run ends as/);
    await forgetful.close();
  });
});
