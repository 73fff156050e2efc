import { type INestApplicationContext, Injectable, type OnModuleInit, type Provider } from '@nestjs/common';
import {
  DurableModule,
  type DurableModuleOptions,
  type MemoryBackend,
  memoryBackend,
  ResultTooEarlyError,
  Workflow,
  WorkflowClient,
} from '../../../lib/index.js';
import { bootApp } from '../../support/nest-app.js';

@Workflow('flow')
class Flow {
  async run(): Promise<string> {
    return 'done';
  }
}

@Workflow('flow', { version: 2 })
class NextFlow {
  async run(): Promise<string> {
    return 'done anew';
  }
}

type Use = (client: WorkflowClient) => Promise<unknown>;

/** Where an app may await a result while it boots. */
const PLACES: Record<string, (use: Use) => Provider> = {
  'a factory': (use) => ({ provide: 'early', inject: [WorkflowClient], useFactory: use }),
  onModuleInit: (use) => {
    @Injectable()
    class Early implements OnModuleInit {
      constructor(private readonly client: WorkflowClient) {}

      async onModuleInit(): Promise<void> {
        await use(this.client);
      }
    }
    return Early;
  },
  onApplicationBootstrap: (use) => {
    @Injectable()
    class Early {
      constructor(private readonly client: WorkflowClient) {}

      async onApplicationBootstrap(): Promise<void> {
        await use(this.client);
      }
    }
    return Early;
  },
};

describe.each(Object.entries(PLACES))('a result that is awaited in %s', (_, place) => {
  const apps: INestApplicationContext[] = [];
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

  const boot = async (
    use: Use | undefined,
    {
      backend = memoryBackend(),
      providers = [Flow],
      ...options
    }: DurableModuleOptions & { providers?: Provider[] } = {},
  ) => {
    const imports = [DurableModule.forRoot({ backend, ...options })];
    const app = await bootApp({ imports, providers: [...providers, ...(use ? [place(use)] : [])] });
    apps.push(app);
    return app.get(WorkflowClient);
  };
  const withRun = async (): Promise<MemoryBackend> => {
    const backend = memoryBackend();
    await (await boot(undefined, { backend, engine: false })).start('flow', null, { id: 'r' });
    return backend;
  };
  const early = { code: 'RESULT_TOO_EARLY', workflow: 'flow' };

  it('is refused, before anything is started, if this process would play the run', async () => {
    const backend = memoryBackend();
    const booting = boot((client) => client.startAndWait(Flow, undefined, { id: 'r' }), { backend });
    await expect(booting).rejects.toBeInstanceOf(ResultTooEarlyError);
    await expect(booting).rejects.toThrow(/onModuleInit.*onApplicationBootstrap.*app\.listen.*@OnRunEnded/);
    const client = await boot(undefined, { backend, engine: false });
    expect((await client.list()).runs).toEqual([]);
    await expect(boot((one) => one.startAndWait('flow', null, { timeout: '1h' }))).rejects.toMatchObject(early);
    await expect(boot(async (one) => (await one.start(Flow)).result())).rejects.toMatchObject(early);
    await expect(boot((one) => one.result('r'), { backend: await withRun() })).rejects.toMatchObject(early);
  });

  it('is waited for if another process plays the run, and told if the run has ended', async () => {
    const backend = memoryBackend();
    const other = await boot(undefined, { backend });
    expect(await other.startAndWait(Flow, undefined, { id: 'ended' })).toBe('done');
    const told: unknown[] = [];
    const use: Use = async (client) => {
      told.push(await client.result('ended'), await client.startAndWait(Flow));
    };
    await boot(use, { backend, engine: false });
    await boot(async (client) => told.push(await client.startAndWait('flow', null, { version: 1 })), {
      backend,
      providers: [NextFlow],
    });
    await boot(async (client) => told.push(await client.result('ended')), { backend });
    expect(told).toEqual(['done', 'done', 'done', 'done']);
  });

  it('is none if nobody waits: a run is started, and ends once the app is up', async () => {
    const client = await boot((one) => one.start(Flow, undefined, { id: 'r' }));
    expect(await client.result('r')).toBe('done');
  });
});
