import { ClsPluginTransactional, Transactional as ClsTransactional, TransactionHost } from '@nestjs-cls/transactional';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { type EntityManager as MikroEntityManager, MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type INestApplicationContext, Injectable, type Type } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { ClsModule } from 'nestjs-cls';
import { DataSource, EntityManager, Repository } from 'typeorm';
import {
  addTransactionalDataSource,
  deleteDataSourceByName,
  initializeTransactionalContext,
  runOnTransactionCommit,
  Transactional,
} from 'typeorm-transactional';
import {
  DurableEvents,
  DurableModule,
  type DurableModuleOptions,
  Effect,
  Effects,
  OnOperationComplete,
  OnOutboxMessage,
  Outbox,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSignal,
} from '../../lib/index.js';
import { ambientOfHosts } from '../../lib/sql/typeorm.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

const told = new WorkflowSignal<string>('told');

@Workflow('shipping')
class Shipping {
  async run(ctx: WorkflowContext): Promise<unknown> {
    return ctx.waitForSignal('told', told);
  }
}

/** What every service of these apps does, with the manager that its library finds. */
abstract class Accounts {
  constructor(
    protected readonly client: WorkflowClient,
    protected readonly outbox: Outbox,
    protected readonly effects: Effects,
  ) {}

  abstract get manager(): EntityManager;
  abstract order(id: string, fails?: boolean): Promise<void>;
  abstract credit(): Promise<void>;

  async write(): Promise<void> {
    await this.manager.query('UPDATE account SET balance = balance + 1');
  }

  /** Names no transaction anywhere. */
  protected async orderIn(id: string, fails: boolean): Promise<void> {
    await this.write();
    await this.client.start(Shipping, undefined, { id });
    await this.client.signal(told, 'early', { key: id });
    await this.outbox.publish({ channel: 'orders', name: 'ordered', data: id });
    await this.effects.enqueue({ operation: 'mail', subject: id, calls: [{ handler: 'mail', ref: 1 }] });
    if (fails) throw new Error('not today');
  }
}

const committed: string[] = [];

@Injectable()
class PatchedAccounts extends Accounts {
  constructor(
    client: WorkflowClient,
    outbox: Outbox,
    effects: Effects,
    private readonly db: DataSource,
  ) {
    super(client, outbox, effects);
  }

  override get manager(): EntityManager {
    return this.db.manager;
  }

  @Transactional()
  override async order(id: string, fails = false): Promise<void> {
    await this.orderIn(id, fails);
  }

  @Transactional()
  override async credit(): Promise<void> {
    runOnTransactionCommit(() => void committed.push('after'));
    await this.write();
  }
}

@Injectable()
class HostedAccounts extends Accounts {
  constructor(
    client: WorkflowClient,
    outbox: Outbox,
    effects: Effects,
    private readonly host: TransactionHost<TransactionalAdapterTypeOrm>,
  ) {
    super(client, outbox, effects);
  }

  override get manager(): EntityManager {
    return this.host.tx;
  }

  @ClsTransactional()
  override async order(id: string, fails = false): Promise<void> {
    await this.orderIn(id, fails);
  }

  @ClsTransactional()
  override async credit(): Promise<void> {
    await this.write();
  }
}

let accounts: Accounts;
let failures = 0;
const failOnce = () => {
  if (failures-- > 0) throw new Error('once more');
};

@Workflow('crediting')
class Crediting {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.transaction(
      'credit',
      async () => {
        await accounts.credit();
        await accounts.write();
        failOnce();
      },
      { retry: { attempts: 3, backoff: '10ms' } },
    );
  }
}

@Injectable()
class Listeners {
  @OnOutboxMessage('credits', { consumer: 'credits' })
  async credited(): Promise<void> {
    await accounts.credit();
    await accounts.write();
  }

  @Effect('mail', { attempts: 3, backoff: '10ms' })
  mail(): void {}

  @OnOperationComplete('credit')
  async completed(): Promise<void> {
    await accounts.credit();
    await accounts.write();
  }
}

const FAST: DurableModuleOptions = { outbox: { pollInterval: '20ms' }, effects: { pollInterval: '20ms' } };

/** Takes back what the library has put on the classes of TypeORM, for the suites after this one. */
function keptTypeOrm(): () => void {
  const { getRepository } = EntityManager.prototype;
  const { extend } = Repository.prototype;
  return () => {
    deleteDataSourceByName('default');
    Object.assign(EntityManager.prototype, { getRepository });
    Object.assign(Repository.prototype, { extend });
    delete (Repository.prototype as { manager?: unknown }).manager;
  };
}

