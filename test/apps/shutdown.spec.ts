import { type DynamicModule, type INestApplicationContext, Injectable, type Type } from '@nestjs/common';
import {
  DurableModule,
  type DurableModuleOptions,
  Effect,
  type EffectContext,
  Effects,
  memoryBackend,
  OnOutboxMessage,
  OnRunEnded,
  Outbox,
  OutboxOperations,
  OutboxPublisher,
  ProcessEndingError,
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { chosen } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { type Gate, gate } from '../support/gate.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

/** One process: its first attempt of anything fails once the process ends, those of others succeed. */
interface Process {
  app: INestApplicationContext;
  isFirst: boolean;
  begun: string[];
  reasons: unknown[];
  ends: Gate;
}

/** Waits for the end of the process, by a signal where there is one, and fails as code whose client is closed. */
async function attempt(at: Omit<Process, 'app'>, what: string, signal?: AbortSignal): Promise<void> {
  at.begun.push(what);
  if (!at.isFirst) return;
  if (signal && !signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  if (signal) at.reasons.push(signal.reason);
  else await at.ends.opened;
  throw new TypeError('the client is closed');
}

function classesOf(at: Omit<Process, 'app'>): Type[] {
  const once = { retry: 1 } as const;

  @Workflow('acts')
  class Acts {
    async run(ctx: WorkflowContext, what: string): Promise<string> {
      const { signal } = ctx;
      const fails = (text: string): void => {
        if (what === text) throw new Error('as asked');
      };
      if (what === 'step') await ctx.step(what, (step) => attempt(at, what, step.signal), once);
      if (what === 'timed') await ctx.step(what, (s) => attempt(at, what, s.signal), { ...once, timeout: '10m' });
      if (what === 'transaction') await ctx.transaction(what, () => attempt(at, what, signal), once);
      if (what === 'remote') await ctx.remote('remote', what);
      if (what === 'undo step')
        await ctx.step('book', () => 1, { ...once, compensate: (_, step) => attempt(at, what, step.signal) });
      if (what === 'undo transaction')
        await ctx.transaction('book', () => 1, { ...once, compensate: () => attempt(at, what, signal) });
      if (what === 'undo remote') await ctx.remote('book', what, { ...once, compensate: 'unbook' });
      for (const each of ['undo step', 'undo transaction', 'undo remote']) fails(each);
      await ctx.step('again', (step) => attempt(at, what, step.signal), once);
      return 'done';
    }
  }

  @Workflow('looping')
  class Looping {
    async run(ctx: WorkflowContext): Promise<number> {
      let steps = 0;
      for (; steps < 3 && !ctx.signal.aborted; steps++)
        await ctx.step('again', async ({ signal }) => {
          at.begun.push('loop');
          if (at.isFirst) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        });
      return steps;
    }
  }

  @Worker()
  class Steps {
    @RemoteStep('remote', once)
    remote(what: string, { signal }: StepContext): Promise<void> {
      return attempt(at, what, signal);
    }

    @RemoteStep('book', once)
    async book(): Promise<void> {}

    @RemoteStep('unbook', once)
    unbook(_: unknown, { signal }: StepContext): Promise<void> {
      return attempt(at, 'undo remote', signal);
    }
  }

  @Injectable()
  class Others {
    @Effect('call', { attempts: 1 })
    call(_: unknown, { signal }: EffectContext): Promise<void> {
      return attempt(at, 'effect', signal);
    }

    @OnOutboxMessage('app', { consumer: 'counts' })
    count(): Promise<void> {
      return attempt(at, 'consumer');
    }

    @OnRunEnded({ workflow: 'short' })
    ended(): Promise<void> {
      return attempt(at, 'hook');
    }
  }

  @Workflow('short')
  class Short {
    async run(): Promise<void> {}
  }

  @OutboxPublisher({ name: 'broker' })
  class Broker {
    publish(events: readonly { channel: string }[], { signal }: { signal: AbortSignal }): Promise<void> {
      return events.some(({ channel }) => channel === 'app') ? attempt(at, 'publisher', signal) : Promise.resolve();
    }
  }
  return [Acts, Looping, Short, Steps, Others, Broker];
}

const RUNS = ['step', 'timed', 'transaction', 'remote', 'undo step', 'undo transaction', 'undo remote'];
const OTHERS = ['effect', 'consumer', 'hook', 'publisher'];

interface Site {
  name: string;
  open(): Promise<{ imports: () => (DynamicModule | Promise<DynamicModule> | Type)[]; close(): Promise<void> }>;
}

const OPTIONS: DurableModuleOptions = {
  migrate: true,
  outbox: { attempts: 1, onPoison: 'park', leaseDuration: '60s' },
  worker: { leaseDuration: '10m' },
};

const sites: Site[] = [
  {
    name: 'memory',
    open: async () => {
      const backend = memoryBackend();
      return { imports: () => [DurableModule.forRoot({ ...OPTIONS, backend })], close: async () => undefined };
    },
  },
  ...chosen('what an ending process gives back').map(({ name, orm, db }) => ({
    name,
    open: async () => {
      const database: FreshDatabase = await createDatabase(db);
      const imports = () => [ormModule(orm, database) as DynamicModule, DurableModule.forRoot(OPTIONS)];
      return { imports, close: () => database.close() };
    },
  })),
];

describe.each(sites)('what an ending process gives back [$name]', ({ open }) => {
  let site: Awaited<ReturnType<Site['open']>>;
  const apps: INestApplicationContext[] = [];
  beforeAll(async () => {
    site = await open();
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await site.close();
  });

  const boot = async (isFirst: boolean): Promise<Process> => {
    const at = { isFirst, begun: [] as string[], reasons: [] as unknown[], ends: gate() };
    const app = await bootApp({ imports: site.imports(), providers: classesOf(at) });
    apps.push(app);
    return { ...at, app };
  };

  it('counts for nothing, on every path, and is done by the next process', async () => {
    const first = await boot(true);
    const client = first.app.get(WorkflowClient);
    for (const what of RUNS) await client.start('acts', what, { id: what });
    await client.start('looping', null, { id: 'loop' });
    await client.start('short', null, { id: 'short' });
    await first.app.get(Outbox).publish({ channel: 'app', name: 'paid', data: {} });
    await first.app.get(Effects).enqueue({ operation: 'o', subject: 's', calls: [{ handler: 'call', ref: 1 }] });
    const wanted = [...RUNS, ...OTHERS, 'loop'].sort();
    await until('all have begun', () => first.begun.length === wanted.length, { otherwise: () => first.begun });
    const closed = first.app.close();
    first.ends.open();
    await closed;
    expect(first.begun.toSorted()).toEqual(wanted);
    expect(first.reasons).toHaveLength(RUNS.length + 2);
    for (const reason of first.reasons) expect(reason).toBeInstanceOf(ProcessEndingError);

    const second = await boot(false);
    const next = second.app.get(WorkflowClient);
    const ended = (id: string) => next.result(id, { timeout: '120s' }).catch(() => undefined);
    await Promise.all([...RUNS, 'loop', 'short'].map(ended));
    await until('the others', () => OTHERS.every((one) => second.begun.includes(one)), {
      otherwise: () => second.begun,
    });
    for (const id of RUNS) {
      const { status, history = [] } = await next.getStatus(id, { history: true });
      expect([id, status]).toEqual([id, id.startsWith('undo') ? 'failed' : 'completed']);
      const told = history.flatMap(({ name, failures, attempts }) => [
        name,
        failures,
        ...attempts.map(({ attempt: n, outcome }) => `${n} ${outcome}`),
      ]);
      expect([id, ...told]).toEqual([id, ...history.flatMap(({ name }) => [name, 0, '1 completed'])]);
    }
    // What completed counts, and its code went on elsewhere.
    expect(await next.result('loop')).toBe(3);
    expect(second.begun.filter((one) => one === 'loop')).toHaveLength(2);
    const calls = () => second.app.get(Effects).statusCounts();
    await until('the call', async () => (await calls()).succeeded === 1);
    expect(await calls()).toMatchObject({ abandoned: 0, failed: 0 });
    for (const destination of ['broker', 'counts'])
      expect(await second.app.get(OutboxOperations).deadLetters({ destination })).toEqual([]);
  });
});
