import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { DurableModule, Workflow, WorkflowClient, type WorkflowContext, type WorkflowRunner } from '../../lib/index.js';
import { describeBackends } from '../support/backends.js';
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

describeBackends('an app that says how long runs are kept', (at) => {
  let database: FreshDatabase;
  let app: INestApplicationContext;

  beforeAll(async () => {
    database = await createDatabase(at.db);
    app = await bootApp({
      imports: [
        ormModule(at.orm, database),
        DurableModule.forRoot({ migrate: true, retention: { completed: 1, signals: '1d', every: 50, batchSize: 2 } }),
      ],
      providers: [Short],
    });
  });
  afterAll(async () => {
    await app?.close();
    await database.close();
  });

  it('has them deleted in small batches, and keeps what it did not name', async () => {
    const client = app.get(WorkflowClient);
    const failed = await client.start(Short, 'fail', { id: 'failed' });
    await expect(failed.result({ timeout: '20s' })).rejects.toMatchObject({ message: 'no' });
    // Completed ones may be gone before anybody has asked for their output.
    for (let n = 0; n < 7; n++) await client.start(Short, `${n}`, { id: `r${n}` });
    await until('only the other one is left', async () => {
      const { runs } = await client.list();
      return runs.length === 1 && runs[0]!.id === 'failed';
    });
    const { history } = await client.getStatus('failed', { history: true });
    expect(history).toMatchObject([{ name: 'say', status: 'completed' }]);
  });
});

describeBackends(
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
