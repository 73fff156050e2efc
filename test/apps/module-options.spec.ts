import type { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DurableModule,
  type DurableModuleOptions,
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { InMemoryTransport, ManualClock } from '../../lib/testing/index.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

/** How many of each name run now, and the most that did. */
const running = new Map<string, number>();
const most = new Map<string, number>();
/** How many steps are to run at once before the first of them ends. */
let width = 1;
const attempts: number[] = [];

async function counted<T>(name: string, work: () => Promise<T>): Promise<T> {
  running.set(name, (running.get(name) ?? 0) + 1);
  most.set(name, Math.max(most.get(name) ?? 0, running.get(name)!));
  try {
    return await work();
  } finally {
    running.set(name, running.get(name)! - 1);
  }
}

@Worker({ concurrency: 10, leaseDuration: '20s' })
class Steps {
  @RemoteStep('options.slow')
  slow(ms: number, { signal }: StepContext): Promise<string> {
    return counted('slow', async () => {
      await until('all places are taken', () => most.get('slow')! >= width, { everyMs: 5 });
      return pause(ms, 'slow', { signal });
    });
  }

  @RemoteStep('options.fails', { retry: 5 })
  fails(_: unknown, { attempt }: StepContext): never {
    attempts.push(attempt);
    throw new Error(`attempt ${attempt}`);
  }

  @RemoteStep('options.where')
  where(): string {
    return 'here';
  }
}

class Others {
  @RemoteStep('options.other')
  other(): string {
    return 'other';
  }
}

@Workflow('options', { retry: 1 })
class Options {
  async run(ctx: WorkflowContext, what: string): Promise<unknown> {
    const steps = ctx.remote(Steps);
    switch (what) {
      case 'many':
        return Promise.all(Array.from({ length: 12 }, () => steps.slow(10)));
      case 'fails':
        return steps.fails(1);
      case 'hangs':
        return steps.slow(60_000);
      case 'partition':
        return ctx.remote(Steps, { partition: 'eu' }).where();
      case 'group':
        return ctx.remote('options.where', null, { group: 'gpu' });
      case 'local':
        return ctx.step('local', ({ attempt }) => Promise.reject(new Error(`attempt ${attempt}`)));
      case 'slept':
        await ctx.sleep('long', '1h');
        return ctx.now();
      default:
        return Promise.all([steps.where(), ctx.remote(Others).other()]);
    }
  }
}

describe('The options of the module', () => {
  let database: FreshDatabase;
  const apps: INestApplicationContext[] = [];
  beforeAll(async () => {
    database = await createDatabase('postgres');
  });
  beforeEach(() => {
    most.clear();
    width = 1;
    attempts.length = 0;
  });
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });
  afterAll(() => database.close());

  async function boot(
    options: DurableModuleOptions = {},
    providers: ModuleMetadata['providers'] = [Options, Steps, Others],
  ) {
    const parts = { imports: [ormModule('typeorm', database), DurableModule.forRoot(options)], providers };
    const app = await bootApp(parts);
    apps.push(app);
    return app.get(WorkflowClient);
  }
  const fast = { attempts: 2, backoff: { delay: 1 } };

  it('bound how many steps run: in the process, and of a class', async () => {
    width = 3;
    const wide = await boot({ worker: { concurrency: 3 } });
    await wide.startAndWait(Options, 'many', { timeout: '120s' });
    expect(most.get('slow')).toBe(3);
    await apps.pop()!.close();
    most.clear();
    width = 2;
    const narrow = await boot({ workers: { Steps: { concurrency: 2 } } });
    await narrow.startAndWait(Options, 'many', { timeout: '120s' });
    expect(most.get('slow')).toBe(2);
  });

  it('go before what decorators say', async () => {
    const client = await boot({ steps: { 'options.fails': { retry: fast } }, workflows: { options: { retry: fast } } });
    await expect(client.startAndWait(Options, 'fails', { timeout: '120s' })).rejects.toThrow('attempt 2');
    expect(attempts).toEqual([1, 2]);
    await expect(client.startAndWait(Options, 'local', { timeout: '120s' })).rejects.toThrow('attempt 2');
    await apps.pop()!.close();
    const timeout = await boot({ steps: { 'options.slow': { timeout: '50ms', retry: false } } });
    await expect(timeout.startAndWait(Options, 'hangs', { timeout: '120s' })).rejects.toMatchObject({
      code: 'STEP_TIMEOUT',
    });
  });

  it('let a workflow say by itself how often its steps are tried', async () => {
    const client = await boot();
    await expect(client.startAndWait(Options, 'local', { timeout: '120s' })).rejects.toThrow('attempt 1');
  });

  it('give a process the groups that it serves', async () => {
    const client = await boot({ worker: false });
    const handles = await Promise.all(['partition', 'group', 'both'].map((what) => client.start(Options, what)));
    await boot({ engine: false, worker: { groups: ['options.where@eu', 'gpu'] } }, [Steps, Others]);
    await expect(Promise.all(handles.slice(0, 2).map((handle) => handle.result({ timeout: '120s' })))).resolves.toEqual(
      ['here', 'here'],
    );
    const waiting = () =>
      database.query('SELECT grp FROM durable_transport_tasks WHERE claimed_at IS NULL ORDER BY grp');
    await until('the third one waits', async () => (await waiting()).length === 2);
    expect(await waiting()).toEqual([{ grp: 'options.other' }, { grp: 'options.where' }]);
    await boot({ engine: false });
    await expect(handles[2]!.result({ timeout: '120s' })).resolves.toEqual(['here', 'other']);
  });

  it('keep namespaces apart', async () => {
    const ours = await boot({ namespace: 'ours' });
    const theirs = await boot({ namespace: 'theirs', worker: false }, []);
    const handle = await theirs.start(Options, 'both', { id: 'not ours' });
    await ours.startAndWait(Options, 'both', { timeout: '120s' });
    expect(await handle.status()).toMatchObject({ status: 'pending' });
    await expect(ours.start(Options, 'both', { id: 'not ours' })).rejects.toMatchObject({ status: 409 });
    expect((await theirs.list()).runs.map(({ id }) => id)).toEqual(['not ours']);
  });

  it('put another transport in place of the tables', async () => {
    const transport = new InMemoryTransport({ now: () => Date.now() });
    const client = await boot({ transport });
    await expect(client.startAndWait(Options, 'both', { timeout: '120s' })).resolves.toEqual(['here', 'other']);
    await expect(client.startAndWait(Options, 'many', { timeout: '120s' })).resolves.toHaveLength(12);
  });

  it("let a test turn the clock, the database's included", async () => {
    const clock = new ManualClock(1_000_000);
    const client = await boot({ clock, prefix: 'turned', engine: { residency: '1s' } });
    const handle = await client.start(Options, 'slept', { id: 'slept' });
    await until('it sleeps', async () => (await handle.status()).status === 'suspended');
    clock.advance(3_600_000);
    const woke = (await handle.result({ timeout: '120s' })) as Date;
    expect(woke.getTime()).toBe(1_000_000 + 3_600_000);
  });
});
