import { Injectable, type INestApplicationContext, type Provider } from '@nestjs/common';
import {
  type BlockedRun,
  ConfigurationError,
  DurableModule,
  type DurableModuleOptions,
  type EndedRun,
  memoryBackend,
  OnOutboxMessage,
  OnRunBlocked,
  OnRunEnded,
  OutboxOperations,
  OutboxPublisher,
  OutboxRelay,
  type OutboxEvent,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { stateOf } from '../../lib/memory-backend.js';
import { ProcessRuntime } from '../../lib/nest/runtime.js';
import { write } from '../support/app-transactions.js';
import { chosen } from '../support/backends.js';
import { createDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { thrownBy } from '../support/thrown-by.js';
import { until } from '../support/until.js';

type Act = 'complete' | 'fail' | 'wait' | 'publish';

@Workflow('acts')
class Acts {
  async run(ctx: WorkflowContext, act: Act): Promise<string> {
    if (act === 'fail') throw new Error('as asked');
    if (act === 'wait') await ctx.sleep('wait', '1h');
    if (act === 'publish') await ctx.publish({ channel: 'app', name: 'published' });
    return act;
  }
}

const code = { isRight: false };

@Workflow('wrong')
class Wrong {
  async run(): Promise<void> {
    if (!code.isRight) await (undefined as unknown as () => Promise<void>)();
  }
}

@Workflow('slow', { timeout: '50ms' })
class Slow {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.sleep('long', '1h');
  }
}

const told: string[] = [];
const refuse = new Set<string>();
const seen: string[] = [];
let orm: 'typeorm' | 'mikro-orm' | undefined;

@Injectable()
class Hooks {
  @OnRunEnded()
  async ended({ workflowId, workflow, status }: EndedRun, tx: never): Promise<void> {
    if (orm) await write(orm, tx, `INSERT INTO heard (run) VALUES ('${workflowId} ${status}')`);
    if (refuse.has(workflowId)) throw new Error('not yet');
    told.push(`${workflow} ${workflowId} ${status}`);
  }

  @OnRunEnded({ workflow: [Acts, 'other'], status: ['failed', 'cancelled'], name: 'bad-ends' })
  bad({ workflowId, status }: EndedRun): void {
    told.push(`bad ${workflowId} ${status}`);
  }

  @OnRunBlocked({ reason: 'programming_error' })
  blocked({ workflowId, reason }: BlockedRun): void {
    told.push(`${workflowId} ${reason}`);
  }

  @OnRunEnded({ workflow: 'nobody' })
  nobody(): void {
    told.push('nobody');
  }
}

const tried: string[] = [];

@Workflow('poisonous')
class Poisonous {
  async run(ctx: WorkflowContext): Promise<string> {
    await ctx.step('first', () => 'poison-1');
    return ctx.step('second', () => (tried.push('second'), 'poison-2'));
  }
}

@Injectable()
class Blocks {
  @OnRunBlocked({ workflow: Poisonous })
  blocked({ workflowId, reason }: BlockedRun): void {
    told.push(`${workflowId} ${reason}`);
  }
}

/** From now on the database refuses to record steps with this output. */
async function refuseOutput(
  query: (text: string) => Promise<unknown>,
  isPostgres: boolean,
  output: string,
): Promise<void> {
  await query(`DROP TRIGGER IF EXISTS refuse_steps${isPostgres ? ' ON durable_steps' : ''}`);
  if (isPostgres)
    await query(`CREATE OR REPLACE FUNCTION refuse_output() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'not this one' USING ERRCODE = '22000'; END $$`);
  const condition = `COALESCE(NEW.output, '') LIKE '%${output}%'`;
  const trigger = 'CREATE TRIGGER refuse_steps BEFORE INSERT ON durable_steps FOR EACH ROW';
  await query(
    isPostgres
      ? `${trigger} WHEN (${condition}) EXECUTE FUNCTION refuse_output()`
      : `${trigger} IF ${condition} THEN SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1406, MESSAGE_TEXT = 'not this one'; END IF`,
  );
}

@OutboxPublisher({ name: 'broker' })
class Broker {
  publish(events: OutboxEvent[]): void {
    seen.push(...events.map(({ name }) => name));
  }
}

class All {
  @OnOutboxMessage('*', { consumer: 'all' })
  all({ name }: OutboxEvent): void {
    seen.push(`all ${name}`);
  }
}

interface Place {
  name: string;
  orm?: 'typeorm' | 'mikro-orm';
  open(): Promise<{
    boot(providers: Provider[], options?: DurableModuleOptions): Promise<INestApplicationContext>;
    query(text: string): Promise<Record<string, unknown>[]>;
    /** Ends the pauses of all events that were put off, so that nobody waits for them. */
    endPauses(): Promise<void>;
    close(): Promise<void>;
  }>;
}

const FAST = { pollInterval: '50ms', debounce: '5ms' } as const;

const places: Place[] = [
  {
    name: 'memory',
    open: async () => {
      const backend = memoryBackend();
      return {
        boot: (providers, options) =>
          bootApp({ imports: [DurableModule.forRoot({ backend, outbox: FAST, ...options })], providers }),
        query: async () => [],
        endPauses: async () => {
          for (const channel of stateOf(backend).events.channels.values()) channel.availableAt = undefined;
        },
        close: async () => {},
      };
    },
  },
  ...chosen('run hooks').map((at): Place => ({
    name: at.name,
    orm: at.orm,
    open: async () => {
      const database = await createDatabase(at.db);
      await database.query('CREATE TABLE heard (run varchar(191) NOT NULL)');
      return {
        boot: (providers, options) =>
          bootApp({
            imports: [ormModule(at.orm, database), DurableModule.forRoot({ migrate: true, outbox: FAST, ...options })],
            providers,
          }),
        query: (text) => database.query(text),
        endPauses: async () => void (await database.query('UPDATE durable_outbox_channels SET available_at = NULL')),
        close: () => database.close(),
      };
    },
  })),
];

describe.each(places)('Hooks of runs [$name]', (place) => {
  let at: Awaited<ReturnType<Place['open']>>;
  const apps: INestApplicationContext[] = [];
  const boot = async (providers: Provider[], options?: DurableModuleOptions) => {
    const app = await at.boot(providers, options);
    apps.push(app);
    return app;
  };
  const heard = async (...lines: string[]) => {
    await until('the hooks are told', () => told.length >= lines.length);
    expect([...told].sort()).toEqual(lines.sort());
    told.length = 0;
  };

  const rows = async (like = '%') =>
    (await at.query(`SELECT run FROM heard WHERE run LIKE '${like}'`)).map(({ run }) => String(run));

  beforeAll(async () => {
    orm = place.orm;
    at = await place.open();
  });
  afterAll(async () => {
    for (const app of apps.splice(0)) await app.close();
    await at.close();
  });

  it('hear of every end, whatever ended the run, and of blocked runs, each once', async () => {
    told.length = seen.length = 0;
    code.isRight = false;
    const app = await boot([Acts, Wrong, Slow, Hooks, Broker, All]);
    const client = app.get(WorkflowClient);
    await client.start(Acts, 'complete', { id: 'a' });
    await client.start(Acts, 'fail', { id: 'b' });
    await client.start(Slow, undefined, { id: 'c' });
    await client.start(Acts, 'publish', { id: 'p' });
    await heard('acts a completed', 'acts b failed', 'bad b failed', 'slow c failed', 'acts p completed');
    for (const how of ['cancel', 'terminate'] as const) {
      await client.start(Acts, 'wait', { id: how });
      await until('it is so', async () => (await client.getStatus(how)).status === 'suspended');
      await client[how](how);
    }
    await heard(...['cancel', 'terminate'].flatMap((id) => [`acts ${id} cancelled`, `bad ${id} cancelled`]));
    await client.start(Wrong, undefined, { id: 'w' });
    await heard('w programming_error');
    await client.retry('w');
    await heard('w programming_error');
    code.isRight = true;
    await client.retry('w');
    await heard('wrong w completed');
    // Publishers and consumers of the app hear nothing of it.
    await until('it is so', () => seen.length >= 2);
    expect(seen.sort()).toEqual(['all published', 'published']);
    if (place.orm) await until('all have committed', async () => (await rows()).length === 7);
    expect(new Set(await rows()).size).toBe(place.orm ? 7 : 0);
    expect(told).toEqual([]);
  });

  it('hear of runs that a process without them ends, in it or from outside', async () => {
    told.length = 0;
    const hooked = apps.at(-1)!;
    const engine = await boot([Acts], { outbox: { ...FAST, relay: false } });
    const client = engine.get(WorkflowClient);
    await hooked.close();
    apps.splice(apps.indexOf(hooked), 1);
    await client.start(Acts, 'complete', { id: 'd' });
    await client.start(Acts, 'wait', { id: 'e' });
    await until('it is so', async () => (await client.getStatus('d')).status === 'completed');
    await until('it is so', async () => (await client.getStatus('e')).status === 'suspended');
    await client.cancel('e');
    expect(told).toEqual([]);
    await boot([Hooks, Broker, All], { engine: false });
    await heard('acts d completed', 'acts e cancelled', 'bad e cancelled');
  });

  it('that fail are tried again, then stand as the outbox says, and hold up no other run', async () => {
    told.length = 0;
    refuse.add('f');
    for (const other of apps.splice(0)) await other.close();
    const app = await boot([Acts, Hooks, Broker, All], { outbox: { ...FAST, attempts: 1 } });
    const client = app.get(WorkflowClient);
    await client.start(Acts, 'complete', { id: 'f' });
    await client.start(Acts, 'complete', { id: 'g' });
    await heard('acts g completed');
    const operations = app.get(OutboxOperations);
    await until('it is so', async () => (await operations.standing({ destination: 'Hooks.ended' })).length === 1);
    expect(await operations.standing({ destination: 'Hooks.ended' })).toMatchObject([
      { channel: 'durable:run:f', state: 'blocked', error: expect.stringMatching(/not yet/) as string },
    ]);
    if (place.orm) expect(await rows('f %')).toEqual([]);
    // What stands still keeps its place.
    await app.get(ProcessRuntime).parts.storage.outbox!.pruning.sweep(1_000);
    refuse.clear();
    expect(await operations.retry('durable:run:f', { destination: 'Hooks.ended' })).toBe(true);
    await heard('acts f completed');
    if (place.orm) await until('it has committed', async () => (await rows('f %')).length === 1);
  });

  it('leave no rows behind', async () => {
    const app = apps.at(-1)!;
    const { pruning } = app.get(ProcessRuntime).parts.storage.outbox!;
    const lag = () => app.get(OutboxOperations).lag({ destination: 'Hooks.ended' });
    await until('nothing is left to call', async () => (await lag()).length === 0);
    const left = async () => {
      const kept = ['durable_outbox_channels', 'durable_inbox_positions', 'durable_outbox_pruned'].map((table) =>
        at.query(`SELECT channel FROM ${table} WHERE channel LIKE 'durable:run:%'`),
      );
      return (await Promise.all(kept)).flat();
    };
    // An event counts as pending until every destination has moved past it.
    await until('the sweep has found every row', async () => {
      await pruning.sweep(1_000);
      return (await left()).length === 0;
    });
  });

  it('are no longer written for a hook that was forgotten', async () => {
    told.length = 0;
    const app = apps.at(-1)!;
    const operations = app.get(OutboxOperations);
    const { engine } = app.get(ProcessRuntime).parts.storage;
    for (const { name } of await operations.destinations()) await operations.forget(name);
    await engine.hooks!.look();
    expect(engine.hooks!.eventOf({ runId: 'x', workflow: 'acts', status: 'failed' })).toBeUndefined();
  });

  // In memory no write is refused.
  const itInSql = place.orm ? it : it.skip;
  itInSql('hear again of a run that a refused write blocks, if it has come further meanwhile', async () => {
    for (const other of apps.splice(0)) await other.close();
    told.length = 0;
    const isPostgres = place.name.includes('postgres');
    await refuseOutput(at.query, isPostgres, 'poison-1');
    const boot2 = () => boot([Poisonous, Blocks]);
    const client = (await boot2()).get(WorkflowClient);
    await client.start(Poisonous, undefined, { id: 'poisoned' });
    await heard('poisoned write_refused');
    await refuseOutput(at.query, isPostgres, 'poison-2');
    await apps.pop()!.close();
    await boot2();
    await heard('poisoned write_refused');
    // Without progress it is no news, and what follows is told.
    await apps.pop()!.close();
    const last = (await boot2()).get(WorkflowClient);
    await until('it was tried', () => tried.length >= 2);
    await until('it is blocked again', async () => (await last.getStatus('poisoned')).status === 'suspended');
    await at.query(`DROP TRIGGER refuse_steps${isPostgres ? ' ON durable_steps' : ''}`);
    await last.retry('poisoned');
    expect(await last.result('poisoned')).toBe('poison-2');
    expect(told).toEqual([]);
  });

  it('of two versions get what either of them declares, in a deploy, and after it', async () => {
    for (const other of apps.splice(0)) await other.close();
    told.length = 0;
    const versionOf = (name: string, ...status: ('failed' | 'completed')[]) => {
      class Version {
        @OnRunEnded({ workflow: Acts, status, name: 'changed' })
        ended({ workflowId, status: how }: EndedRun): void {
          told.push(`${name} ${workflowId} ${how}`);
        }
      }
      Injectable()(Version);
      return Version;
    };
    const engine = await boot([Acts], { outbox: { ...FAST, relay: false } });
    const client = engine.get(WorkflowClient);
    const end = async (act: Act, id: string) => {
      await client.start(Acts, act, { id });
      await until('it is so', async () => ['completed', 'failed'].includes((await client.getStatus(id)).status));
    };
    const fast = { outbox: FAST, engine: false } as const;
    const old = await boot([versionOf('old', 'failed')], fast);
    const young = await boot([versionOf('new', 'completed')], fast);
    /** Of what others have left, whose shards the next beat takes, and what they have put off. */
    const takesOver = async (app: INestApplicationContext) => {
      await app.get(OutboxRelay).runOnce();
      await at.endPauses();
    };
    // The last to start was an old one.
    const again = await boot([versionOf('old', 'failed')], fast);
    await engine.get(ProcessRuntime).parts.storage.engine.hooks!.look();
    const ids = ['v1', 'v2', 'v3', 'v4'];
    for (const id of ids) await end('complete', id);
    await end('fail', 'v7');
    // What the new ones want waits where old ones hold its shard.
    await old.close();
    await again.close();
    const all = ids.map((id) => `new ${id} completed`);
    await takesOver(young);
    await until('the new ones have all they want', () => all.every((line) => told.includes(line)));
    expect(told.filter((line) => line.startsWith('new')).sort()).toEqual(all);
    // What the old ones want waits for one of them while they count as there.
    if (!told.includes('old v7 failed')) {
      const last = await boot([versionOf('old', 'failed')], fast);
      await young.close();
      await takesOver(last);
      await until('the old one has it', () => told.includes('old v7 failed'));
    }
    expect(told).toHaveLength(5);
  });
});

describe('Hooks of runs', () => {
  it('need an outbox', async () => {
    const imports = [DurableModule.forRoot({ backend: memoryBackend(), outbox: false })];
    const error = await thrownBy(bootApp({ imports, providers: [Hooks, Acts] }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toMatch(/Hooks\.ended is a hook of runs, which needs the outbox/);
  });

  it.each([
    [() => OnRunEnded({ status: 'running' }), /status/],
    [() => OnRunBlocked({ reason: 'exhaustion' as never }), /reason/],
    [() => OnRunEnded({ workflow: Hooks as never }), /Hooks/],
    [() => OnRunEnded({ name: 'x'.repeat(128) }), /127/],
    [() => OnRunEnded(null as never), /options/],
  ])('are checked when their class is loaded: %#', (declare, message) => {
    expect(declare).toThrow(message);
  });
});