/** As a bundler does it. Returns what gives it back its name. */
function renamed(type: { name: string }, name: string): () => void {
  const { name: own } = type;
  const call = (value: string) => void Object.defineProperty(type, 'name', { value, configurable: true });
  call(name);
  return () => call(own);
}

const LIBRARIES = {
  'typeorm-transactional': { service: PatchedAccounts, imports: [] },
  '@nestjs-cls/transactional': {
    service: HostedAccounts,
    imports: [
      ClsModule.forRoot({
        plugins: [
          new ClsPluginTransactional({
            adapter: new TransactionalAdapterTypeOrm({ dataSourceToken: getDataSourceToken() as never }),
          }),
        ],
      }),
    ],
  },
} as const;

describe.each(Object.entries(LIBRARIES))('transactions of %s', (library, { service, imports }) => {
  describeDatabases(
    'join',
    ({ orm, db }) => {
      let database: FreshDatabase;
      let app: INestApplicationContext;
      let restore = (): void => {};

      beforeAll(async () => {
        database = await createDatabase(db);
        await database.query('CREATE TABLE account (balance integer NOT NULL)');
        if (library === 'typeorm-transactional') {
          restore = keptTypeOrm();
          initializeTransactionalContext();
        } else restore = renamed(TransactionHost, 't');
        app = await bootApp({
          imports: [ormModule(orm, database), ...imports, DurableModule.forRoot({ migrate: true, ...FAST })],
          providers: [Shipping, Crediting, Listeners, service as Type<Accounts>],
        });
        if (library === 'typeorm-transactional') addTransactionalDataSource(app.get(DataSource));
        accounts = app.get<Accounts>(service as Type<Accounts>);
      });
      beforeEach(async () => {
        committed.length = 0;
        await database.query('DELETE FROM account');
        await database.query('INSERT INTO account VALUES (0)');
      });
      afterAll(async () => {
        await app?.close();
        restore();
        await database?.close();
      });

      const balance = async () => Number((await database.query('SELECT balance FROM account'))[0]!['balance']);
      const count = async (table: string, where: string) =>
        Number((await database.query(`SELECT count(*) AS n FROM ${table} WHERE ${where}`))[0]!['n']);

      it('commit what is started, signalled, published and enqueued in them, and roll it back', async () => {
        await expect(accounts.order('rolled-back', true)).rejects.toThrow('not today');
        expect(await balance()).toBe(0);
        expect(await count('durable_runs', "id = 'rolled-back'")).toBe(0);
        expect(await count('durable_signals', "target = 'rolled-back'")).toBe(0);
        expect(await count('durable_outbox', "channel = 'orders'")).toBe(0);
        expect(await count('durable_effects', "subject = 'rolled-back'")).toBe(0);
        await accounts.order('stays');
        expect(await balance()).toBe(1);
        await app.get(WorkflowClient).signal(told, 'go', { workflowId: 'stays' });
        expect(await app.get(WorkflowClient).result('stays')).toBe('go');
        expect(await count('durable_signals', "target = 'stays'")).toBeGreaterThan(0);
        expect(await count('durable_effects', "subject = 'stays'")).toBe(1);
      });

      it('are joined by the services that ctx.transaction calls', async () => {
        failures = 1;
        const client = app.get(WorkflowClient);
        await client.startAndWait(Crediting);
        expect(await balance()).toBe(2);
        // Not for the attempt that was rolled back.
        if (library === 'typeorm-transactional') expect(committed).toEqual(['after']);
      });

      it('are joined by the services that consumers and completions call', async () => {
        await app.get(Outbox).publish({ channel: 'credits', name: 'credited', data: 1 });
        await until('the event was consumed', async () => (await balance()) > 0);
        expect(await balance()).toBe(2);
        await app.get(Effects).enqueue({ operation: 'credit', subject: 'c', calls: [{ handler: 'mail', ref: 1 }] });
        await until('the operation is complete', async () => (await balance()) > 2);
        expect(await balance()).toBe(4);
        if (library === 'typeorm-transactional') expect(committed).toEqual(['after', 'after']);
      });
    },
    { only: ({ orm }) => orm === 'typeorm' },
  );
});

