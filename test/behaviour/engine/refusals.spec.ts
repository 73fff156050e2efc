import type { StandardSchema } from '../../../lib/core/options.js';
import { RetryAfterError, WorkflowNotResumableError, WorkflowNotRetryableError } from '../../../lib/core/run-errors.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import type { WorkflowRunStatus } from '../../../lib/engine/views.js';
import type { RemoteStepDefinition } from '../../../lib/engine/workflow.js';
import type { OpenStorage } from '../../support/engine-storage.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { outsideWorld } from '../../support/step-effects.js';
import { stepOutbox } from '../../support/step-events.js';
import { until } from '../../support/until.js';

type Path = (ctx: WorkflowContext<unknown>) => unknown;

const none = /x/;
const large = 'x'.repeat(70_000);
class Steps {
  charge(): void {}
}
const anything = <T>(value: unknown): T => value as T;
const approved = new WorkflowSignal('approved');
const limited = (key: () => string): RemoteStepDefinition => ({
  name: 'limited',
  group: 'limited',
  limits: { concurrency: { limit: 1, key } },
});
const steps = {
  ofClass: () => new Map(),
  ofName: (name: string) =>
    name === 'limited'
      ? limited(() => {
          throw new Error('no key');
        })
      : undefined,
};

/** What `ctx` refuses when it is called. */
const CALLS: Record<string, Path> = {
  'name of a step': (ctx) => ctx.step('', () => 1),
  'options of a step': (ctx) => ctx.step('s', () => 1, anything({ retri: 3 })),
  'backoff of a step': (ctx) => ctx.step('s', () => 1, { retry: { deferrals: -1 } }),
  'compensate of a step': (ctx) => ctx.step('s', () => 1, { compensate: anything('undo') }),
  'name of a transaction': (ctx) => ctx.transaction('', () => 1),
  'input of a remote step': (ctx) => ctx.remote('echo', none),
  'size of a remote step': (ctx) => ctx.remote('echo', large),
  'priority of a remote step': (ctx) => ctx.remote('echo', 1, { priority: 0.5 }),
  'target of a remote step': (ctx) => ctx.remote(anything<string>(5)),
  'method of a worker': (ctx) => anything<{ no(): unknown }>(ctx.remote(Steps)).no(),
  'limiter of a remote step': (ctx) => ctx.remote('limited', 1),
  'input of a child': (ctx) => ctx.executeChild('child', none),
  'schema of a child': (ctx) => ctx.startChild('strict', 1),
  'attributes of a child': (ctx) => ctx.startChild('child', 1, { attributes: { '': 1 } }),
  'delay of a child': (ctx) => ctx.startChild('child', 1, { delay: anything('soon') }),
  'version of a child': (ctx) => ctx.startChild('child', 1, { version: 2 ** 31 }),
  'inputs of children': (ctx) => ctx.all('child', anything('one')),
  'name of a sleep': (ctx) => ctx.sleep('', 1),
  'end of a sleep': (ctx) => ctx.sleepUntil('s', new Date(Number.NaN)),
  'signal of a wait': (ctx) => ctx.waitForSignal('w', anything<typeof approved>('approved')),
  'timeout of a wait': (ctx) => ctx.waitForSignal('w', approved, { timeout: anything('soon') }),
  'wait of several': (ctx) => ctx.waitForAny('w', { late: ctx.timer(anything('soon')) }),
  'match of several': (ctx) => ctx.waitForAny('w', { one: ctx.signalWait(approved, { match: anything(1) }) }),
  'channel of an event': (ctx) => ctx.publish(anything({ name: 'paid' })),
  'data of an event': (ctx) => ctx.publish({ channel: 'c', name: 'paid', data: () => 1 }),
  'calls of effects': (ctx) => ctx.effects({ operation: 'o', subject: 's', calls: anything('one') }),
  'id of a patch': async (ctx) => ctx.patched(''),
  'name of a commit': async (ctx) => ctx.commit(''),
  'type of a status': async (ctx) => ctx.setStatus(anything(5)),
  'name of an attribute': async (ctx) => ctx.setAttributes({ '': 1 }),
  'value of an attribute': async (ctx) => ctx.setAttributes({ a: Number.NaN }),
  'message of fail': async (ctx) => ctx.fail(''),
  'input of continueAsNew': (ctx) => anything<{ continueAsNew(input: unknown): unknown }>(ctx).continueAsNew(none),
  'a call in the error that wraps it': (ctx) =>
    Promise.resolve()
      .then(() => ctx.remote('echo', none))
      .catch((cause: unknown) => {
        throw new Error('could not be sent', { cause });
      }),
  'calls of which one is enough': (ctx) =>
    Promise.any([Promise.reject(new Error('no')), Promise.resolve().then(() => ctx.remote('echo', none))]),
  'the output of run': async () => none,
  'the size of the output of run': async () => large,
};

