import {
  type Codec,
  Effect,
  jsonCodec,
  OutboxPublisher,
  RemoteStep,
  Worker,
  Workflow,
  type WorkflowContext,
} from '../../../lib/index.js';
import { createTestingDurable, ReplayMismatchError, type TestingDurable } from '../../../lib/testing/index.js';

@Worker()
class Payments {
  @RemoteStep('inputs.charge')
  charge({ amount }: { amount: bigint }): string {
    return `charge-${amount}`;
  }

  @RemoteStep('inputs.ping')
  ping(): void {}
}

class Mail {
  @Effect('mail')
  async send(): Promise<void> {}
}

@OutboxPublisher({ name: 'inputs.broker' })
class Broker {
  async publish(): Promise<void> {}
}

@Workflow('inputs.child')
class Child {
  async run(_: WorkflowContext, n: number): Promise<number> {
    return n * 2;
  }
}

/** How today's code differs from the code that was recorded. */
let today: 'same' | 'other-input' | 'other-step' | 'throws' = 'same';

@Workflow('inputs.order')
class Order {
  async run(ctx: WorkflowContext, amount: number): Promise<unknown> {
    const total = await ctx.step('total', () => amount + 1);
    if (today === 'throws') throw new TypeError('no longer');
    const basket = { amount: BigInt(today === 'other-input' ? 99 : total) };
    const paid = ctx.remote(Payments).charge(basket);
    // The input is that of the call.
    basket.amount = 0n;
    await paid;
    await ctx.remote(today === 'other-step' ? 'inputs.other' : 'inputs.ping');
    const doubled = await ctx.all(Child, [total, total + 1]);
    const child = await ctx.startChild(Child, doubled[0]!);
    await ctx.effects('notify', {
      operation: 'notify',
      subject: 'Ada',
      calls: [{ handler: 'mail', ref: { to: 'Ada' } }],
    });
    await ctx.publish('orders', { channel: 'orders', name: 'paid', data: { total } });
    await ctx.sleep('cool down', '1h');
    return child.result();
  }
}

