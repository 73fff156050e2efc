import { type INestApplicationContext, Injectable } from '@nestjs/common';
import {
  type DurableModuleOptions,
  DurableModule,
  DurableNodes,
  Effect,
  OutboxPublisher,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  type WorkflowRunner,
} from '../../lib/index.js';
import { runCli } from '../../lib/cli/cli.js';
import { PACKAGE_VERSION } from '../../lib/core/protocol.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

@Worker({ group: 'billing' })
class Billing {
  @RemoteStep('charge')
  async charge(): Promise<string> {
    return 'paid';
  }
}

@Injectable()
class Mail {
  @Effect('mail')
  async send(): Promise<void> {}
}

@OutboxPublisher({ name: 'broker' })
class Broker {
  async publish(): Promise<void> {}
}

@Workflow('order', { version: 2 })
class Order implements WorkflowRunner<null, unknown> {
  run(ctx: WorkflowContext): Promise<unknown> {
    return ctx.remote<string>('charge', null, { group: 'billing' });
  }
}

const NONE = { engine: false, worker: false, effects: { run: false }, outbox: { relay: false } } as const;

describeDatabases('processes sign in with what they serve', (at) => {
  let database: FreshDatabase;
  let client: INestApplicationContext;
  const apps: INestApplicationContext[] = [];

  const boot = async (options: DurableModuleOptions): Promise<INestApplicationContext> => {
    const app = await bootApp({
      imports: [ormModule(at.orm, database, { poolMax: 4 }), DurableModule.forRoot({ migrate: true, ...options })],
      providers: [Order, Billing, Mail, Broker],
    });
    apps.push(app);
    return app;
  };
  const list = (ended = false) => client.get(DurableNodes).list({ ended });
  const explain = async (id: string) => (await client.get(WorkflowClient).explain(id)).text;

  /** By the command. */
  const printed = async (...args: string[]): Promise<string> => {
    const out: string[] = [];
    const print = (line: string) => void out.push(line);
    expect(await runCli(['nodes', '--url', database.url, ...args], { env: {}, out: print, err: print })).toBe(0);
    return out.join('\n');
  };

  beforeAll(async () => {
    database = await createDatabase(at.db);
    client = await boot(NONE);
  });
  afterEach(async () => {
    await Promise.all(apps.splice(1).map((app) => app.close()));
    await database.query('DELETE FROM durable_nodes');
  });
  afterAll(async () => {
    await client?.close();
    await database.close();
  });

  it('each in its roles, with one row, until it stops; a client does not', async () => {
    expect(await list()).toEqual([]);
    const all = await boot({ namespace: 'shop', build: 'abc' });
    await boot({ ...NONE, worker: { concurrency: 7, groups: ['only', 'these'] } });
    await boot({ ...NONE, effects: {} });
    await boot({ ...NONE, outbox: {} });
    await boot({ ...NONE, engine: {} });
    const nodes = await list();
    const workflows = { order: [2] };
    const codes = { order: { 2: expect.stringMatching(/^[\w-]{12}$/) as string } };
    const worker = { groups: { billing: ['charge'] }, concurrency: 50 };
    expect(nodes.map(({ roles, serves, namespace }) => ({ roles, serves, namespace }))).toEqual([
      {
        roles: ['engine', 'worker', 'relay', 'effects'],
        serves: { workflows, codes, ...worker, destinations: ['broker'], effects: ['mail'] },
        namespace: 'shop',
      },
      {
        roles: ['worker'],
        serves: { groups: { only: ['charge'], these: ['charge'] }, concurrency: 7 },
        namespace: 'default',
      },
      { roles: ['effects'], serves: { effects: ['mail'] }, namespace: 'default' },
      { roles: ['relay'], serves: { destinations: ['broker'] }, namespace: 'default' },
      { roles: ['engine'], serves: { workflows, codes }, namespace: 'default' },
    ]);
    expect(nodes[0]).toMatchObject({ alive: true, endedAt: null, lost: false, build: 'abc', version: PACKAGE_VERSION });
    expect(nodes[1]).toMatchObject({ pid: process.pid, build: null });
    const load = {
      ...{ steps: 0, residents: 0, errors: 0, eventLoopP99Ms: expect.any(Number) as number },
      notifications: expect.stringMatching(/^(listening|polling)$/) as string,
      sessions: expect.arrayContaining([[expect.any(Number), expect.any(Number)]]) as unknown,
    };
    const pool = { used: expect.any(Number) as number, most: 4, waiting: expect.any(Number) as number };
    expect(nodes.map((node) => node.load)).toEqual(nodes.map(() => ({ ...load, pool })));
    await all.close();
    expect((await list()).map(({ roles }) => roles.length)).toEqual([1, 1, 1, 1]);
    const [left] = await list(true);
    expect(left).toMatchObject({ id: nodes[0]!.id, alive: false, lost: false, endedAt: expect.any(Date) as Date });
    const out = await printed();
    expect(out).toMatch(/worker +default +groups only \(charge\), these \(charge\)/);
    expect(out).not.toContain(nodes[0]!.id);
  });

  it('has the same fields for the command as for the app', async () => {
    await (await boot({ build: 'abc' })).close();
    await boot({ ...NONE, worker: {} });
    await database.query(
      `INSERT INTO durable_nodes (id, namespace, roles, serves, started_at, seen_at, expires_at)
       VALUES ('killed', 'default', 'worker,relay', '{}', 1, 2000, 3000)`,
    );
    for (const ended of [true, false]) {
      const nodes = await list(ended);
      expect(nodes).toHaveLength(ended ? 3 : 1);
      // One that is alive may have beaten in between, and have measured its load again.
      const read = (text: string) =>
        (JSON.parse(text) as { alive: boolean }[]).map((node) => ({
          ...node,
          ...(node.alive && { seenAt: 'now', load: 'now' }),
        }));
      expect(read(await printed('-o', 'json', ...(ended ? ['--ended'] : [])))).toEqual(read(JSON.stringify(nodes)));
    }
    expect(await printed('--ended')).toMatch(/killed +lost +1970-01-01T00:00:02.000Z +worker,relay +default/);
  });

  it('beats while it has no engine, so that it stays alive', async () => {
    await boot({ ...NONE, worker: {} });
    const [first] = await list();
    await until('it beats', async () => (await list())[0]!.seenAt > first!.seenAt);
    expect((await list())[0]).toMatchObject({ id: first!.id, startedAt: first!.startedAt });
  });

  it('explain says who has the code of a run, and who has not been there since when', async () => {
    const workflows = client.get(WorkflowClient);
    await workflows.start('order', null, { id: 'none' });
    expect(await explain('none')).toContain('no process has version 2 of "order"; no process that plays workflows');
    const engine = await boot({ ...NONE, engine: {} });
    await until('it waits for its task', async () => /no worker has claimed it/.test(await explain('none')));
    expect(await explain('none')).toContain('no process that has signed in serves group "billing"');
    const worker = await boot({ ...NONE, worker: {} });
    await expect(workflows.result('none', { timeout: '120s' })).resolves.toBe('paid');
    await worker.close();
    const [left] = (await list(true)).filter(({ roles }) => roles.includes('worker')).slice(-1);
    await workflows.start('order', null, { id: 'again' });
    await until('it waits for its task', async () => /no worker has claimed it/.test(await explain('again')));
    expect(await explain('again')).toContain(`nobody has served group "billing" since ${left!.endedAt!.toISOString()}`);
    await engine.close();
    await workflows.start('order', null, { id: 'later' });
    expect(await explain('later')).toContain('no process has had version 2 of "order" since ');
  });

  it('a process that was killed counts as lost once its lease has expired', async () => {
    await database.query(
      `INSERT INTO durable_nodes (id, namespace, roles, serves, started_at, seen_at, expires_at)
       VALUES ('killed', 'default', 'worker', '{"groups":{"ship":["send"]}}', 1, 2000, 3000)`,
    );
    expect((await list()).map(({ id }) => id)).not.toContain('killed');
    const [killed] = await list(true);
    expect(killed).toMatchObject({ id: 'killed', alive: false, lost: true, endedAt: new Date(2_000), host: '' });
  });
});
