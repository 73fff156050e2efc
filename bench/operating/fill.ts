import { effectRows, eventRows, fleetRows } from './outgoing-rows.js';
import { type Amounts, runRows, stepRows, taskRows } from './rows.js';

type Query = (text: string) => Promise<unknown>;

/** Fills new tables of ours, on any database, with what a large system has in them. */
export async function fill(query: Query, amounts: Amounts, now = Date.now()): Promise<void> {
  await numberRows(query, Math.max(amounts.runs, amounts.tasks, amounts.events, amounts.others, 200));
  const all = [runRows, stepRows, taskRows, eventRows, effectRows, fleetRows];
  for (const statement of all.flatMap((rows) => rows(amounts, now))) await query(statement);
}

/** By doubling: PostgreSQL and MySQL have no common function for it. */
async function numberRows(query: Query, count: number): Promise<void> {
  await query('CREATE TABLE numbers (n integer PRIMARY KEY)');
  await query('INSERT INTO numbers VALUES (0)');
  for (let have = 1; have < count; have *= 2)
    await query(`INSERT INTO numbers SELECT n + ${have} FROM numbers WHERE n + ${have} < ${count}`);
}
