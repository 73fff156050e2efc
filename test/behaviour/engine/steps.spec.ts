import { CompensationFailedError, NonRetryableStepError } from '../../../lib/core/run-errors.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { gate } from '../../support/gate.js';
import { describeHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { throwUnreadable, UNREADABLE } from '../../support/unreadable.js';

const NOTHING = () => undefined;
const NO_WAIT = { delay: 1, factor: 1, jitter: 'none' } as const;

const caught = (thrown: unknown) => {
  const { name, message, code, attempts } = thrown as Error & { code?: string; attempts?: number };
  return { name, message, code, attempts };
};

describeHouses('local steps', (house) => {
  it('are tried as often as they may be, with the number of the try and one key', async () => {
    const tries: [number, string][] = [];
    const process = await house().boot({
      workflows: {
        order: (ctx) =>
          ctx.step(
            'flaky',
            ({ attempt, idempotencyKey }) => {
              tries.push([attempt, idempotencyKey]);
              if (attempt < 3) throw new Error('not yet');
              return 'done';
            },
            { retry: { attempts: 5, backoff: NO_WAIT } },
          ),
      },
    });
    expect(await process.client.startAndWait('order', null, { id: 'r1' })).toBe('done');
    expect(tries).toEqual([1, 2, 3].map((attempt) => [attempt, 'r1:0']));
    expect((await process.client.getStatus('r1', { history: true })).history).toMatchObject([
      { failures: 2, error: null },
    ]);
  });

  it('are tried once when retryIf says no, throws, or the error is not to be retried (T14)', async () => {
    const tries: string[] = [];
    const attempt = (ctx: WorkflowContext, name: string, error: unknown, retryIf: (error: Error) => boolean) =>
      ctx
        .step(name, () => (tries.push(name), Promise.reject(error as Error)), {
          retry: { attempts: 4, backoff: NO_WAIT, retryIf },
        })
        .catch(caught);
    const process = await house().boot({
      workflows: {
        order: async (ctx) => [
          await attempt(ctx, 'no', new Error('no'), () => false),
          await attempt(ctx, 'throws', new Error('no'), () => {
            throw new Error('in retryIf');
          }),
          await attempt(ctx, 'fatal', new NonRetryableStepError('never', 'NEVER'), () => true),
          await attempt(ctx, 'undefined', undefined, (error) => error instanceof Error && false),
        ],
      },
    });
    const outcomes = await process.client.startAndWait<ReturnType<typeof caught>[]>('order');
    expect(tries).toEqual(['no', 'throws', 'fatal', 'undefined']);
    expect(outcomes.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
    expect(outcomes[2]).toMatchObject({ name: 'NonRetryableStepError', message: 'never', code: 'NEVER' });
  });

  it('that take too long fail with their time, and hear of it', async () => {
    const heard: string[] = [];
    const process = await house().boot({
      workflows: {
        order: (ctx) =>
          ctx.step(
            'slow',
            ({ signal, attempt }) => {
              signal.addEventListener('abort', () => heard.push(`${attempt} ${(signal.reason as Error).name}`));
              return new Promise(() => {});
            },
            { timeout: 30, retry: { attempts: 2, backoff: NO_WAIT } },
          ),
      },
    });
    await expect(process.client.startAndWait('order')).rejects.toMatchObject({
      name: 'StepTimeoutError',
      code: 'STEP_TIMEOUT',
    });
    expect(heard).toEqual(['1 StepTimeoutError', '2 StepTimeoutError']);
  });

  it('keep name, message and code of what they threw, up to the result (T26)', async () => {
    const error = Object.assign(new Error('ü😀 declined'), { name: 'CardError', code: 'CARD' });
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const seen = await ctx.step('card', () => Promise.reject(error), { retry: false }).catch(caught);
          await ctx.step('look', () => expect(seen).toMatchObject({ name: 'CardError', code: 'CARD' }));
          throw error;
        },
      },
    });
    await expect(process.client.startAndWait('order', null, { id: 'r1' })).rejects.toMatchObject({
      name: 'CardError',
      message: 'ü😀 declined',
      code: 'CARD',
      workflowId: 'r1',
    });
    expect(await process.client.getStatus('r1')).toMatchObject({
      status: 'failed',
      error: { name: 'CardError', code: 'CARD' },
    });
  });

  it('whose output cannot be stored run once, also where the run is tried again, and block the run (T8)', async () => {
    let [ran, undone, played] = [0, 0, 0];
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const outputs = { circular, function: { f: () => 1 }, large: 'x'.repeat(2_000), fine: 1n };
    const boot = () => house().boot({ payloadBytes: 1_000, workflows: { order } });
    const order = async (ctx: WorkflowContext<unknown>, output: keyof typeof outputs) => {
      played++;
      const compensate = () => void undone++;
      await ctx.step('before', () => 1, { compensate });
      return ctx.step('work', () => (ran++, outputs[output]), { retry: 5 }).catch(caught);
    };
    const process = await boot();
    for (const [id, why] of [
      ['circular', /^SerializationError: The output of step "work" .*contains itself/],
      ['function', /^SerializationError: The output of step "work" /],
      ['large', /^PayloadTooLargeError: The output of step "work" /],
    ] as const) {
      await process.client.start('order', id, { id });
      const { reason, reasonDetail } = await until('it is blocked', async () => {
        const status = await process.client.getStatus(id);
        return status.reason !== null && status;
      });
      expect([reason, reasonDetail]).toEqual(['programming_error', expect.stringMatching(why)]);
    }
    const before = played;
    await boot();
    await until('another process has tried them', () => played >= before + 3);
    expect(await process.client.startAndWait('order', 'fine')).toBe(1n);
    expect([ran, undone]).toEqual([4, 0]);
  });

  it('throw whatever they like, NUL and broken unicode too, and the run goes on', async () => {
    const thrown = ['text', undefined, null, 7, new Error('nul \0 and \uD800 lone'), { message: 5 }, Symbol('s')];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const messages: string[] = [];
          for (const [n, error] of thrown.entries()) {
            await ctx
              .step(`s${n}`, () => Promise.reject(error as Error), { retry: false })
              .catch((caughtError: Error) => messages.push(caughtError.message));
          }
          return [messages, await ctx.step('odd', () => 'nul \0 and \uD800 lone')];
        },
      },
    });
    const [messages, odd] = await process.client.startAndWait<[string[], string]>('order', 'in \0 \uDC00');
    expect(messages).toHaveLength(thrown.length);
    expect(odd).toBe('nul \0 and \uD800 lone');
  });

  it('throw what cannot be read, as may transactions, compensations and run itself: each counts as one failure', async () => {
    const kinds = Object.keys(UNREADABLE);
    let tries = 0;
    const process = await house().boot({
      handlers: { far: (kind: string) => throwUnreadable(kind) },
      workflows: {
        order: async (ctx, kind: string) => {
          const retry = { attempts: 2, backoff: NO_WAIT, retryIf: () => true };
          const failure = (call: Promise<unknown>) => call.then(NOTHING, ({ message }: Error) => message);
          const messages = [
            await failure(ctx.step('step', () => (tries++, throwUnreadable(kind)), { retry })),
            await failure(ctx.transaction('transaction', () => (tries++, throwUnreadable(kind)), { retry })),
            await failure(ctx.remote('far', kind, { retry })),
            await failure(
              ctx.step('once', () => (tries++, throwUnreadable(kind)), {
                retry: { ...retry, retryIf: () => throwUnreadable(kind) },
              }),
            ),
          ];
          await ctx.step('undone', () => messages, { compensate: () => throwUnreadable(kind), retry: false });
          return throwUnreadable(kind);
        },
      },
    });
    await Promise.all(kinds.map((kind) => process.client.start('order', kind, { id: kind })));
    for (const kind of kinds) {
      await expect(process.client.result(kind, { timeout: '120s' })).rejects.toBeInstanceOf(CompensationFailedError);
      const { history } = await process.client.getStatus(kind, { history: true });
      expect(history!.filter(({ seq }) => seq >= 0).map(({ name, attempts }) => [name, attempts!.length])).toEqual([
        ...[
          ['step', 2],
          ['transaction', 2],
          ['far', 2],
          ['once', 1],
          ['undone', 1],
        ],
      ]);
      for (const message of history!.find(({ name, seq }) => name === 'undone' && seq >= 0)!.output as string[])
        expect(message).toMatch(/^Thrown: |^of a cause$|^of several$/);
    }
    expect(tries).toBe(5 * kinds.length);
  });

  it('of branches that run side by side do not wait for one another (N7)', async () => {
    const through = gate();
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const order: string[] = [];
          const branch = async (name: string) => {
            for (let n = 0; n < 3; n++) await ctx.step(`${name}${n}`, () => order.push(name));
          };
          const slow = async () => {
            await ctx.sleep('nap', 1);
            await ctx.step('wait', () => through.opened);
            await branch('slow');
          };
          await Promise.all([slow(), branch('quick').then(() => through.open())]);
          return order;
        },
      },
    });
    expect(await process.client.startAndWait('order')).toEqual(['quick', 'quick', 'quick', 'slow', 'slow', 'slow']);
  });

  it('go on beside a branch that sleeps for long, through every parking of the run (N7)', async () => {
    const process = await house().boot({
      residencyMs: 1,
      handlers: { far: (n: number) => n + 1 },
      workflows: {
        order: async (ctx) => {
          const quick = async () => {
            let n = 0;
            for (let round = 0; round < 3; round++) {
              await ctx.sleep(`nap${round}`, 30);
              n = await ctx.remote<number>('far', n);
              n = await ctx.step(`s${round}`, () => n + 1);
            }
            ctx.setStatus(`quick: ${n}`);
          };
          await Promise.all([ctx.sleep('slow', '1h'), quick()]);
        },
      },
    });
    const { id } = await process.client.start('order');
    await until(
      'the quick one is through',
      async () => (await process.client.getStatus(id)).customStatus === 'quick: 6',
    );
    expect((await process.client.getStatus(id, { history: true })).history![0]).toMatchObject({
      name: 'slow',
      status: 'pending',
    });
  });

  it('have at most as many positions as the limit says; then the run is blocked and says so', async () => {
    const process = await house().boot({
      historySteps: 20,
      workflows: {
        order: async (ctx) => {
          for (;;) await ctx.step('again', () => 1);
        },
      },
    });
    await process.client.start('order', null, { id: 'r1' });
    const { reason, reasonDetail } = await until('it is blocked', async () => {
      const status = await process.client.getStatus('r1');
      return status.reason !== null && status;
    });
    expect([reason, reasonDetail]).toEqual(['programming_error', expect.stringMatching(/^HistoryLimitError: /)]);
    expect((await process.client.getStatus('r1', { history: true })).history).toHaveLength(20);
  });

  it('with a name that cannot be stored are refused before anything is written', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const codes: string[] = [];
          for (const name of ['', 'x'.repeat(192), 'a\0b', 7 as never]) {
            try {
              await ctx.step(name, () => 1);
            } catch (error) {
              codes.push((error as { code: string }).code);
            }
          }
          return [codes, await ctx.step('ü'.repeat(191), () => 'fits')];
        },
      },
    });
    const outcome = await process.client.startAndWait('order', null, { id: 'r1' });
    expect(outcome).toEqual([Array(4).fill('INVALID_ARGUMENT'), 'fits']);
    expect((await process.client.getStatus('r1', { history: true })).history).toHaveLength(1);
  });
});