/** What has no outcome, since it cannot be stored or `ctx` refused a call in it; and a history that is too long. */
const WORK: Record<string, (ctx: WorkflowContext<unknown>, isFixed: () => boolean) => unknown> = {
  'the length of a history': async (ctx, isFixed) => {
    for (let n = 0; n < (isFixed() ? 4 : 5); n++) ctx.now();
    return 'done';
  },
  'a step': (ctx, isFixed) => ctx.step('work', () => (isFixed() ? 'done' : none), { retry: 5 }),
  'a large step': (ctx, isFixed) => ctx.step('work', () => (isFixed() ? 'done' : large)),
  'a transaction': (ctx, isFixed) => ctx.transaction('work', () => (isFixed() ? 'done' : none)),
  'a remote step': (ctx) => ctx.remote('work', 'pattern', { retry: 5 }),
  'a large remote step': (ctx) => ctx.remote('work', 'large'),
  'a call in a step': (ctx, isFixed) => ctx.step('work', () => (isFixed() ? 'done' : ctx.uuid())),
  'a call in a transaction': (ctx, isFixed) => ctx.transaction('work', () => (isFixed() ? 'done' : ctx.uuid())),
  'an error around a call': (ctx, isFixed) =>
    ctx.step('work', () => (isFixed() ? 'done' : wrapping(() => ctx.uuid(), notSent))),
  'an error around a call that asks for another attempt': (ctx, isFixed) =>
    ctx.step('work', () => (isFixed() ? 'done' : wrapping(() => ctx.uuid(), later))),
  'an error around a call in a transaction': (ctx, isFixed) =>
    ctx.transaction('work', () => (isFixed() ? 'done' : wrapping(() => ctx.uuid(), later))),
  'a call that is wrong anywhere': (ctx, isFixed) =>
    ctx.step('work', () => (isFixed() ? 'done' : ctx.remote(anything<string>(5)))),
  'a call in retryIf': (ctx, isFixed) => {
    const retryIf = () => ctx.patched('p');
    return ctx.step('work', () => (isFixed() ? 'done' : fails()), { retry: { attempts: 2, retryIf } });
  },
};

function fails(): never {
  throw new Error('not now');
}

/** What `retry` says of a run that goes on, and of one that has undone its steps. */
const nothingToRetry: unknown[] = [WorkflowNotRetryableError, WorkflowNotResumableError];

interface Undoing {
  ctx: WorkflowContext<unknown>;
  isFixed: () => boolean;
  /** Calls `ctx`, until the code is right. */
  undo: () => void;
}

/** Throws what `wrap` makes of what `work` throws. */
async function wrapping(work: () => unknown, wrap: (cause: unknown) => Error): Promise<unknown> {
  try {
    return await work();
  } catch (cause) {
    throw wrap(cause);
  }
}

function notSent(cause: unknown) {
  return new Error('not sent', { cause });
}

function later(cause: unknown) {
  return new RetryAfterError('1h', 'later', { cause });
}

