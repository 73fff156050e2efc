import {
  DurableModule,
  Effect,
  InvalidArgumentError,
  memoryBackend,
  RemoteStep,
  Worker,
  Workflow,
  type WorkflowContext,
  WorkflowSchedules,
} from '../../../lib/index.js';
import { createTestingDurable, type TestingDurable } from '../../../lib/testing/index.js';

/** Values of the options for attempts that no step could obey, and the option that each names. */
const UNSERVED: Readonly<Record<string, [option: string, given: object]>> = {
  jitter: ['retry.backoff.jitter', { retry: { backoff: { jitter: 1.5 } } }],
  'a text as factor': ['retry.backoff.factor', { retry: { backoff: { factor: '3' } } }],
  'a factor below 1': ['retry.backoff', { retry: { backoff: { factor: 0.5 } } }],
  'a backoff that is none': ['retry.backoff', { retry: { backoff: 'soon' } }],
  'true as backoff': ['retry.backoff', { retry: { backoff: true } }],
  'no attempts': ['retry.attempts', { retry: { attempts: 0 } }],
  'a text as attempts': ['retry.attempts', { retry: { attempts: '3' } }],
  'half a retry': ['retry', { retry: 2.5 }],
  'a list as retry': ['retry', { retry: [3] }],
  'true as retry': ['retry', { retry: true }],
  'a retryIf that is none': ['retry.retryIf', { retry: { retryIf: true } }],
  deferrals: ['retry.deferrals', { retry: { deferrals: -1 } }],
  onExhausted: ['onExhausted', { onExhausted: 'stop' }],
};

/** The calls of `ctx` that take them. */
const CALLS: Readonly<Record<string, (ctx: WorkflowContext, given: never) => Promise<unknown>>> = {
  step: (ctx, given) => ctx.step('a', () => 1, given),
  transaction: (ctx, given) => ctx.transaction('a', () => 1, given),
  remote: (ctx, given) => ctx.remote('a', 1, given),
  timeout: (ctx) => ctx.step('a', () => 1, { timeout: 'soon' as never }),
  keepInputs: (ctx) => ctx.remote('a', 1, { keepInputs: 'yes' as never }),
};

@Workflow('unserved-values')
class Calling {
  async run(ctx: WorkflowContext, [call, value]: [string, string]): Promise<unknown> {
    try {
      await CALLS[call]!(ctx, UNSERVED[value]![1] as never);
    } catch (error) {
      return `${(error as { code: string }).code}: ${(error as Error).message}`;
    }
    return 'accepted';
  }
}

let undone = 0;

@Workflow('unserved-values.careless')
class Careless {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.step('charge', () => 1, { compensate: () => void undone++ });
    await ctx.step('ship', () => 1, { onExhausted: 'stop' as never });
  }
}

describe('a value that no option serves', () => {
  let durable: TestingDurable;
  beforeAll(async () => {
    durable = await createTestingDurable({ workflows: [Calling, Careless] });
  });
  afterAll(() => durable.close());

  const inRun = async (call: string, value: string) => {
    const { id } = await durable.client.start(Calling, [call, value]);
    await durable.drain();
    return (await durable.client.getStatus(id)).output;
  };

  describe.each(Object.entries(UNSERVED))('%s', (value, [option, given]) => {
    it.each(['step', 'transaction', 'remote'])('is refused by ctx.%s', async (call) => {
      const output = await inRun(call, value);
      expect(output).toContain('INVALID_ARGUMENT: ');
      expect(output).toContain(`"a": ${option}`);
    });

    it.each<[string, () => unknown]>([
      ['@RemoteStep', () => RemoteStep('a', given as never)],
      ['@Worker', () => Worker(given as never)(Calling)],
      ['@Workflow', () => Workflow('a', given as never)],
      ['the module', () => DurableModule.forRoot({ backend: memoryBackend(), ...(given as object) })],
      ['an override', () => DurableModule.forRoot({ backend: memoryBackend(), steps: { a: given as never } })],
    ])('is refused by %s', (_, call) => {
      expect(call).toThrow(InvalidArgumentError);
      expect(call).toThrow(option);
    });
  });

  it('blocks the run whose code has it, and nothing is undone', async () => {
    const { id } = await durable.client.start(Careless);
    await durable.drain();
    expect(await durable.client.getStatus(id)).toMatchObject({ status: 'suspended', reason: 'programming_error' });
    expect(undone).toBe(0);
  });

  it('is not taken for true', async () => {
    expect(await inRun('keepInputs', 'jitter')).toContain('"a": keepInputs is "yes"');
    expect(await inRun('timeout', 'jitter')).toMatch(/"a": timeout is "soon"/);
    expect(() => DurableModule.forRoot({ backend: memoryBackend(), codec: {} as never })).toThrow(/^codec is /);
    await expect(durable.client.list({ blocked: 'yes' as never })).rejects.toThrow('blocked is "yes"');
    for (const option of ['migrate', 'autoStart', 'keepInputs', 'strict'])
      expect(() => DurableModule.forRoot({ backend: memoryBackend(), [option]: 'false' })).toThrow(
        `${option} is "false": pass true or false`,
      );
    const worker = { credits: 'false' as never };
    expect(() => DurableModule.forRoot({ backend: memoryBackend(), worker })).toThrow('worker.credits is "false"');
    const create = (more: object) =>
      durable.get(WorkflowSchedules).create(Calling, { id: 'a', every: '1d', input: ['step', 'jitter'], ...more });
    await expect(create({ paused: 'no' })).rejects.toThrow('paused is "no": pass true or false');
    await expect(create({ timeZone: 'Europe/Berlin' })).rejects.toThrow('pass it only with cron; for every use from');
  });

  it('is refused by @Effect', () => {
    expect(() => Effect('a', { backoff: { jitter: 1.5 as never } })).toThrow('backoff.jitter is 1.5');
    expect(() => Effect('a', { backoff: { factor: '2' as never } })).toThrow('backoff.factor is "2"');
    expect(() => Effect('a', { backoff: { delay: 0 } })).toThrow('backoff.delay is 0');
  });
});
