import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type INestApplicationContext, Injectable, type Provider } from '@nestjs/common';
import { context as contexts, createTraceState, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  DurableEvents,
  Effect,
  Effects,
  NonRetryableEffectError,
  OnAbandoned,
  OnOperationComplete,
  OnOutboxMessage,
  Outbox,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { chosen } from '../support/backends.js';
import { type ReadableSpan, recordedSpans } from '../support/recorded-spans.js';
import { type TracedPlace, tracedPlaces } from '../support/traced-apps.js';
import { until } from '../support/until.js';

const spans = recordedSpans();
const mark = (name: string): void => spans.tracer.startSpan(name).end();
const thrower = (thrown: unknown) => (): never => {
  throw thrown;
};

@Worker({ group: 'far' })
class Steps {
  @RemoteStep('lives.throws', { retry: { attempts: 1 } })
  async throws(_: null): Promise<void> {
    thrower(null)();
  }
}

@Injectable()
class Outside {
  @Effect('lives.succeeds')
  async succeeds(): Promise<void> {}

  @Effect('lives.fails')
  async fails(): Promise<void> {
    throw new NonRetryableEffectError('no');
  }

  @OnOutboxMessage('lives', { consumer: 'lives' })
  async hear(): Promise<void> {
    mark('in hear');
  }

  @OnOperationComplete('lives.complete')
  async complete(): Promise<void> {
    mark('in completion');
  }

  @OnAbandoned('lives.abandon')
  abandoned(): void {
    mark('in abandonment');
  }
}

@Workflow('lives.again')
class Again {
  async run(ctx: WorkflowContext<number>, left: number): Promise<unknown> {
    await ctx.step(`left ${left}`, () => mark(`in left ${left}`));
    return left > 0 ? ctx.continueAsNew(left - 1) : { tenant: ctx.context['tenant'] };
  }
}

@Workflow('lives.mended')
class Mended {
  static broken = false;

  async run(ctx: WorkflowContext, _: null): Promise<unknown> {
    await ctx.step('first', () => mark('in first'));
    await ctx.step('second', () => mark('in second'));
    if (Mended.broken) throw new Error('broken');
    return ctx.context['tenant'];
  }
}

@Workflow('lives.carried')
class Carried {
  async run(ctx: WorkflowContext, deeper: boolean): Promise<unknown> {
    const { traceparent, tracestate } = ctx.context;
    const seen = { traceparent: typeof traceparent, tracestate };
    return deeper ? [seen, await ctx.executeChild(Carried, false)] : seen;
  }
}

@Workflow('lives.throwing')
class Throwing {
  async run(ctx: WorkflowContext, _: null): Promise<string> {
    const failed: unknown[] = [];
    await ctx.step('none', thrower(undefined), { retry: { attempts: 1 } }).catch((error) => failed.push(error));
    await ctx.transaction('null', thrower(null), { retry: { attempts: 1 } }).catch((error) => failed.push(error));
    await ctx
      .remote(Steps)
      .throws(null)
      .catch((error) => failed.push(error));
    return `${failed.length} failed`;
  }
}

/** What `contextFrom` returns while a test runs. */
let named: Record<string, unknown> = {};
const places = tracedPlaces(
  chosen('Traces of lives'),
  [Again, Mended, Carried, Throwing, Steps, Outside] as Provider[],
  { contextFrom: () => named },
);

const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;
const linksOf = (span: ReadableSpan): string[] => span.links.map(({ context }) => context.spanId);
const idOf = (span: ReadableSpan): string => span.spanContext().spanId;
const one = (name: string): ReadableSpan => {
  const found = spans.named(name);
  expect({ name, count: found.length }).toEqual({ name, count: 1 });
  return found[0]!;
};
const PATIENT = { timeout: '120s' } as const;

describe.each(places)('Traces of lives [$name]', ({ open }) => {
  let at: Awaited<ReturnType<TracedPlace['open']>>;
  let app: INestApplicationContext;
  let client: WorkflowClient;

  beforeAll(async () => {
    spans.register();
    at = await open();
    app = await at.boot();
    client = app.get(WorkflowClient);
  });
  beforeEach(() => {
    named = {};
    spans.reset();
  });
  afterAll(async () => {
    await app?.close();
    await at?.close();
    spans.disable();
  });

  it('begin anew with each `continueAsNew`, linked to the life before', async () => {
    named = { tenant: 'a' };
    expect(await client.startAndWait(Again, 2, PATIENT)).toEqual({ tenant: 'a' });
    await until('its end is told', () => spans.named('end lives.again').length > 0);
    const starts = spans.named('start lives.again');
    expect(starts.map(parentOf)).toEqual([undefined, undefined, undefined]);
    expect(new Set(starts.map((span) => span.spanContext().traceId)).size).toBe(3);
    expect(starts.map(linksOf)).toEqual([[], [idOf(starts[0]!)], [idOf(starts[1]!)]]);
    const steps = [2, 1, 0].map((left) => one(`step left ${left}`));
    expect(steps.map(parentOf)).toEqual(starts.map(idOf));
    expect(parentOf(one('end lives.again'))).toBe(idOf(starts[2]!));
  });

  const within = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    spans.tracer.startActiveSpan(name, async (span) => {
      const done = await work();
      span.end();
      return done;
    });

  it('begin with the call that restarts or forks a run, linked to the life before, and go on with a retry', async () => {
    named = { tenant: 'a' };
    Mended.broken = true;
    const run = await within('request', () => client.start(Mended, null));
    await run.result(PATIENT).catch(() => undefined);
    Mended.broken = false;
    await client.retry(run.id);
    expect(await client.result(run.id, PATIENT)).toBe('a');
    await until('its ends are told', () => spans.named('end lives.mended').length === 2);
    const [first] = spans.named('start lives.mended');
    expect(spans.named('end lives.mended').map(parentOf)).toEqual([idOf(first!), idOf(first!)]);

    await within('again', () => client.restart(run.id));
    expect(await client.result(run.id, PATIENT)).toBe('a');
    const from = await second(run.id);
    const fork = await within('fork', () => client.fork<string>(run.id, { from }));
    expect(await fork.result(PATIENT)).toBe('a');
    await until('its ends are told', () => spans.named('end lives.mended').length === 4);
    const starts = spans.named('start lives.mended');
    expect(starts.map(parentOf)).toEqual(['request', 'again', 'fork'].map((name) => idOf(one(name))));
    expect(starts.map(linksOf)).toEqual([[], [idOf(starts[0]!)], [idOf(starts[1]!)]]);
    expect(spans.named('step first').map(parentOf)).toEqual([starts[0], starts[1]].map((start) => idOf(start!)));
    expect(spans.named('step second').map(parentOf)).toEqual(starts.map(idOf));
  });

  it('begin after others with links to them', async () => {
    const runs = [await client.start(Again, 0), await client.start(Again, 0)];
    for (const run of runs) await run.result(PATIENT);
    const known = spans.named('start lives.again').slice(-2);
    const last = await within('last', () => client.start(Again, 0, { after: runs.map(({ id }) => id) }));
    await last.result(PATIENT);
    const start = spans.named('start lives.again').at(-1)!;
    expect([parentOf(start), linksOf(start).sort()]).toEqual([idOf(one('last')), known.map(idOf).sort()]);
  });

  /** The position of its second step, in the run's last life. */
  const second = async (id: string): Promise<number> =>
    (await client.getStatus(id, { history: true })).history!.find(({ name }) => name === 'second')!.seq;

  it('go on in consumers of events, and in calls, that the app writes itself', async () => {
    const event = { channel: 'lives', name: 'e', data: 1 };
    const calls = [{ handler: 'lives.succeeds', ref: 1 }];
    await within('order', async () => {
      await app.get(Outbox).publish(event);
      await app.get(Effects).enqueue({ operation: 'lives.plain', subject: 'one', calls });
    });
    const names = ['publish lives', 'effect lives.succeeds'];
    await until('both are made', () => names.every((name) => spans.named(name).length > 0));
    const order = idOf(one('order'));
    for (const name of names) expect([parentOf(one(name)), linksOf(one(name))]).toEqual([order, [order]]);
    expect(parentOf(one('in hear'))).toBe(idOf(one('publish lives')));
    spans.reset();
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    await within('order', () => app.get(Outbox).publish({ ...event, headers: { traceparent } }));
    await until('it is heard', () => spans.named('publish lives').length > 0);
    expect(parentOf(one('publish lives'))).toBe('2'.repeat(16));
  });

  it('never keep a run from starting: what does not fit beside its context is left out', async () => {
    const state = `vendor=${'x'.repeat(200)}`;
    const caller = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 };
    const from = trace.setSpanContext(ROOT_CONTEXT, { ...caller, traceState: createTraceState(state) });
    const seen = (length: number) => {
      named = { filling: 'x'.repeat(length) };
      return contexts.with(from, () => client.startAndWait(Carried, true, PATIENT));
    };
    const [all, some, none] = [
      { traceparent: 'string', tracestate: state },
      { traceparent: 'string' },
      { traceparent: 'undefined' },
    ];
    expect(await seen(3_000)).toEqual([all, all]);
    expect(await seen(3_950)).toEqual([some, some]);
    expect(await seen(4_080)).toEqual([none, none]);
  });

  it('have errors of steps that throw nothing', async () => {
    expect(await client.startAndWait(Throwing, null, PATIENT)).toBe('3 failed');
    for (const name of ['step none', 'transaction null', 'process lives.throws'])
      expect(one(name)).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': 'Error' },
      });
  });

  it('do not have what listeners make, which begins traces', async () => {
    const events = app.get(DurableEvents);
    const heard = events.on('task.completed', 'task.failed', 'run.left').subscribe(({ type }) => mark(`in ${type}`));
    const published = () => mark('in channel');
    subscribe('nest-durable:run.left', published);
    await client.startAndWait(Throwing, null, PATIENT);
    const call = (operation: string, handler: string) =>
      app.get(Effects).enqueue({ operation, subject: 'one', calls: [{ handler, ref: 1 }] });
    await call('lives.complete', 'lives.succeeds');
    await call('lives.abandon', 'lives.fails');
    const names = ['in task.failed', 'in run.left', 'in channel', 'in completion', 'in abandonment'];
    await until('all listeners were called', () => names.every((name) => spans.named(name).length > 0));
    heard.unsubscribe();
    unsubscribe('nest-durable:run.left', published);
    for (const name of names) expect(spans.named(name).map(parentOf)).toEqual(spans.named(name).map(() => undefined));
  });
});