describeDatabases('transactions without a library', ({ orm, db }) => {
  let database: FreshDatabase;
  let app: INestApplicationContext;
  let apart: string[];

  @Workflow('mixing')
  class Mixing {
    async run(ctx: WorkflowContext): Promise<void> {
      await ctx.transaction(
        'mix',
        async () => {
          const client = app.get(WorkflowClient);
          await client.start(Shipping, undefined, { id: `child-${failures}` });
          failOnce();
        },
        { retry: { attempts: 3, backoff: '10ms' } },
      );
    }
  }

  @Workflow('opening')
  class Opening {
    async run(ctx: WorkflowContext): Promise<void> {
      await ctx.transaction('open', async () => void (await inCallback(select)));
    }
  }

  @Workflow('nesting')
  class Nesting {
    async run(ctx: WorkflowContext): Promise<void> {
      await ctx.transaction('nest', async () => void (await app.get(MikroORM).em.transactional(select)));
    }
  }

  type Handle = EntityManager | MikroEntityManager;
  const select = (tx: Handle): Promise<unknown> =>
    'query' in tx ? tx.query('SELECT 1') : (tx as SqlEntityManager).execute('SELECT 1');
  const inCallback = (work: (tx: Handle) => Promise<unknown>): Promise<unknown> =>
    orm === 'typeorm' ? app.get(DataSource).transaction(work) : app.get(MikroORM).em.fork().transactional(work);
  const byHand = async () => {
    if (orm === 'mikro-orm') {
      const em = app.get(MikroORM).em.fork();
      return { transaction: em, begin: () => em.begin(), commit: () => em.commit() };
    }
    const runner = app.get(DataSource).createQueryRunner();
    await runner.connect();
    const commit = async () => {
      await runner.commitTransaction();
      await runner.release();
    };
    return { transaction: runner, begin: () => runner.startTransaction(), commit };
  };

  beforeAll(async () => {
    database = await createDatabase(db);
    app = await bootApp({
      imports: [ormModule(orm, database), DurableModule.forRoot({ migrate: true })],
      providers: [Shipping, Mixing, Opening, Nesting],
    });
    app
      .get(DurableEvents)
      .on('transaction.apart')
      .subscribe(({ what }) => apart.push(what));
  });
  beforeEach(() => {
    apart = [];
  });
  afterAll(async () => {
    await app?.close();
    await database?.close();
  });

  it('take what is started inside of ctx.transaction', async () => {
    failures = 1;
    await app.get(WorkflowClient).startAndWait(Mixing);
    const rows = await database.query("SELECT id FROM durable_runs WHERE id LIKE 'child-%'");
    expect(rows.map(({ id }) => id)).toEqual(['child-0']);
    expect(apart).toEqual([]);
  });

  it('are told of what is committed beside them', async () => {
    const client = app.get(WorkflowClient);
    await inCallback(async (transaction) => {
      await client.start(Shipping, undefined, { id: 'inside', transaction });
      expect(apart).toEqual([]);
      await client.start(Shipping, undefined, { id: 'beside' });
      // MikroORM knows that of its callback: this is committed with it.
      expect(apart).toEqual(orm === 'typeorm' ? ['write'] : []);
    });
    apart = [];
    await client.start(Shipping, undefined, { id: 'outside' });
    expect(apart).toEqual([]);
    await client.startAndWait(Opening);
    expect(apart).toEqual(['transaction']);
  });

  it('are told of what is committed beside one that was begun by hand', async () => {
    const client = app.get(WorkflowClient);
    const { transaction, begin, commit } = await byHand();
    await client.start(Shipping, undefined, { id: 'before' });
    await begin();
    await client.start(Shipping, undefined, { id: 'inside-2', transaction });
    const inside = [...apart];
    await client.start(Shipping, undefined, { id: 'beside-2' });
    await commit();
    expect([inside, apart]).toEqual([[], ['write']]);
    await client.start(Shipping, undefined, { id: 'after' });
    // What runs at the same time, in none.
    await Promise.all([inCallback(select), client.start(Shipping, undefined, { id: 'meanwhile' })]);
    expect(apart).toEqual(['write']);
  });

  if (orm === 'typeorm') return;

  it('are told of nothing that is part of them', async () => {
    const { transaction, begin, commit } = await byHand();
    await begin();
    const em = transaction as MikroEntityManager;
    // A savepoint, and a transaction of the client that surrounds its own.
    await em.transactional((tx) =>
      app.get(WorkflowClient).start(Shipping, undefined, { id: 'saved', transaction: tx }),
    );
    await commit();
    await app.get(WorkflowClient).startAndWait(Nesting);
    expect(apart).toEqual([]);
  });
});

describe('the transactions of a host', () => {
  const connection = {};
  const host = { tx: { dataSource: connection }, isTransactionActive: () => true, withTransaction: () => undefined };
  // Outside of a transaction that of Mongoose has no client.
  const ofMongoose = { ...host, tx: null };

  it('are those of the host with our connection, whatever the others have', () => {
    expect(ambientOfHosts([ofMongoose, {}, null, host], connection)?.current()).toBe(host.tx);
    expect(ambientOfHosts([ofMongoose], connection)).toBeUndefined();
  });
});
