import { AsyncLocalStorage } from 'node:async_hooks';
import { type INestApplicationContext, Injectable, type Provider } from '@nestjs/common';
import {
  DurableModule,
  type DurableModuleOptions,
  InvalidArgumentError,
  memoryBackend,
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSchedules,
} from '../../lib/index.js';
import { chosen } from '../support/backends.js';
import { createDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { thrownBy } from '../support/thrown-by.js';
import { until } from '../support/until.js';

const request = new AsyncLocalStorage<unknown>();
const contextFrom = () => request.getStore() as Record<string, unknown> | undefined;

@Worker()
@Injectable()
class Steps {
  @RemoteStep('look')
  async look(_: unknown, { context }: StepContext): Promise<unknown> {
    return context();
  }
}

interface Seen {
  code: unknown;
  local: unknown;
  remote: unknown;
}

interface Again {
  again?: boolean;
  child?: boolean | undefined;
}

@Workflow('looks')
class Looks {
  async run(ctx: WorkflowContext<Again>, { again, child }: Again): Promise<unknown> {
    if (again) return ctx.continueAsNew({ child });
    const local = await ctx.step('local', ({ context }) => context);
    const remotes = await Promise.all(['a', 'b', 'c'].map(() => ctx.remote<unknown>('look')));
    const seen = { code: ctx.context, local, remote: remotes[2] };
    return child ? { seen, child: await ctx.executeChild(Looks, {}) } : seen;
  }
}

interface Place {
  name: string;
  open(): Promise<{
    boot(providers: Provider[], options?: DurableModuleOptions): Promise<INestApplicationContext>;
    close(): Promise<void>;
  }>;
}

const places: Place[] = [
  {
    name: 'memory',
    open: async () => {
      const backend = memoryBackend();
      return {
        boot: (providers, options) => bootApp({ imports: [DurableModule.forRoot({ backend, ...options })], providers }),
        close: async () => {},
      };
    },
  },
  ...chosen('run context').map((at): Place => ({
    name: at.name,
    open: async () => {
      const database = await createDatabase(at.db);
      return {
        boot: (providers, options) =>
          bootApp({
            imports: [ormModule(at.orm, database), DurableModule.forRoot({ migrate: true, ...options })],
            providers,
          }),
        close: () => database.close(),
      };
    },
  })),
];

const all = (context: unknown): Seen => ({ code: context, local: context, remote: context });

describe.each(places)('What a run carries [$name]', (place) => {
  let at: Awaited<ReturnType<Place['open']>>;
  let apps: INestApplicationContext[];
  let client: WorkflowClient;

  beforeAll(async () => {
    at = await place.open();
    apps = [
      await at.boot([], { engine: false, worker: false, contextFrom }),
      await at.boot([Looks], { worker: false }),
      await at.boot([Steps], { engine: false }),
    ];
    client = apps[0]!.get(WorkflowClient);
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await at.close();
  });

  const run = async (context: unknown, input: object = {}) => {
    const handle = await request.run(context, () => client.start('looks', input));
    return handle.result({ timeout: '120s' });
  };

  it('is there in its code and its steps, in whatever process', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const context = { tenant: 'ü😀', traceparent, deep: { list: [1, null] } };
    expect(await run(context)).toEqual(all(context));
    expect(await run(undefined)).toEqual(all({}));
    expect(await run({})).toEqual(all({}));
  });

  it('is inherited by children, and kept when a run continues as new', async () => {
    const context = { tenant: 'a' };
    expect(await run(context, { again: true, child: true })).toEqual({ seen: all(context), child: all(context) });
  });

  it('is nothing for runs of schedules', async () => {
    const schedules = apps[1]!.get(WorkflowSchedules);
    await request.run({ tenant: 'a' }, () => schedules.create(Looks, { id: 'often', every: '1s', input: {} }));
    const ended = await until('it has fired', async () => {
      const { runs } = await client.list({ workflow: 'looks', status: 'completed' });
      return runs.find(({ id }) => id.startsWith('often@'));
    });
    await schedules.delete('often');
    expect(await client.result(ended.id, { timeout: '120s' })).toEqual(all({}));
  });

  it('is checked before anything is written', async () => {
    const refused = request.run({ at: new Date(0) }, () => client.start('looks', {}, { id: 'refused' }));
    expect(await thrownBy(refused)).toBeInstanceOf(InvalidArgumentError);
    expect((await client.list({ workflow: 'looks' })).runs.map(({ id }) => id)).not.toContain('refused');
  });
});