describe('the inputs of recorded steps', () => {
  let durable: TestingDurable;
  let id: string;

  beforeAll(async () => {
    today = 'same';
    durable = await createTestingDurable({ workflows: [Order, Child], providers: [Payments, Mail, Broker] });
    ({ id } = await durable.client.start(Order, 1));
    await durable.clock.advance('2h');
  });
  afterEach(() => {
    today = 'same';
  });
  afterAll(() => durable.close());

  const inputs = async () => {
    const { history, recomputed } = await durable.client.getStatus(id, { history: true, inputs: 'replay' });
    return { inputs: history!.map(({ kind, name, ...step }) => [`${kind} ${name}`, step.input]), recomputed };
  };
  const NOTIFY = { operation: 'notify', subject: 'Ada', calls: [{ handler: 'mail', ref: { to: 'Ada' } }] };

  it('are those that the code passes when its history is replayed', async () => {
    expect(await inputs()).toEqual({
      recomputed: { fits: true, mismatch: null, detail: null },
      inputs: [
        ['step total', undefined],
        ['remote inputs.charge', { amount: 2n }],
        ['remote inputs.ping', null],
        ['child inputs.child', 2],
        ['child inputs.child', 3],
        ['child inputs.child', 4],
        ['signal notify', NOTIFY],
        [expect.stringMatching(/ orders$/), { channel: 'orders', name: 'paid', data: { total: 2 } }],
        ['sleep cool down', undefined],
      ],
    });
    const { history, recomputed } = await durable.client.getStatus(id, { history: true });
    expect(recomputed).toBeUndefined();
    expect(history!.some((step) => 'input' in step)).toBe(false);
  });

  it('are those of the code of today', async () => {
    today = 'other-input';
    expect((await inputs()).inputs[1]).toEqual(['remote inputs.charge', { amount: 99n }]);
  });

  it('end where the code parts from the history', async () => {
    today = 'other-step';
    const { inputs: found, recomputed } = await inputs();
    expect(found.slice(0, 4).map(([, input]) => input)).toEqual([undefined, { amount: 2n }, undefined, undefined]);
    const [recorded, asked] = ['remote "inputs.ping"', 'remote "inputs.other"'];
    expect(recomputed).toMatchObject({ fits: false, mismatch: { seq: 2, recorded, asked } });
    const history = await durable.history(id);
    await expect(durable.assertFits(history)).rejects.toThrow(ReplayMismatchError);
    await expect(durable.assertFits(history)).rejects.toThrow(
      `at position 2 ${recorded} is recorded, and the code asks for ${asked}`,
    );
    today = 'same';
    await expect(durable.assertFits(history)).resolves.toBeUndefined();
  });

  it('end where the code throws', async () => {
    today = 'throws';
    const { recomputed } = await inputs();
    expect(recomputed).toMatchObject({
      fits: false,
      mismatch: null,
      detail: expect.stringContaining('no longer') as string,
    });
  });

  it('are only asked for together with the history', async () => {
    await expect(durable.client.getStatus(id, { inputs: 'replay' })).rejects.toThrow('history: true');
    const wrong = { history: true, inputs: true } as unknown as { inputs: 'replay' };
    await expect(durable.client.getStatus(id, wrong)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('inputs that are kept', () => {
  const sealing: Codec = {
    encode: (value, context) => `sealed:${Buffer.from(jsonCodec.encode(value ?? null, context)).toString('hex')}`,
    decode: (text, context) => {
      const isSealed = text.startsWith('sealed:');
      return jsonCodec.decode(isSealed ? Buffer.from(text.slice(7), 'hex').toString() : text, context);
    },
  };
  const kept = async (durable: TestingDurable, workflow: string) => {
    const { id } = await durable.client.start(workflow, 1);
    await durable.clock.advance('1m');
    const { history } = await durable.client.getStatus(id, { history: true });
    return history!.map((step) => ('input' in step ? step.input : 'none'));
  };

  @Workflow('inputs.silent')
  class Silent {
    async run(ctx: WorkflowContext, amount: number): Promise<void> {
      await ctx.step('total', () => amount + 1);
      await ctx.remote(Payments).charge({ amount: 2n });
      await ctx.remote('inputs.ping', { at: amount }, { keepInputs: true });
    }
  }

  @Workflow('inputs.keeping', { keepInputs: true })
  class Keeping {
    async run(ctx: WorkflowContext): Promise<void> {
      await ctx.remote(Payments).charge({ amount: 2n });
      await ctx.remote('inputs.ping', 'secret', { keepInputs: false });
      await ctx.remote('inputs.ping');
    }
  }

  it.each([
    ['by the call, else by the workflow', {}, ['none', 'none', { at: 1 }], [{ amount: 2n }, 'none', null]],
    ['by the module', { keepInputs: true }, ['none', { amount: 2n }, { at: 1 }], [{ amount: 2n }, 'none', null]],
    [
      'by the declaration of the step before these',
      { keepInputs: true, steps: { 'inputs.charge': { keepInputs: false } } },
      ['none', 'none', { at: 1 }],
      ['none', 'none', null],
    ],
  ])('are those for which that is said %s', async (_, options, silent, keeping) => {
    const parts = { workflows: [Silent, Keeping], providers: [Payments] };
    const durable = await createTestingDurable(parts, { durable: { ...options, codec: sealing } });
    expect(await kept(durable, 'inputs.silent')).toEqual(silent);
    expect(await kept(durable, 'inputs.keeping')).toEqual(keeping);
    await durable.close();
  });

  it('are as the codec writes them, and what was kept goes before what a replay finds', async () => {
    const durable = await createTestingDurable(
      { workflows: [Keeping], providers: [Payments] },
      { durable: { codec: sealing } },
    );
    const { id } = await durable.client.start('inputs.keeping');
    await durable.clock.advance('1m');
    const { steps } = await durable.history(id);
    expect(steps.map(({ input }) => input?.slice(0, 7))).toEqual(['sealed:', undefined, 'sealed:']);
    const { history } = await durable.client.getStatus(id, { history: true, inputs: 'replay' });
    expect(history!.map(({ input }) => input)).toEqual([{ amount: 2n }, 'secret', null]);
    await durable.close();
  });

  it('are true or false', async () => {
    const wrong = createTestingDurable({}, { durable: { keepInputs: 'yes' as never } });
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
