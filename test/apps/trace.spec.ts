import { type INestApplicationContext, Injectable, type Provider } from '@nestjs/common';
import {
  context as contexts,
  createTraceState,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import {
  DurableModule,
  type DurableModuleOptions,
  Effect,
  type EffectContext,
  memoryBackend,
  OnOutboxMessage,
  type OutboxEvent,
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { backends } from '../support/backends.js';
import { createDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { recordedSpans } from '../support/recorded-spans.js';
import { until } from '../support/until.js';

const recorded = recordedSpans();
const { tracer } = recorded;

/** As an app continues the trace of whoever started the run. */
const span = (name: string, carrier: unknown): void =>
  tracer.startSpan(name, {}, propagation.extract(ROOT_CONTEXT, carrier)).end();

@Worker()
class Steps {
  @RemoteStep('trace.far')
  async far(_: unknown, step: StepContext): Promise<void> {
    span('far', await step.context());
  }
}

@Injectable()
class Outside {
  @Effect('trace.call')
  async call(_: unknown, { context }: EffectContext): Promise<void> {
    span('call', await context());
  }

  @OnOutboxMessage('trace', { consumer: 'trace' })
  async hear({ name, headers }: OutboxEvent): Promise<void> {
    span(`event ${name} ${String(headers?.['own'])}`, headers);
  }
}

const OWN = '00-11111111111111111111111111111111-2222222222222222-01';

@Workflow('trace.traced')
class Traced {
  async run(ctx: WorkflowContext, _: null): Promise<void> {
    await ctx.step('near', ({ context }) => span('near', context));
    await ctx.remote(Steps).far(null);
    const event = { channel: 'trace', data: 1 };
    await ctx.publish({ ...event, name: 'bare' });
    await ctx.publish({ ...event, name: 'kept', headers: { own: 'yes' } });
    await ctx.publish({ ...event, name: 'other', headers: { traceparent: OWN } });
    await ctx.effects({ operation: 'trace', subject: ctx.workflowId, calls: [{ handler: 'trace.call', ref: 1 }] });
  }
}

const FAST = { pollInterval: '20ms' } as const;
const OPTIONS: DurableModuleOptions = { outbox: FAST, effects: { ...FAST, remoteHandlers: ['trace.call'] } };

type Boot = (providers: Provider[], options: DurableModuleOptions) => Promise<INestApplicationContext>;

async function inMemory(): Promise<{ boot: Boot; close(): Promise<void> }> {
  const backend = memoryBackend();
  const boot: Boot = (providers, options) =>
    bootApp({ imports: [DurableModule.forRoot({ backend, ...OPTIONS, ...options })], providers });
  return { boot, close: async () => {} };
}

async function inSql(at: (typeof backends)[number]): Promise<{ boot: Boot; close(): Promise<void> }> {
  const database = await createDatabase(at.db);
  const boot: Boot = (providers, options) => {
    const durable = DurableModule.forRoot({ migrate: true, ...OPTIONS, ...options });
    return bootApp({ imports: [ormModule(at.orm, database), durable], providers });
  };
  return { boot, close: () => database.close() };
}

const places = [
  { name: 'memory', open: inMemory },
  ...backends.slice(0, 1).map((at) => ({ name: at.name, open: () => inSql(at) })),
];

describe.each(places)('The trace of a run, with OpenTelemetry [$name]', ({ open }) => {
  const apps: INestApplicationContext[] = [];
  let at: Awaited<ReturnType<typeof open>>;

  beforeAll(async () => {
    recorded.register();
    at = await open();
    apps.push(await at.boot([], { engine: false, worker: false }));
    apps.push(await at.boot([Traced], { worker: false }));
    apps.push(await at.boot([Steps, Outside], { engine: false }));
  });
  afterAll(async () => {
    for (const app of apps.splice(0)) await app.close();
    await at.close();
    recorded.disable();
  });
  beforeEach(() => recorded.reset());

  const traced = async (caller: SpanContext | undefined) => {
    const outside = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
    const client = apps[0]!.get(WorkflowClient);
    const started = caller
      ? await tracer.startActiveSpan('request', {}, outside, async (request) => {
          const handle = await client.start(Traced, null);
          request.end();
          return handle;
        })
      : await contexts.with(outside, () => client.start(Traced, null));
    await started.result({ timeout: '120s' });
    const count = caller ? 7 : 6;
    return until('all spans have ended', () => {
      const spans = recorded.all();
      return spans.length === count ? spans : undefined;
    });
  };

  it('is continued by its steps, events and effects in other processes', async () => {
    const caller: SpanContext = {
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      traceFlags: TraceFlags.SAMPLED,
      traceState: createTraceState('vendor=1'),
      isRemote: true,
    };
    const spans = await traced(caller);
    const request = spans.find(({ name }) => name === 'request')!.spanContext();
    expect(request).toMatchObject({ traceId: caller.traceId });
    const ours = spans.filter(({ name }) => !['request', 'event other undefined'].includes(name));
    expect(ours.map(({ name }) => name).sort()).toEqual([
      'call',
      'event bare undefined',
      'event kept yes',
      'far',
      'near',
    ]);
    for (const { parentSpanContext: parent } of ours) {
      expect(parent).toMatchObject({ traceId: caller.traceId, spanId: request.spanId, isRemote: true });
      expect(parent!.traceState?.serialize()).toBe('vendor=1');
    }
    const other = spans.find(({ name }) => name === 'event other undefined')!;
    expect(other.parentSpanContext).toMatchObject({ traceId: '1'.repeat(32), spanId: '2'.repeat(16) });
  });

  it('begins anew for a caller without a span', async () => {
    const spans = await traced(undefined);
    const parents = spans.filter(({ name }) => name !== 'event other undefined').map((one) => one.parentSpanContext);
    expect(parents).toEqual(parents.map(() => undefined));
  });
});
