import type { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { MikroORM } from '@mikro-orm/core';
import type { DataSource, EntityManager } from 'typeorm';
import {
  DurableModule,
  type DurableModuleOptions,
  DurableRuntime,
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  WorkflowCancelledError,
  WorkflowClient,
  type WorkflowContext,
  WorkflowIdConflictError,
  type WorkflowRunner,
} from '../../lib/index.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

interface Order {
  id: string;
  amount: number;
}

@Injectable()
class Prices {
  total(order: Order): number {
    return order.amount * 2;
  }
}

abstract class BasicSteps {
  @RemoteStep('orders.ship', { retry: 2, timeout: '20s' })
  async ship(order: Order, step: StepContext): Promise<{ shipped: string; key: string; at: Date }> {
    return { shipped: order.id, key: step.idempotencyKey, at: new Date(0) };
  }
}

@Worker({ concurrency: 5, partition: 'eu' })
class OrderSteps extends BasicSteps {
  constructor(private readonly prices: Prices) {
    super();
  }

  @RemoteStep('orders.charge')
  async charge(order: Order): Promise<number> {
    return this.prices.total(order);
  }
}

interface Execute {
  query?: (text: string) => Promise<unknown>;
  getConnection?: () => { execute(text: string, values: unknown[], method: 'run', ctx: unknown): Promise<unknown> };
  getTransactionContext?: () => unknown;
}

/** A statement of the app's, in the ORM's transaction. */
async function execute(handle: unknown, text: string): Promise<void> {
  const em = handle as Execute;
  if (em.query) await em.query(text);
  else await em.getConnection!().execute(text, [], 'run', em.getTransactionContext!());
}

@Workflow('orders.place')
class PlaceOrder implements WorkflowRunner<
  Order,
  { total: number; doubled: number; key: string; year: number; by: string }
> {
  constructor(private readonly prices: Prices) {}

  async run(ctx: WorkflowContext, order: Order) {
    const total = await ctx.step('total', () => this.prices.total(order));
    const steps = ctx.remote(OrderSteps);
    const [doubled, shipped] = await Promise.all([steps.charge(order), steps.ship(order)]);
    await ctx.sleep('a moment', '20ms');
    const by = await ctx.remote<string>('orders.sign', order, { retry: false });
    await ctx.transaction('paid', (tx) => execute(tx, `INSERT INTO paid (id) VALUES ('${order.id}')`));
    return { total, doubled, key: shipped.key, year: shipped.at.getUTCFullYear(), by };
  }
}

/** Without @Worker: any provider will do. */
@Injectable()
class Signer {
  @RemoteStep('orders.sign')
  sign(order: Order): string {
    return `signed ${order.id}`;
  }
}

@Workflow('orders.wait')
class Wait implements WorkflowRunner<string, string> {
  async run(ctx: WorkflowContext, name: string): Promise<string> {
    await ctx.sleep('long', '1h');
    return name;
  }
}

/** Its step runs until it is told to end. */
@Injectable()
class Gate {
  static readonly open = new Map<string, () => void>();
  static readonly aborted: string[] = [];

  static reset(): void {
    Gate.open.clear();
    Gate.aborted.length = 0;
  }

  @RemoteStep('gate.pass')
  pass(name: string, { signal }: StepContext): Promise<string> {
    return new Promise((resolve, reject) => {
      Gate.open.set(name, () => resolve(`passed ${name}`));
      signal.addEventListener('abort', () => {
        Gate.aborted.push(name);
        reject(signal.reason as Error);
      });
    });
  }
}

@Workflow('gate')
class ThroughGate implements WorkflowRunner<string, string> {
  async run(ctx: WorkflowContext, name: string): Promise<string> {
    const first = await ctx.step('first', () => `first of ${name}`);
    return `${first}, ${await ctx.remote(Gate).pass(name)}`;
  }
}

const PARTS = [Prices, OrderSteps, Signer, PlaceOrder, Wait, Gate, ThroughGate];

describeDatabases('The module in a Nest app', ({ orm, db }) => {
  let database: FreshDatabase;
  const apps: INestApplicationContext[] = [];

  beforeAll(async () => {
    database = await createDatabase(db);
    await database.query('CREATE TABLE paid (id varchar(191) PRIMARY KEY)');
  });
  beforeEach(() => Gate.reset());
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });
  afterAll(() => database.close());

  async function boot(options: DurableModuleOptions = {}, providers: ModuleMetadata['providers'] = PARTS) {
    const app = await bootApp({ imports: [ormModule(orm, database), DurableModule.forRoot(options)], providers });
    apps.push(app);
    return app;
  }
  const clientOf = (app: INestApplicationContext) => app.get(WorkflowClient);

  /** A transaction of the app's; its handle is what the ORM gives. */
  function inTransaction<T>(app: INestApplicationContext, work: (handle: unknown) => Promise<T>): Promise<T> {
    if (orm === 'typeorm') {
      return app.get<DataSource>(getDataSourceToken() as never).transaction((tx: EntityManager) => work(tx));
    }
    return app
      .get(MikroORM)
      .em.fork()
      .transactional((em) => work(em));
  }

  it('runs a workflow of local, remote, sleeping and transactional steps', async () => {
    const app = await boot();
    const order = { id: 'order 1', amount: 21 };
    const receipt = await clientOf(app).startAndWait(PlaceOrder, order, { id: 'run-1', timeout: '120s' });
    expect(receipt).toEqual({ total: 42, doubled: 42, key: 'run-1:2', year: 1970, by: 'signed order 1' });
    await expect(database.query('SELECT id FROM paid WHERE id = ?', ['order 1'])).resolves.toHaveLength(1);
    await expect(database.query('SELECT step_id FROM durable_transport_tasks')).resolves.toEqual([]);
    await until(
      'its answers are taken',
      async () => (await database.query('SELECT 1 AS n FROM durable_transport_results')).length === 0,
    );
  });

  it('starts a run if and when the transaction of the app commits', async () => {
    const app = await boot();
    const client = clientOf(app);
    const order = { id: 'in tx', amount: 1 };
    const handle = await inTransaction(app, async (transaction) => {
      await execute(transaction, "INSERT INTO paid (id) VALUES ('app row')");
      const started = await client.start(PlaceOrder, order, { id: 'committed', transaction });
      await expect(database.query("SELECT id FROM durable_runs WHERE id = 'committed'")).resolves.toEqual([]);
      return started;
    });
    await expect(handle.result({ timeout: '120s' })).resolves.toMatchObject({ total: 2 });
    await expect(database.query("SELECT id FROM paid WHERE id = 'app row'")).resolves.toHaveLength(1);

    const rollback = inTransaction(app, async (transaction) => {
      await client.start(PlaceOrder, order, { id: 'rolled back', transaction });
      throw new Error('no');
    });
    await expect(rollback).rejects.toThrow('no');
    await expect(database.query("SELECT id FROM durable_runs WHERE id = 'rolled back'")).resolves.toEqual([]);
  });

  if (orm === 'mikro-orm')
    it('joins an open transaction of MikroORM without being asked', async () => {
      const app = await boot();
      const client = clientOf(app);
      const rollback = inTransaction(app, async () => {
        await client.start(Wait, 'x', { id: 'ambient, rolled back' });
        throw new Error('no');
      });
      await expect(rollback).rejects.toThrow('no');
      await inTransaction(app, () => client.start(Wait, 'x', { id: 'ambient' }));
      const ids = await database.query("SELECT id FROM durable_runs WHERE id LIKE 'ambient%'");
      expect(ids).toEqual([{ id: 'ambient' }]);
    });

  it('refuses a handle without an open transaction, and writes nothing', async () => {
    const app = await boot();
    const handle: unknown =
      orm === 'typeorm' ? app.get<DataSource>(getDataSourceToken()).manager : app.get(MikroORM).em.fork();
    await expect(clientOf(app).start(Wait, 'x', { id: 'refused', transaction: handle })).rejects.toBeInstanceOf(
      TypeError,
    );
    await expect(database.query("SELECT id FROM durable_runs WHERE id = 'refused'")).resolves.toEqual([]);
  });

  it('finds the run of an id again, and refuses another input', async () => {
    const client = clientOf(await boot());
    const first = await client.start(Wait, 'same', { id: 'once' });
    const second = await client.start(Wait, 'same', { id: 'once' });
    expect([first.created, second.created, second.id]).toEqual([true, false, 'once']);
    await expect(client.start(Wait, 'other', { id: 'once' })).rejects.toBeInstanceOf(WorkflowIdConflictError);
  });

  it('cancels a run, withdraws its tasks and aborts the step that runs', async () => {
    const client = clientOf(await boot({ worker: { leaseDuration: '600ms' } }));
    const handle = await client.start(ThroughGate, 'cancelled', { id: 'cancelled' });
    await until('its step runs', () => Gate.open.has('cancelled'));
    await expect(handle.cancel()).resolves.toBe(true);
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowCancelledError);
    await expect(handle.status()).resolves.toMatchObject({ status: 'cancelled' });
    await expect(
      database.query("SELECT step_id FROM durable_transport_tasks WHERE run_id = 'cancelled'"),
    ).resolves.toEqual([]);
    await until('the step hears of it', () => Gate.aborted.includes('cancelled'));
    await expect(handle.cancel()).resolves.toBe(false);
  });

  it('shares the work between an engine app, a worker app and a client', async () => {
    const api = await boot({ worker: false }, [Prices, PlaceOrder]);
    await boot({ engine: false }, [Prices, OrderSteps, Signer]);
    const client = clientOf(await boot({ engine: false, worker: false }, []));
    const ids = Array.from({ length: 20 }, (_, i) => `split ${i}`);
    const receipts = await Promise.all(
      ids.map((id) => client.startAndWait(PlaceOrder, { id, amount: 1 }, { id, timeout: '120s' })),
    );
    expect(receipts.map(({ by }) => by)).toEqual(ids.map((id) => `signed ${id}`));
    const byName = await clientOf(api).start('orders.place', { id: 'by name', amount: 1 });
    await expect(byName.result({ timeout: '120s' })).resolves.toMatchObject({ total: 2 });
    const { runs } = await client.list({ workflow: 'orders.place', limit: 5 });
    expect(runs.map(({ status }) => status)).toEqual(Array(5).fill('completed'));
  });

  it('goes on after a shutdown where it was: what is recorded is not run again, what was claimed is given back', async () => {
    const before = await boot({ worker: { shutdownTimeout: '50ms' } });
    await clientOf(before).start(ThroughGate, 'rebooted', { id: 'rebooted' });
    await until('its step runs', () => Gate.open.has('rebooted'));
    Gate.open.delete('rebooted');
    await apps.pop()!.close();
    expect(Gate.aborted).toContain('rebooted');
    const [run] = await database.query("SELECT owner, status FROM durable_runs WHERE id = 'rebooted'");
    expect(run).toMatchObject({ owner: null, status: 'suspended' });

    const after = await boot();
    await until('its step runs again', () => Gate.open.has('rebooted'));
    Gate.open.get('rebooted')!();
    await expect(clientOf(after).result('rebooted', { timeout: '120s' })).resolves.toBe(
      'first of rebooted, passed rebooted',
    );
    const { history } = await clientOf(after).getStatus('rebooted', { history: true });
    expect(history?.map(({ kind, failures }) => [kind, failures])).toEqual([
      ['step', 0],
      ['remote', 0],
    ]);
  });

  it('starts nothing by itself with autoStart: false', async () => {
    const app = await boot({ autoStart: false, prefix: 'manual' });
    await expect(clientOf(app).start(Wait, 'x')).rejects.toMatchObject({
      code: 'MISSING_TABLE',
      message: /nest-durable migrate/,
    });
    const runtime = app.get(DurableRuntime);
    await Promise.all([runtime.start(), runtime.start()]);
    const receipt = await clientOf(app).startAndWait(PlaceOrder, { id: 'manual', amount: 2 }, { timeout: '120s' });
    expect(receipt.total).toBe(4);
    await runtime.stop();
    await expect(runtime.start()).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });
});
