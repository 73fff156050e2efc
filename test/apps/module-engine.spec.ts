import { type INestApplicationContext, Injectable } from '@nestjs/common';
import {
  DurableModule,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  type WorkflowRunner,
  WorkflowSignal,
} from '../../lib/index.js';
import { ManualClock } from '../../lib/testing/index.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

const go = new WorkflowSignal<string>('go');

@Injectable()
class Ledger {
  readonly lines: string[] = [];
  inside = 0;
  most = 0;
}

@Worker()
class Stock {
  constructor(private readonly ledger: Ledger) {}

  @RemoteStep('stock.count', { concurrency: { limit: 2 } })
  async count(article: string): Promise<number> {
    this.ledger.most = Math.max(this.ledger.most, ++this.ledger.inside);
    await new Promise((resolve) => setImmediate(resolve));
    this.ledger.inside--;
    return article.length;
  }
}

/** Never hears what it waits for. */
@Workflow('patient', { timeout: '10s' })
class Patient implements WorkflowRunner<string, void> {
  constructor(private readonly ledger: Ledger) {}

  async run(ctx: WorkflowContext, name: string): Promise<void> {
    await ctx.step('begin', () => this.ledger.lines.push(`${name} began`), {
      compensate: () => this.ledger.lines.push(`${name} was undone`),
    });
    await ctx.waitForSignal('go', go);
  }
}

@Workflow('one-by-one', { concurrency: { limit: 1, key: ({ customer }: { customer: string }) => customer } })
class OneByOne implements WorkflowRunner<{ customer: string; n: number }, number> {
  constructor(private readonly ledger: Ledger) {}

  async run(ctx: WorkflowContext, { customer, n }: { customer: string; n: number }): Promise<number> {
    ctx.setStatus('counting');
    ctx.setAttributes({ customer, n });
    await ctx.step('in', () => this.ledger.lines.push(`${customer} in`));
    const counts = await Promise.all(['a', 'bb', 'ccc', 'dddd'].map((article) => ctx.remote(Stock).count(article)));
    await ctx.step('out', () => this.ledger.lines.push(`${customer} out`));
    return counts.reduce((sum, count) => sum + count, n);
  }
}

describeDatabases('An app that declares time limits and limits', (at) => {
  let database: FreshDatabase;
  let app: INestApplicationContext;
  let client: WorkflowClient;
  let ledger: Ledger;
  const clock = new ManualClock();

  beforeAll(async () => {
    database = await createDatabase(at.db);
    app = await bootApp({
      imports: [ormModule(at.orm, database), DurableModule.forRoot({ migrate: true, clock })],
      providers: [Patient, OneByOne, Stock, Ledger],
    });
    client = app.get(WorkflowClient);
    ledger = app.get(Ledger);
  });
  afterAll(async () => {
    await app?.close();
    await database.close();
  });

  it('a run that takes too long fails, and what it did is undone', async () => {
    const handle = await client.start(Patient, 'Ada', { id: 'patient-1' });
    await until('it waits', async () => (await client.explain('patient-1')).text.includes('signal "go"'));
    clock.advance(10_000);
    await expect(handle.result({ timeout: '120s' })).rejects.toMatchObject({ code: 'WORKFLOW_TIMEOUT' });
    expect(ledger.lines).toEqual(['Ada began', 'Ada was undone']);
  });

  it('runs of one key are one at a time, steps as many as the fleet may, and people see which is which', async () => {
    ledger.lines.length = 0;
    const started = await Promise.all(
      [1, 2, 3].map((n) => client.start(OneByOne, { customer: 'Bob', n }, { id: `bob-${n}` })),
    );
    const outputs = await Promise.all(started.map((handle) => handle.result({ timeout: '120s' })));
    expect(outputs).toEqual([11, 12, 13]);
    expect(ledger.lines).toEqual(['Bob in', 'Bob out', 'Bob in', 'Bob out', 'Bob in', 'Bob out']);
    expect(ledger.most).toBeLessThanOrEqual(2);
    const { runs } = await client.list({ attributes: { customer: 'Bob', n: { gte: 2 } } });
    expect(runs.map(({ id, customStatus }) => [id, customStatus]).sort()).toEqual([
      ['bob-2', 'counting'],
      ['bob-3', 'counting'],
    ]);
    expect((await client.explain('bob-1')).text).toMatch(/completed/);
  });

  it('a run is told what it waits for, by its id', async () => {
    const handle = await client.start('patient', 'Eve', { id: 'patient-2', timeout: '1h' });
    await until('the wait', async () => (await handle.status()).status !== 'pending');
    await client.signal(go, 'now', { workflowId: 'patient-2' });
    await expect(handle.result({ timeout: '120s' })).resolves.toBeUndefined();
  });
});
