import { columnRows, planned, postgres } from '../../../lib/sql/dialects.js';
import { KeptPlans } from '../../../lib/sql/pg.js';
import { render, sql } from '../../../lib/sql/statement.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { borrow } from '../../support/borrowed-connection.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, sqlStorage, workerOn } from '../../support/engine-storage.js';

interface Given {
  n: number;
  text: string | null;
  count: number | null;
}

/** From this estimated cost on the server compiles what it executes, which takes up to a second each time. */
const JIT_ABOVE_COST = 100_000;

describeBackends(
  'what a database sets for its sessions',
  (at) => {
    let backend: OpenBackend;
    beforeEach(async () => {
      backend = await at.open({ poolMax: 1 });
    });
    afterEach(() => backend.close());

    /** Opened after the setting, by which its one connection begins. */
    const openedWith = async (setting: string) => {
      await backend.query(`ALTER DATABASE ${backend.database} SET ${setting}`);
      return { ...backend, handle: await backend.another({ poolMax: 1 }) };
    };

    it('array_nulls = off changes no value: NULL is NULL, and a text of these letters stays one', async () => {
      const { handle } = await openedWith('array_nulls = off');
      const executor = executorOf({ orm: at.orm, handle });
      const read = async (rows: Given[]) => {
        const listed = columnRows(rows, {
          n: ['bigint', ({ n }) => n],
          text: ['text', ({ text }) => text, 'nullable'],
          count: ['bigint', ({ count }) => count, 'nullable'],
        });
        return (await executor.run<Given>(sql`SELECT * FROM ${listed} AS r ORDER BY n`)).rows;
      };
      const rows = [
        { n: 1, text: null, count: null },
        { n: 2, text: 'NULL', count: 0 },
        { n: 3, text: 'a "b" \\ {c}', count: Number.MIN_SAFE_INTEGER },
        { n: 4, text: '', count: -1 },
      ];
      expect(await read(rows)).toEqual(rows);
      expect(await read(rows.slice(0, 1))).toEqual(rows.slice(0, 1));
    });

    it('plan_cache_mode = force_generic_plan makes no statement expensive', async () => {
      const given = await openedWith('plan_cache_mode = force_generic_plan');
      const storage = await sqlStorage(given);
      const parts = engineParts(storage);
      parts.define('order', async (ctx) => {
        const first = await ctx.step('one', () => 1);
        const [second] = await Promise.all([ctx.remote<number>('echo', 2), ctx.executeChild('child', null)]);
        await ctx.sleep('nap', 1);
        return [first, second];
      });
      parts.define('child', async (ctx) => ctx.step('one', () => 1));
      const worker = workerOn(storage, { echo: (input) => input });
      await parts.start();
      expect(await parts.client.startAndWait('order', null, { timeout: '120s' })).toEqual([1, 2]);
      await worker.stop();
      await parts.stop();
      expect(await expensive(given)).toEqual([]);
      await storage.close();
    });

    it('plan_cache_mode = force_generic_plan changes no statement of another pool in the same process', async () => {
      // Not every ORM has opened its connection by now, and one that is opened later begins by the setting.
      await executorOf(backend).run(sql`SELECT 1 AS early`);
      const given = await openedWith('plan_cache_mode = force_generic_plan');
      const statement = sql`SELECT 1 AS one FROM ${planned}`;
      const sentOn = async (on: OpenBackend) => {
        await executorOf(on).run(statement);
        await executorOf(on).run(statement);
        const connection = await borrow(on);
        const rows = await connection.query(
          `SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%AS one FROM%'`,
        );
        await connection.giveBack();
        return JSON.stringify(rows);
      };
      expect(await sentOn(given)).toContain('SELECT 1 AS one FROM (SELECT CAST($1 AS integer)) AS planned');
      expect(await sentOn(backend)).toContain('SELECT 1 AS one FROM generate_series(');
    });
  },
  { only: ({ db }) => db === 'postgres' },
);

/** What is prepared on its one connection with a plan that would be compiled. */
async function expensive(backend: OpenBackend): Promise<string[]> {
  const connection = await borrow(backend);
  const rowsOf = async <Row>(text: string): Promise<Row[]> => {
    const answer = await connection.query(text);
    return (Array.isArray(answer) ? answer : (answer as { rows: Row[] }).rows) as Row[];
  };
  const prepared = await rowsOf<{ name: string; statement: string; types: number }>(
    'SELECT name, statement, cardinality(parameter_types) AS types FROM pg_prepared_statements',
  );
  expect(prepared.length).toBeGreaterThan(10);
  const found: string[] = [];
  for (const { name, statement, types } of prepared) {
    const nulls = Array<string>(types).fill('NULL').join(', ');
    const rows = await rowsOf<Record<'QUERY PLAN', string>>(
      `EXPLAIN EXECUTE "${name}"${types > 0 ? `(${nulls})` : ''}`,
    );
    const cost = Number(/cost=[\d.]+\.\.([\d.]+)/.exec(rows[0]!['QUERY PLAN'])![1]);
    if (cost > JIT_ABOVE_COST) found.push(`${cost}: ${statement.replace(/\s+/g, ' ').slice(0, 150)}`);
  }
  await connection.giveBack();
  return found;
}

describe('a statement for a session that keeps plans', () => {
  const { text } = render(sql`SELECT 1 FROM ${planned}`, postgres);

  it('expects one row in place of a million, and keeps its parameters', async () => {
    const plans = new KeptPlans();
    expect(plans.textOf(text)).toBe(text);
    await plans.learn({}, () => Promise.resolve('auto'));
    expect(plans.textOf(text)).toBe(text);
    await plans.learn({}, () => Promise.resolve('force_generic_plan'));
    expect(plans.textOf(text)).toBe(
      'SELECT 1 FROM (SELECT CAST($1 AS integer)) AS planned CROSS JOIN (SELECT CAST($2 AS integer)) AS again',
    );
  });

  it('is asked for once for each connection, and again where that failed', async () => {
    const plans = new KeptPlans();
    const connection = {};
    await plans.learn(connection, () => Promise.reject(new Error('in a failed transaction')));
    await plans.learn(connection, () => Promise.resolve('auto'));
    expect(plans.learn(connection, () => Promise.reject(new Error('asked again')))).toBeUndefined();
  });
});
