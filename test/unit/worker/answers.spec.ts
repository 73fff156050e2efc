import { NonRetryableStepError } from '../../../lib/core/run-errors.js';
import type { StepAnswer } from '../../../lib/core/protocol.js';
import type { HandlerOptions, StepHandler } from '../../../lib/worker/handlers.js';
import { ManualClock } from '../../../lib/core/time.js';
import { until } from '../../support/until.js';
import { workerHarness } from './worker-harness.js';
import { throwUnreadable, UNREADABLE } from '../../support/unreadable.js';

async function answerOf(
  run: StepHandler,
  { input = 'null', ...options }: HandlerOptions & { input?: string } = {},
): Promise<StepAnswer> {
  const at = workerHarness();
  at.handle('x', run, options);
  await at.dispatch([1, { name: 'x', input }]);
  at.worker.start();
  try {
    const [answer] = await until('the answer', () => at.answered(1));
    return answer!;
  } finally {
    await at.worker.stop();
  }
}

const errorOf = async (run: StepHandler, options?: HandlerOptions & { input?: string }): Promise<unknown> => {
  const { status, output, error } = await answerOf(run, options);
  expect([status, output]).toEqual(['failed', null]);
  return JSON.parse(error ?? '');
};

const boom = (error: unknown) => () => {
  throw error;
};

describe('what a handler answers', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'null'],
    ['null', null, 'null'],
    ['a text', 'ü\u0000😀', '"ü\\u0000😀"'],
    ['plain data', { a: [1, true, null] }, '{"a":[1,true,null]}'],
    ['a date', new Date(0), '{"$durable":"Date","value":"1970-01-01T00:00:00.000Z"}'],
  ])('%s', async (_, value, text) => {
    expect(await answerOf(() => value)).toMatchObject({ status: 'completed', output: text, error: null });
  });

  it.each([
    ['JSON', '{"n":[1]}', { n: [1] }],
    ['null', 'null', null],
    ['what stands for undefined', '{"$durable":"undefined"}', null],
  ])('reads %s as input', async (_, input, expected) => {
    let seen: unknown;
    await answerOf((value) => void (seen = value), { input });
    expect(seen).toEqual(expected);
  });

  it('T7: an unreadable input fails the step once and for all', async () => {
    expect(await errorOf(() => 1, { input: 'NaN' })).toMatchObject({ code: 'UNREADABLE_PAYLOAD', retryable: false });
  });

  it('T8: an output without a JSON form fails the step once and for all', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(await errorOf(() => circle)).toMatchObject({ code: 'NOT_SERIALIZABLE', retryable: false });
    expect(await errorOf(() => () => 1)).toMatchObject({ code: 'NOT_SERIALIZABLE', retryable: false });
    expect(await errorOf(() => ({ toJSON: () => boom(new Error('no'))() }))).toMatchObject({
      code: 'NOT_SERIALIZABLE',
    });
  });

  it('an output over the limit fails the step once and for all', async () => {
    expect(await errorOf(() => 'ü'.repeat(500))).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', retryable: false });
  });
});

describe('what a handler throws', () => {
  it('is no reason to lose the task, even if the worker itself fails meanwhile', async () => {
    const clock = new ManualClock();
    let breaks = false;
    const now = () => {
      if (breaks) {
        breaks = false;
        throw new Error('the clock is broken');
      }
      return clock.now();
    };
    const at = workerHarness({ elapsed: { now } }, undefined, clock);
    at.handle('x', () => {
      breaks = true;
      throw new Error('no');
    });
    await at.dispatch([1, { name: 'x' }]);
    at.worker.start();
    const [answer] = await until('the answer', () => at.answered(1));
    await at.worker.stop();
    expect(answer).toMatchObject({ status: 'failed', error: expect.stringContaining('the clock is broken') as string });
  });

  it.each(Object.keys(UNREADABLE))('that cannot be read fails the attempt: %s', async (kind) => {
    const error = (await errorOf(() => throwUnreadable(kind))) as { message: string };
    expect(error).not.toHaveProperty('retryable');
    expect(error.message).toMatch(/^Thrown: |^m$|^of a cause$|^of several$/);
  });

  it.each<[string, unknown, unknown]>([
    ['an error', new Error('no'), { name: 'Error', message: 'no' }],
    [
      'an error with a code',
      Object.assign(new RangeError('no'), { code: 'E1' }),
      { name: 'RangeError', message: 'no', code: 'E1' },
    ],
    [
      'T14: a fatal error',
      new NonRetryableStepError('no', 'DECLINED'),
      { name: 'NonRetryableStepError', message: 'no', code: 'DECLINED', retryable: false },
    ],
    [
      'a fatal error of another copy',
      Object.assign(new Error('no'), { name: 'NonRetryableStepError' }),
      { name: 'NonRetryableStepError', message: 'no', retryable: false },
    ],
    [
      'an error that says so itself',
      Object.assign(new Error('no'), { retryable: false }),
      { name: 'Error', message: 'no', retryable: false },
    ],
    ['undefined', undefined, { name: 'Error', message: 'Thrown: undefined' }],
    ['a text', 'no', { name: 'Error', message: 'no' }],
    ['what no database stores', new Error('a\0b\ud800c'), { name: 'Error', message: 'a\ufffdb\ufffdc' }],
  ])('%s', async (_, thrown, expected) => {
    expect(await errorOf(boom(thrown))).toEqual(expected);
  });

  it('subclasses of the fatal error are fatal', async () => {
    class CardDeclined extends NonRetryableStepError {}
    expect(await errorOf(boom(new CardDeclined('no')))).toMatchObject({ name: 'CardDeclined', retryable: false });
  });

  it('a message of megabytes is cut, and says so', async () => {
    const { message } = (await errorOf(boom(new Error('x'.repeat(3_000_000))))) as { message: string };
    expect(message.length).toBeLessThanOrEqual(65_536);
    expect(message).toMatch(/^x+… \(cut: 2\d{6} characters\)$/);
  });
});

describe('an attempt that takes too long', () => {
  it('fails with the reason, and its signal aborts', async () => {
    let signal: AbortSignal | undefined;
    const error = await errorOf((_, step) => ((signal = step.signal), new Promise(() => {})), { timeoutMs: 10 });
    expect(error).toMatchObject({ name: 'StepTimeoutError', code: 'STEP_TIMEOUT' });
    expect((error as { retryable?: boolean }).retryable).toBeUndefined();
    expect(signal?.aborted).toBe(true);
  });

  it("gives up its slot, and what it throws later is nobody's", async () => {
    const at = workerHarness({ concurrency: 1 });
    let first = true;
    at.handle(
      'x',
      (_, step) => {
        if (!first) return 'second';
        first = false;
        return new Promise((_, reject) =>
          step.signal.addEventListener('abort', () => setImmediate(() => reject(new Error('late')))),
        );
      },
      { timeoutMs: 10 },
    );
    await at.dispatch([1, { name: 'x' }], [2, { name: 'x' }]);
    at.worker.start();
    await until('both', () => at.answered(2));
    await at.worker.stop();
  });

  it('notices in its heartbeat', async () => {
    const error = await errorOf(
      async (_, step) => {
        for (;;) await step.heartbeat();
      },
      { timeoutMs: 10 },
    );
    expect(error).toMatchObject({ code: 'STEP_TIMEOUT' });
  });
});