/** Steps whose compensation calls `ctx`, or has an output that cannot be stored, until the code is right. */
const UNDONE: Record<string, (undoing: Undoing) => unknown> = {
  'a step': ({ ctx, undo }) => ctx.step('work', () => 1, { compensate: undo }),
  'a transaction': ({ ctx, undo }) => ctx.transaction('work', () => 1, { compensate: undo }),
  'a remote step, by a function': ({ ctx, undo }) => ctx.remote('echo', 1, { compensate: undo }),
  'a remote step': ({ ctx }) => ctx.remote('echo', 'a remote step', { compensate: 'undo' }),
  'a remote step with much': ({ ctx }) => ctx.remote('echo', 'a remote step with much', { compensate: 'undo' }),
  'an error around the call': ({ ctx, undo }) =>
    ctx.step('work', () => 1, { compensate: () => wrapping(undo, notSent) }),
  'an error that asks for another attempt': ({ ctx, undo }) =>
    ctx.step('work', () => 1, {
      compensate: () => wrapping(undo, later),
    }),
  'errors around a call, of which one is enough': ({ ctx, undo }) => {
    const wrapped = () => wrapping(undo, notSent);
    return ctx.step('work', () => 1, {
      compensate: () => Promise.any([wrapped(), wrapping(fails, (cause) => new Error('no', { cause }))]),
    });
  },
  'an error that asks for another attempt at no time': ({ ctx, undo }) =>
    ctx.step('work', () => 1, {
      compensate: () => wrapping(undo, (cause) => new RetryAfterError(Number.NaN, 'later', { cause })),
    }),
  'a call that is wrong anywhere': ({ ctx, undo, isFixed }) =>
    ctx.step('work', () => 1, { compensate: () => (isFixed() ? undo() : ctx.remote(anything<string>(5))) }),
  'a call in retryIf': ({ ctx, undo, isFixed }) =>
    ctx.step('work', () => 1, {
      retry: { attempts: 2, retryIf: () => ctx.patched('p') },
      compensate: () => (isFixed() ? undo() : fails()),
    }),
  'right code that compensates in another way': ({ ctx, undo, isFixed }) =>
    ctx.remote('echo', 'right code that compensates in another way', { compensate: isFixed() ? 'undo' : undo }),
  'right code that compensates by another step': ({ ctx, isFixed }) =>
    ctx.remote('echo', 'right code that compensates by another step', { compensate: isFixed() ? 'undo' : 'work' }),
};

const noNumber: StandardSchema = {
  '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'no' }] }) },
};

