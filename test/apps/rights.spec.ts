import { type INestApplicationContext, Injectable } from '@nestjs/common';
import {
  type DurableModuleOptions,
  DurableModule,
  Effect,
  MissingRightsError,
  Outbox,
  type OutboxEvent,
  OutboxPublisher,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { runCli } from '../../lib/cli/cli.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

const published: string[] = [];
const called: string[] = [];

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
  async send(ref: string): Promise<void> {
    called.push(ref);
  }
}

@OutboxPublisher({ name: 'broker' })
class Broker {
  async publish(events: readonly OutboxEvent[]): Promise<void> {
    published.push(...events.map(({ name }) => name));
  }
}

@Workflow('order')
class Order {
  async run(ctx: WorkflowContext, id: string): Promise<unknown> {
    const paid = await ctx.remote<string>('charge', null, { group: 'billing' });
    await ctx.publish({ channel: id, name: `ordered ${id}` });
    await ctx.effects({ operation: 'confirm', subject: id, calls: [{ handler: 'mail', ref: id }] });
    return paid;
  }
}

describeDatabases('the database user of an app that may not create tables', (at) => {
  const isPostgres = at.db === 'postgres';
  let database: FreshDatabase;
  let user: string;
  let account: string;
  const apps: INestApplicationContext[] = [];

  const boot = async (options: DurableModuleOptions = {}): Promise<INestApplicationContext> => {
    const as = { ...database, user, password: 'pw' };
    const app = await bootApp({
      imports: [ormModule(at.orm, as, { poolMax: 4 }), DurableModule.forRoot({ migrate: false, ...options })],
      providers: [Order, Billing, Mail, Broker],
    });
    apps.push(app);
    return app;
  };

  /** The statements that the message prints. */
  const refused = async (options?: DurableModuleOptions): Promise<string[]> => {
    const error: unknown = await boot(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MissingRightsError);
    const { message, grants } = error as MissingRightsError;
    const [, ...lines] = message.split('\n');
    expect(lines).toEqual(grants);
    expect(message).toContain(`The database user "${user}" lacks`);
    return lines;
  };

  const grant = async (statements: readonly string[]) => {
    for (const statement of statements) await database.query(statement);
  };

  const works = async (id: string) => {
    const app = await boot();
    await app.get(WorkflowClient).start('order', id, { id });
    await expect(app.get(WorkflowClient).result(id, { timeout: '120s' })).resolves.toBe('paid');
    await app.get(Outbox).publish({ channel: 'more', name: `more ${id}` });
    const all = [`ordered ${id}`, `more ${id}`];
    await until('its events are published', () => all.every((name) => published.includes(name)));
    expect(called).toContain(id);
  };

  const table = (name: string) => (isPostgres ? name : `${database.database}.${name}`);

  /** An app that is refused leaves its pool open, which would keep the tests from ending. */
  const endLeft = async () => {
    if (isPostgres) return;
    const left = await database.query(`SELECT id FROM information_schema.processlist WHERE user = '${user}'`);
    // One that ends by itself meanwhile cannot be ended.
    await Promise.allSettled(left.map(({ id }) => database.query(`KILL ${Number(id)}`)));
  };

  beforeAll(async () => {
    database = await createDatabase(at.db);
    user = `u_${database.database}`;
    account = isPostgres ? user : `'${user}'@'%'`;
    await database.query(
      isPostgres ? `CREATE ROLE ${account} LOGIN PASSWORD 'pw'` : `CREATE USER ${account} IDENTIFIED BY 'pw'`,
    );
    // Without any right it could not connect.
    if (!isPostgres) await database.query(`GRANT CREATE TEMPORARY TABLES ON ${database.database}.* TO ${account}`);
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });
  afterAll(async () => {
    await endLeft();
    const drops = isPostgres ? [`DROP OWNED BY ${account}`, `DROP ROLE ${account}`] : [`DROP USER ${account}`];
    for (const text of drops) await database.query(text);
    await database.close();
  });

  it('runs with exactly the grants that the first refusal prints', async () => {
    const grants = await refused({ migrate: true });
    const silent = () => undefined;
    expect(await runCli(['migrate', '--url', database.url], { env: {}, out: silent, err: silent })).toBe(0);
    expect(await refused()).toEqual(grants);
    expect(await refused({ migrate: true })).toEqual(grants);
    await grant(grants);
    await works('first');
  });

  it('is refused at the start if it may not use a table, and told the grant that it lacks', async () => {
    await database.query(`REVOKE ALL PRIVILEGES ON ${table('durable_holds')} FROM ${account}`);
    const grants = await refused();
    expect(grants.join()).toMatch(/durable.{1,3}holds\W/);
    expect(grants.join()).not.toContain('durable_runs');
    expect(await refused({ migrate: true })).toEqual(grants);
    await grant(grants);
    await database.query(`REVOKE DELETE ON ${table('durable_acts')} FROM ${account}`);
    await grant(await refused());
    await database.query(`REVOKE INSERT ON ${table('durable_outbox')} FROM ${account}`);
    const ofOutbox = await refused();
    expect(ofOutbox.join()).not.toContain('durable_holds');
    await (await boot({ outbox: false, engine: false })).close();
    await grant(ofOutbox);
    await works('second');
  });

  it('is told of rights, not of tables that are missing, if it may not see the outbox', async () => {
    await database.query(`REVOKE ALL PRIVILEGES ON ${table('durable_outbox')} FROM ${account}`);
    const grants = await refused();
    expect(grants.join()).toContain('durable_outbox');
    await grant(grants);
    await works('third');
  });

  const itOnPostgres = isPostgres ? it : it.skip;
  itOnPostgres('is told of rights if it may not look into its schema', async () => {
    await database.query('REVOKE USAGE ON SCHEMA public FROM PUBLIC');
    await database.query(`REVOKE USAGE ON SCHEMA public FROM ${account}`);
    for (const migrate of [true, false]) {
      const grants = await refused({ migrate });
      expect(grants).toContain(`GRANT USAGE ON SCHEMA "public" TO "${user}";`);
    }
    await grant(await refused());
    await works('fourth');
  });
});
