import { type INestApplicationContext, Injectable, type Provider } from '@nestjs/common';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  Effect,
  OnOutboxMessage,
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSchedules,
  WorkflowSignal,
} from '../../lib/index.js';
import { type OpenTelemetryOptions } from '../../lib/otel/index.js';
import { chosen } from '../support/backends.js';
import { type ReadableSpan, recordedSpans, traceStatements } from '../support/recorded-spans.js';
import { type TracedPlace, tracedPlaces } from '../support/traced-apps.js';
import { until } from '../support/until.js';

const spans = recordedSpans();
const mark = (name: string): void => spans.tracer.startSpan(name).end();
const GO = new WorkflowSignal<string>('go');

@Worker({ group: 'far' })
class Steps {
  @RemoteStep('tracing.far', { retry: { attempts: 2, backoff: { delay: 1 } } })
  async far(secret: string, { attempt }: StepContext): Promise<string> {
    mark('in far');
    if (attempt === 1) throw Object.assign(new Error(secret), { code: 'DECLINED' });
    return secret;
  }
}

@Injectable()
class Outside {
  @Effect('tracing.call')
  async call(): Promise<void> {
    mark('in call');
  }

  @OnOutboxMessage('tracing', { consumer: 'tracing' })
  async hear(): Promise<void> {
    mark('in hear');
  }
}

@Workflow('tracing.child')
class Child {
  async run(ctx: WorkflowContext, _: null): Promise<void> {
    await ctx.step('in child', () => mark('in step of child'));
  }
}

@Workflow('tracing.order')
class Order {
  async run(ctx: WorkflowContext, secret: string): Promise<string> {
    mark('code 1');
    await ctx.step('near', () => mark('in near'));
    mark('code 2');
    await ctx.remote(Steps).far(secret);
    await ctx.transaction('book', () => mark('in book'));
    mark('code 3');
    const paid = await ctx.waitForSignal('paid', GO);
    mark('code 4');
    await ctx.executeChild(Child, null);
    await ctx.publish({ channel: 'tracing', name: 'paid', data: secret });
    await ctx.effects({ operation: 'tracing', subject: 'one', calls: [{ handler: 'tracing.call', ref: secret }] });
    mark('code 5');
    return paid;
  }
}

const CODE = [1, 2, 3, 4, 5].map((at) => `code ${at}`);
const INSIDE = ['in near', 'in book', 'in step of child', 'in call', 'in hear'];
const places = tracedPlaces(chosen('Spans'), [Order, Child, Steps, Outside] as Provider[]);

const count = (name: string): number => spans.named(name).length;
const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;
const one = (name: string): ReadableSpan => {
  expect({ name, count: count(name) }).toEqual({ name, count: 1 });
  return spans.named(name)[0]!;
};

