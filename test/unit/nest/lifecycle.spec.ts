import { once } from 'node:events';
import {
  type DynamicModule,
  Global,
  type INestApplicationContext,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import {
  DurableHealth,
  DurableModule,
  type DurableModuleOptions,
  type MemoryBackend,
  memoryBackend,
  type Readiness,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../../lib/index.js';
import { until } from '../../support/until.js';

/** What begins at once would begin within so many turns of the event loop. */
const turns = async (): Promise<void> => {
  for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** A service of the app that can be used from the end of its bootstrap until its module is destroyed. */
class Service implements OnApplicationBootstrap, OnModuleDestroy {
  isOpen = false;

  async onApplicationBootstrap(): Promise<void> {
    await turns();
    this.isOpen = true;
  }

  async onModuleDestroy(): Promise<void> {
    this.isOpen = false;
    await turns();
  }
}

/** Classes of one app, and whether its service could be used when each of its steps began. */
function classes() {
  const uses: boolean[] = [];

  @Injectable()
  class Client extends Service {}

  @Worker()
  class Steps {
    constructor(private readonly client: Client) {}

    @RemoteStep('use')
    async use(): Promise<void> {
      uses.push(this.client.isOpen);
    }
  }

  @Workflow('flow')
  class Flow {
    constructor(private readonly client: Client) {}

    async run(ctx: WorkflowContext): Promise<void> {
      for (let i = 0; i < 1_000; i++) {
        await ctx.step('use', () => void uses.push(this.client.isOpen));
        await ctx.transaction('use too', () => void uses.push(this.client.isOpen));
        await ctx.remote('use');
      }
    }
  }
  return { uses, Client, Steps, Flow };
}

class NoTransport extends Server implements CustomTransportStrategy {
  listen(callback: () => void): void {
    callback();
  }

  close(): void {}

  on(): void {}

  unwrap<T>(): T {
    return undefined as T;
  }
}

const QUIET = { logger: false as const, abortOnError: false };
type Root = Type | DynamicModule;
/** Ways to begin an app, each of which has called all its hooks when it returns. */
const WAYS: Record<string, (root: Root) => Promise<Pick<INestApplicationContext, 'get' | 'close'>>> = {
  createApplicationContext: (root) => NestFactory.createApplicationContext(root, QUIET),
  'create, and init without listen': async (root) => (await NestFactory.create(root as Type, QUIET)).init(),
  createMicroservice: async (root) => {
    const app = await NestFactory.createMicroservice(root as Type, { ...QUIET, strategy: new NoTransport() });
    await app.listen();
    return app;
  },
  'a hybrid': async (root) => {
    const app = await NestFactory.create(root as Type, QUIET);
    app.connectMicroservice({ strategy: new NoTransport() });
    await app.startAllMicroservices();
    return app.init();
  },
  'a testing module': async (root) => (await Test.createTestingModule({ imports: [root] }).compile()).init(),
};

interface Parts {
  imports: Promise<DynamicModule>[];
  providers: Type[];
}

/** Root modules. */
const ROOTS: Record<string, (parts: Parts) => Root> = {
  'without hooks': (parts) => {
    @Module(parts)
    class Plain {}
    return Plain;
  },
  'that is a dynamic module': (parts) => {
    @Module({})
    class Dynamic {}
    return { module: Dynamic, ...parts };
  },
  'that is global': (parts) => {
    @Global()
    @Module(parts)
    class Everywhere {}
    return Everywhere;
  },
};

describe('the work of a process', () => {
  const boot = async (
    backend: MemoryBackend,
    { way = 'createApplicationContext', root = 'without hooks' },
    options: DurableModuleOptions = {},
  ) => {
    const { uses, ...types } = classes();
    const imports = [DurableModule.forRoot({ backend, worker: { concurrency: 2 }, ...options })];
    const app = await WAYS[way]!(ROOTS[root]!({ imports, providers: Object.values(types) }));
    return { app, uses };
  };
  /** A backend with runs that are due. */
  const withRuns = async (): Promise<MemoryBackend> => {
    const backend = memoryBackend();
    const { app } = await boot(backend, {}, { engine: false, worker: false });
    for (const id of ['a', 'b', 'c']) await app.get(WorkflowClient).start('flow', null, { id });
    await app.close();
    return backend;
  };
  const cases = [
    ...Object.keys(WAYS).map((way) => ({ way, root: 'without hooks' })),
    ...Object.keys(ROOTS).map((root) => ({ way: 'createApplicationContext', root })),
    { way: 'a testing module', root: 'that is global' },
  ];

  it.each(cases)('begins behind the last hook, and ends before the first one: $way, a root $root', async (of) => {
    const backend = await withRuns();
    const { app, uses } = await boot(backend, of);
    await until('it works', () => uses.length > 20);
    await app.close();
    expect(uses.filter((isOpen) => !isOpen)).toEqual([]);
  });

  it('of a worker alone does so, too', async () => {
    const backend = await withRuns();
    const engine = await boot(backend, {}, { worker: false });
    const { app, uses } = await boot(backend, {}, { engine: false });
    await until('it works', () => uses.length > 20);
    await app.close();
    expect(uses.filter((isOpen) => !isOpen)).toEqual([]);
    await engine.app.close();
  });

  it('tells of its first sign of an end at once, in its log and to those who ask whether it is ready', async () => {
    const backend = await withRuns();
    const { uses, ...types } = classes();
    const lines: unknown[] = [];
    const seen: Readiness[] = [];
    class Late {
      constructor(private readonly health: DurableHealth) {}

      async onModuleDestroy(): Promise<void> {
        await turns();
        seen.push(await this.health.readiness());
      }
    }
    const provided = {
      provide: Late,
      inject: [DurableHealth],
      useFactory: (health: DurableHealth) => new Late(health),
    };
    const imports = [DurableModule.forRoot({ backend })];
    @Module({ imports, providers: [provided, ...Object.values(types)] })
    class App {}
    const ignore = (): void => {};
    const logger = { log: (line: unknown) => void lines.push(line), warn: ignore, error: ignore };
    const app = await NestFactory.createApplicationContext(App, { ...QUIET, logger });
    await until('it works', () => uses.length > 20);
    await app.close();
    expect(seen).toMatchObject([{ ok: false, state: 'ending', problems: ['the runtime is ending'] }]);
    const ending = lines.filter((line) => String(line).startsWith('Ending: begins nothing new, with '));
    expect(ending).toHaveLength(1);
  });

  it('begins behind a hook of the root module itself, which is called once, and not if that fails', async () => {
    const backend = await withRuns();
    const { uses, ...types } = classes();
    const told: string[] = [];
    let fails = true;
    const imports = [DurableModule.forRoot({ backend })];
    @Module({ imports, providers: Object.values(types) })
    class WithHook extends Service {
      override async onApplicationBootstrap(): Promise<void> {
        await super.onApplicationBootstrap();
        told.push(`root, ${uses.length} steps`);
        if (fails) throw new Error('not today');
      }
    }
    await expect(NestFactory.createApplicationContext(WithHook, QUIET)).rejects.toThrow('not today');
    await turns();
    fails = false;
    const app = await NestFactory.createApplicationContext(WithHook, QUIET);
    await until('it works', () => uses.length > 0);
    await app.close();
    expect(told).toEqual(['root, 0 steps', 'root, 0 steps']);
  });

  it('begins also if a module was loaded lazily meanwhile, whose hooks Nest does not call', async () => {
    const backend = await withRuns();
    const { uses, ...types } = classes();
    @Module({})
    class Lazy {}
    @Injectable()
    class Loader {
      constructor(private readonly loader: LazyModuleLoader) {}

      async onModuleInit(): Promise<void> {
        await this.loader.load(() => Lazy);
      }
    }
    const imports = [DurableModule.forRoot({ backend })];
    @Module({ imports, providers: [Loader, ...Object.values(types)] })
    class App {}
    const app = await NestFactory.createApplicationContext(App, QUIET);
    await until('it works', () => uses.length > 20);
    await app.close();
    expect(uses.filter((isOpen) => !isOpen)).toEqual([]);
  });

  it('does not begin if the app was asked to end before', async () => {
    const backend = await withRuns();
    const { uses, ...types } = classes();
    const ignore = (): void => {};
    process.on('SIGTERM', ignore);
    class Impatient {
      async onApplicationBootstrap(): Promise<void> {
        process.kill(process.pid, 'SIGTERM');
        await once(process, 'SIGTERM');
      }
    }
    const imports = [DurableModule.forRoot({ backend })];
    @Module({ imports, providers: [Impatient, ...Object.values(types)] })
    class App {}
    try {
      const app = await NestFactory.createApplicationContext(App, QUIET);
      await turns();
      await app.close();
    } finally {
      process.off('SIGTERM', ignore);
    }
    expect(uses).toEqual([]);
  });
});
