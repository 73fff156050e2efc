import { type INestApplicationContext, Injectable } from '@nestjs/common';
import {
  DurableModule,
  DurableStore,
  Effect,
  Effects,
  NonRetryableEffectError,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  type WorkflowRunner,
} from '../../lib/index.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

@Injectable()
@Workflow('short')
class Short implements WorkflowRunner<string, string> {
  async run(ctx: WorkflowContext, how: string): Promise<string> {
    const said = await ctx.step('say', () => how);
    return said === 'fail' ? ctx.fail('no') : said;
  }
}

@Injectable()
class Billing {
  @Effect('charge')
  charge(ref: string): void {
    if (ref === 'fail') throw new NonRetryableEffectError('no');
  }
}

const KEPT = { completed: 1, signals: 1, effects: 1, effectAudit: 1, deadLetters: 1, every: 50, batchSize: 2 } as const;

describeDatabases('an app that says how long runs are kept', (at) => {
  let database: FreshDatabase;
  let app: INestApplicationContext;

  beforeAll(async () => {
    database = await createDatabase(at.db);
    app = await bootApp({
      imports: [ormModule(at.orm, database), DurableModule.forRoot({ migrate: true, retention: KEPT })],
      providers: [Short, Billing],
    });
  });
  afterAll(async () => {
    await app?.close();
    await database.close();
  });

  it('has them deleted in small batches, and keeps what it did not name', async () => {
    const client = app.get(WorkflowClient);
    const failed = await client.start(Short, 'fail', { id: 'failed' });
    await expect(failed.result({ timeout: '120s' })).rejects.toMatchObject({ message: 'no' });
    // Completed ones may be gone before anybody has asked for their output.
    for (let n = 0; n < 7; n++) await client.start(Short, `${n}`, { id: `r${n}` });
    await until('only the other one is left', async () => {
      const { runs } = await client.list();
      return runs.length === 1 && runs[0]!.id === 'failed';
    });
    const { history } = await client.getStatus('failed', { history: true });
    expect(history).toMatchObject([{ name: 'say', status: 'completed' }]);
  });

  it('has calls, their audit log, signals and dead letters deleted too', async () => {
    const client = app.get(WorkflowClient);
    const calls = ['a', 'b', 'c', 'fail'].map((ref) => ({ handler: 'charge', ref }));
    await app.get(Effects).enqueue({ operation: 'charge', subject: 'order-1', calls });
    for (let n = 0; n < 5; n++) await client.signal('told', n, { key: 'nobody' });
    // A run that was deleted after its sender had found it.
    await database.query(
      `INSERT INTO durable_signals (namespace, channel, name, target, addressed, payload, created_at) VALUES ('default', 'c', 'told', 'gone', 'run', '1', 1)`,
    );
    await database.query(
      `INSERT INTO durable_outbox_dead (destination, sequence_id, mutation_id, channel, name, attempts, reason, failed_at) VALUES ('d', 1, 'm', 'c', 'n', 1, 'failed', 1)`,
    );
    await until('only the abandoned call is left', async () => {
      const counts = await Promise.all(
        ['effects', 'effect_audit', 'signals', 'outbox_dead'].map(
          async (table) => (await database.query(`SELECT 1 AS one FROM durable_${table}`)).length,
        ),
      );
      return counts.join() === '1,0,0,0';
    });
    expect(await app.get(Effects).listAbandoned()).toMatchObject([{ ref: 'fail' }]);
  });
});

describeDatabases('an app that deletes nothing', (at) => {
  it('still deletes texts whose time is over', async () => {
    const database = await createDatabase(at.db);
    const retention = { every: 50 };
    const app = await bootApp({
      imports: [ormModule(at.orm, database), DurableModule.forRoot({ migrate: true, retention })],
    });
    try {
      const store = app.get(DurableStore);
      await store.set('over', '1', { ttl: 1 });
      await store.set('kept', '1', { ttl: '1h' });
      const names = async () => (await database.query(`SELECT name FROM durable_store`)).map((row) => row['name']);
      await until('only the other one is left', async () => (await names()).join() === 'kept');
    } finally {
      await app.close();
      await database.close();
    }
  });
});

describeDatabases(
  'an app whose retention is wrong',
  (at) => {
    it('does not boot, and says which option it is', async () => {
      const database = await createDatabase(at.db);
      try {
        const boot = async () =>
          bootApp({
            imports: [
              ormModule(at.orm, database),
              DurableModule.forRoot({ retention: { completed: 'soon' as never } }),
            ],
          });
        await expect(boot()).rejects.toThrow(/retention\.completed/);
      } finally {
        await database.close();
      }
    });
  },
  { only: ({ db }) => db === 'postgres' },
);
