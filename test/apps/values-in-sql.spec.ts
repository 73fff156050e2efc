import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DurableModule, Workflow, WorkflowClient, type WorkflowContext } from '../../lib/index.js';
import { poolOn } from '../support/driver-pools.js';
import { createDatabase } from '../support/fresh-database.js';
import { bootApp } from '../support/nest-app.js';
import { ROOT } from '../support/root.mjs';
import { servers } from '../support/test-servers.js';

interface Order {
  customer: string;
  total: number;
}

@Workflow('order')
class OrderWorkflow {
  async run(ctx: WorkflowContext, { total }: Order): Promise<{ total: number; at: Date }> {
    return { total: await ctx.step('add', () => total + 1), at: new Date(0) };
  }
}

/** The statements of the page: for PostgreSQL, and for the others. */
function documented(): [string[], string[]] {
  const page = readFileSync(join(ROOT, 'docs/runs.md'), 'utf8');
  const [, section = ''] = page.split('## Payloads in SQL');
  const [postgres = '', others = ''] = [...section.matchAll(/```sql\n([^]*?)```/g)].map(([, text]) => text!);
  return [postgres, others].map((texts) => texts.split(';').filter((text) => text.trim() !== '')) as [
    string[],
    string[],
  ];
}

it.each(servers)('the page of runs finds payloads by SQL [$db]', async ({ db }) => {
  const database = await createDatabase(db);
  const pool = poolOn(database);
  const app = await bootApp({
    imports: [DurableModule.forRoot({ executor: pool.executor })],
    providers: [OrderWorkflow],
  });
  try {
    const client = app.get(WorkflowClient);
    for (const [id, customer, total] of [
      ['a', 'ada', 20],
      ['b', 'bob', 20],
      ['c', 'ada', 5],
    ] as const)
      await client.startAndWait(OrderWorkflow, { customer, total }, { id, timeout: '120s' });
    const [postgres, others] = documented();
    const statements = db === 'postgres' ? postgres : others;
    expect(statements).toHaveLength(db === 'postgres' ? 3 : 1);
    let rows: unknown[] = [];
    for (const statement of statements) rows = await database.query(statement);
    expect(rows).toEqual([{ id: 'a' }]);
    if (db === 'postgres') {
      const steps = await database.query("SELECT output FROM durable_step_values WHERE run_id = 'c' AND name = 'add'");
      expect(steps).toEqual([{ output: 6 }]);
    }
  } finally {
    await app.close();
    await pool.end();
    await database.close();
  }
});