describe.each(places)('Spans [$name]', ({ name, open }) => {
  let at: Awaited<ReturnType<TracedPlace['open']>>;
  let untrace: () => void;
  const apps: INestApplicationContext[] = [];

  const boot = async (traced?: OpenTelemetryOptions | false) => {
    const app = await at.boot(traced);
    apps.push(app);
    return app;
  };
  const closeAll = async () => {
    for (const app of apps.splice(0)) await app.close();
  };
  /** A request that starts a run. */
  const requested = (app: INestApplicationContext, id: string, options = {}) =>
    spans.tracer.startActiveSpan('request', async (request) => {
      const handle = await app.get(WorkflowClient).start(Order, 'top secret', { id, ...options });
      request.end();
      return handle;
    });
  const signalled = (app: INestApplicationContext, workflowId: string) =>
    spans.tracer.startActiveSpan('payment', async (payment) => {
      await app.get(WorkflowClient).signal(GO, 'paid', { workflowId });
      payment.end();
    });

  beforeAll(async () => {
    spans.register();
    untrace = traceStatements();
    at = await open();
  });
  beforeEach(() => spans.reset());
  afterEach(closeAll);
  afterAll(async () => {
    await at.close();
    untrace();
    spans.disable();
  });

  it('are one trace from the request to the last effect, none twice over a restart, none open', async () => {
    let app = await boot();
    await requested(app, 'order-1');
    await until('it waits for the signal', () => count('code 3') > 0);
    await closeAll();
    app = await boot();
    await signalled(app, 'order-1');
    await app.get(WorkflowClient).result('order-1', { timeout: '120s' });
    await until('all is told', () => count('end tracing.order') > 0 && count('publish tracing') > 0);
    await spans.tracer.startActiveSpan('look', async (look) => {
      await app.get(WorkflowClient).getStatus('order-1', { history: true, inputs: 'replay' });
      look.end();
    });
    await closeAll();

    for (const name of [...CODE, ...INSIDE]) one(name);
    expect(count('in far')).toBe(2);
    const request = one('request');
    const start = one('start tracing.order');
    expect(parentOf(start)).toBe(request.spanContext().spanId);
    expect(start).toMatchObject({ kind: SpanKind.PRODUCER, status: { code: SpanStatusCode.UNSET } });
    const under = start.spanContext().spanId;
    for (const name of [...CODE, 'step near', 'transaction book', 'end tracing.order', 'effect tracing.call'])
      expect(parentOf(one(name))).toBe(under);
    for (const [kind, names] of [
      [SpanKind.PRODUCER, ['start tracing.order', 'start tracing.child', 'signal go', 'publish tracing']],
      [SpanKind.CONSUMER, ['effect tracing.call', 'process tracing.far']],
      [SpanKind.INTERNAL, ['step near', 'step in child', 'transaction book', 'end tracing.order']],
    ] as const)
      for (const name of names) expect({ name, kind: spans.named(name)[0]?.kind }).toEqual({ name, kind });
    for (const [inside, around] of [
      ['in near', 'step near'],
      ['in book', 'transaction book'],
      ['in call', 'effect tracing.call'],
      ['in hear', 'publish tracing'],
      ['in step of child', 'step in child'],
    ] as const)
      expect(parentOf(one(inside))).toBe(one(around).spanContext().spanId);
    expect(parentOf(one('start tracing.child'))).toBe(under);
    expect(parentOf(one('step in child'))).toBe(one('start tracing.child').spanContext().spanId);

    const ours = spans.all().filter(({ name }) => !['payment', 'signal go', 'look', 'statement'].includes(name));
    expect([...new Set(ours.map((span) => span.spanContext().traceId))]).toEqual([request.spanContext().traceId]);
    const ids = new Set(spans.all().map((span) => span.spanContext().spanId));
    expect(spans.all().filter((span) => parentOf(span) && !ids.has(parentOf(span)!))).toEqual([]);
    expect(parentOf(one('signal go'))).toBe(one('payment').spanContext().spanId);
    expect(spans.open()).toBe(0);
  });

  it('have names, numbers and classes of errors, and no payload', async () => {
    const app = await boot();
    await requested(app, 'order-2');
    await signalled(app, 'order-2');
    await app.get(WorkflowClient).result('order-2', { timeout: '120s' });
    await until('it is told', () => count('end tracing.order') > 0);
    const [first, second] = spans.named('process tracing.far');
    expect(first).toMatchObject({ kind: SpanKind.CONSUMER, status: { code: SpanStatusCode.ERROR } });
    expect(first!.status.message).toBeUndefined();
    expect(first!.attributes).toMatchObject({
      'durable.namespace': 'default',
      'durable.run.id': 'order-2',
      'durable.step.name': 'tracing.far',
      'durable.step.kind': 'remote',
      'durable.step.attempt': 1,
      'durable.group': 'far',
      'durable.node.id': expect.any(String) as unknown,
      'error.type': 'DECLINED',
      'messaging.system': 'nest_durable',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'far',
      'messaging.message.conversation_id': 'order-2',
    });
    expect(second!.attributes).toMatchObject({ 'durable.step.attempt': 2 });
    expect(first!.links.map(({ context }) => context.spanId)).toEqual([parentOf(first!)]);
    const end = one('end tracing.order');
    expect(end.attributes).toMatchObject({ 'durable.outcome': 'completed', 'durable.workflow.version': 1 });
    expect(end.duration[0] * 1e3 + end.duration[1] / 1e6).toBeGreaterThan(0);
    const told = spans.all().map(({ attributes, status, events }) => ({ attributes, status, events }));
    expect(JSON.stringify(told)).not.toContain('top secret');
  });

  it('have messages of errors if the app asks for them', async () => {
    const app = await boot({ tracing: { messages: true } });
    await requested(app, 'order-6');
    const [first] = await until('it was processed', () => {
      const found = spans.named('process tracing.far');
      return found.length > 0 ? found : undefined;
    });
    expect(first!.status).toEqual({ code: SpanStatusCode.ERROR, message: 'top secret' });
  });

  it('are made of statements of the app alone, not of ours', async () => {
    const app = await boot();
    spans.reset();
    await requested(app, 'order-3');
    await until('it waits for the signal', () => count('code 3') > 0);
    await signalled(app, 'order-3');
    await spans.tracer.startActiveSpan('wait', async (wait) => {
      await app.get(WorkflowClient).result('order-3', { timeout: '120s' });
      wait.end();
    });
    const told = () => count('end tracing.order') > 0 && count('publish tracing') > 0 && spans.open() === 0;
    await until('all is told', told);
    const names = new Map(spans.all().map((span) => [span.spanContext().spanId, span.name]));
    const parents = spans.named('statement').map((span) => names.get(parentOf(span) ?? '') ?? 'nobody');
    // A consumer runs in a transaction.
    const ofTheApp = ['request', 'payment', 'wait', 'transaction book', 'publish tracing'];
    expect(parents.filter((parent) => !ofTheApp.includes(parent))).toEqual([]);
    expect(parents.filter((parent) => parent === 'wait').length).toBeLessThan(3);
    // The drivers are watched: statements of the app are seen. Of which of its calls depends on who has opened the connection.
    expect(parents.length > 0).toBe(name !== 'memory');
  });

  it('of schedules and of late runs begin traces of their own', async () => {
    const app = await boot({ tracing: { newTraceAfter: '1s' } });
    await app.get(WorkflowSchedules).create(Child, { id: 'often', every: '1s', input: null });
    await until('it has fired', () => count('step in child') > 0);
    await app.get(WorkflowSchedules).delete('often');
    const [fire] = spans.named('fire often');
    expect(parentOf(fire!)).toBeUndefined();
    expect(fire!.kind).toBe(SpanKind.INTERNAL);
    expect(parentOf(spans.named('step in child')[0]!)).toBe(fire!.spanContext().spanId);
    await requested(app, 'late', { delay: '1h' });
    const start = one('start tracing.order');
    expect(parentOf(start)).toBeUndefined();
    expect(start.links.map(({ context }) => context.spanId)).toEqual([one('request').spanContext().spanId]);
  });

  it('of steps are only linked if the app asks for that', async () => {
    const app = await boot({ tracing: { steps: 'link' } });
    await requested(app, 'order-4');
    const [far] = await until('it was processed', () => {
      const found = spans.named('process tracing.far');
      return found.length > 0 ? found : undefined;
    });
    expect(parentOf(far!)).toBeUndefined();
    expect(far!.links.map(({ context }) => context.spanId)).toEqual([one('start tracing.order').spanContext().spanId]);
  });

  it('are not made without the module', async () => {
    const app = await boot(false);
    await requested(app, 'order-5');
    await app.get(WorkflowClient).signal(GO, 'paid', { workflowId: 'order-5' });
    await app.get(WorkflowClient).result('order-5', { timeout: '120s' });
    const kinds = /^(start|process|step|transaction|end|signal|publish|effect|fire) /;
    expect(spans.all().filter(({ name }) => kinds.test(name))).toEqual([]);
  });
});