describeHouses('what ctx refuses, and what cannot be stored,', (house) => {
  let isFixed: boolean;
  let charged: string[];
  let refunded: string[];
  /** Attempts to compensate the work of a run, by its id. */
  let tried: string[];
  beforeEach(() => {
    [isFixed, charged, refunded, tried] = [false, [], [], []];
  });

  async function boot(paths: Record<string, (ctx: WorkflowContext<unknown>) => unknown>): Promise<Process> {
    const world = await outsideWorld(house().backend);
    const outbox = await stepOutbox(house().backend);
    const process = await house().boot({
      steps,
      payloadBytes: 65_536,
      historySteps: 5,
      stepEvents: (storage: OpenStorage) => outbox.of(storage),
      stepEffects: () => world.effects,
      handlers: {
        echo: (input) => input,
        work: (input) => (isFixed ? 'done' : input === 'large' ? large : none),
        undo: (path) => {
          tried.push(String(path));
          if (!isFixed) return path === 'a remote step with much' ? large : none;
          refunded.push(`the work of ${path}`);
          return 'undone';
        },
      },
      worker: { payloadLimit: 65_536 },
      workflows: {
        child: async () => 1,
        order: async (ctx, path: string) => {
          const compensate = () => void refunded.push(path);
          await ctx.step('charge', () => void charged.push(path), { compensate });
          return paths[path]!(ctx);
        },
      },
    });
    process.registry.register({
      name: 'strict',
      version: 1,
      input: noNumber,
      runner: { run: async () => 1 },
    });
    return process;
  }

  const reasons = (process: Process, paths: object) =>
    Promise.all(Object.keys(paths).map(async (id) => `${id}: ${(await process.client.getStatus(id)).reason}`));
  const blocked = (paths: object) => Object.keys(paths).map((id) => `${id}: programming_error`);

  /** All runs are blocked, and end as `ended` once the code is right. */
  async function blocksUntilFixed(
    paths: Record<string, Path>,
    ended: Partial<WorkflowRunStatus>,
    begun?: (process: Process) => Promise<void>,
  ): Promise<Process> {
    const process = await boot(paths);
    for (const id of Object.keys(paths)) await process.client.start('order', id, { id });
    await begun?.(process);
    await until('all are blocked', async () =>
      (await reasons(process, paths)).every((reason, n) => reason === blocked(paths)[n]),
    );
    expect(refunded).toEqual([]);
    expect(tried).toEqual([...new Set(tried)]);
    isFixed = true;
    for (const id of Object.keys(paths)) {
      // It may be on its way after the first one.
      await until(`"${id}" has ended`, async () => {
        const { status } = await process.client.getStatus(id);
        if (status === ended.status) return true;
        await process.client
          .retry(id)
          .catch((error: unknown) => expect(nothingToRetry).toContain((error as Error).constructor));
        return false;
      });
      expect(await process.client.getStatus(id)).toMatchObject(ended);
    }
    expect(charged.sort()).toEqual(Object.keys(paths).sort());
    return process;
  }

  async function standsStill(paths: Record<string, Path>): Promise<void> {
    await blocksUntilFixed(paths, { status: 'completed', output: 'done' });
    expect(refunded).toEqual([]);
  }

  it('at a call blocks the run: nothing is undone, and it goes on with code that is right', () =>
    standsStill(
      Object.fromEntries(
        Object.entries(CALLS).map(([name, call]) => [name, async (ctx) => (isFixed ? 'done' : await call(ctx))]),
      ),
    ));

  it('are never texts for people: they are stored well-formed, and cut', async () => {
    const half = '😀'.slice(0, 1);
    const texts = [`sent to ${half}`, 'sent to a\0b', 'ü'.repeat(2_000)];
    const stored = (most: number) => ['sent to \uFFFD', 'sent to a\uFFFDb', 'ü'.repeat(most)];
    const outbox = await stepOutbox(house().backend);
    const process = await house().boot({
      stepEvents: (storage: OpenStorage) => outbox.of(storage),
      workflows: {
        order: async (ctx, text: string) => {
          ctx.setStatus(text);
          ctx.setAttributes({ text });
          ctx.log.info(text, { text });
          await ctx.publish({ channel: 'c', name: text });
          const child = { attributes: { child: text } };
          return ctx.executeChild('child', null, child);
        },
        child: async () => 1,
        fails: async (ctx, text: string) => ctx.fail(text),
      },
    });
    for (const [n, text] of texts.entries()) {
      expect(await process.client.startAndWait('order', text, { id: `r${n}`, attributes: { begun: text } })).toBe(1);
      const status = await process.client.getStatus(`r${n}`, { history: true });
      const short = stored(191)[n];
      expect(status).toMatchObject({ customStatus: stored(1_000)[n], attributes: { text: short, begun: short } });
      expect(status.logs).toMatchObject([{ message: stored(2_000)[n] }]);
      const { runs } = await process.client.list({ attributes: { child: text } });
      expect(runs).toMatchObject([{ workflow: 'child', attributes: { child: short } }]);
      await expect(process.client.startAndWait('fails', text)).rejects.toThrow(stored(2_000)[n]);
    }
    expect((await outbox.published()).map(({ name }) => name)).toEqual(stored(191));
  });

  it('of a step blocks the run, which makes the attempt again with code that is right', () =>
    standsStill(
      Object.fromEntries(Object.entries(WORK).map(([name, work]) => [name, (ctx) => work(ctx, () => isFixed)])),
    ));

  it.each(['failed', 'cancelled'] as const)(
    'in a compensation of a run that has %s blocks it, and each step is undone once with code that is right',
    async (status) => {
      const pathOf = ([path, work]: [string, (typeof UNDONE)[string]]): [string, Path] => {
        const undoIn = (ctx: WorkflowContext<unknown>) => () => {
          tried.push(path);
          if (!isFixed) ctx.uuid();
          refunded.push(`the work of ${path}`);
        };
        return [
          path,
          async (ctx) => {
            await work({ ctx, isFixed: () => isFixed, undo: undoIn(ctx) });
            if (status === 'failed') ctx.fail('no longer wanted');
            ctx.setStatus('done');
            await ctx.sleep('long', '1d');
          },
        ];
      };
      const paths = Object.fromEntries(Object.entries(UNDONE).map(pathOf));
      const cancelled = async (process: Process) => {
        for (const id of Object.keys(paths)) {
          await until(`"${id}" has done its work`, async () => (await process.client.getStatus(id)).customStatus);
          await process.client.cancel(id);
        }
      };
      const { client } = await blocksUntilFixed(paths, { status }, status === 'cancelled' ? cancelled : undefined);
      for (const path of Object.keys(paths).filter((name) => name.startsWith('right code'))) {
        const { history } = await client.getStatus(path, { history: true });
        const undoing = history?.find(({ name }) => name === 'undo');
        expect(undoing).toMatchObject({ kind: 'remote', status: 'completed' });
        expect(undoing?.attempts).toMatchObject([{ attempt: 1, outcome: 'failed' }, { attempt: 2 }]);
      }
      expect(new Set(tried).size).toBeGreaterThan(7);
      const once = Object.keys(UNDONE).flatMap((path) => [path, `the work of ${path}`]);
      expect(refunded.sort()).toEqual(once.sort());
    },
  );
});
