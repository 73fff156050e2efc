import { raw, sql, type Statement } from '../../lib/sql/statement.js';
import type { SqlConnection, SqlExecutor } from '../../lib/sql/executor.js';

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  Plans?: PlanNode[];
}

/** How many rows of tables were read. */
function rowsRead(node: PlanNode): number {
  const own = node['Relation Name'] ? (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0) : 0;
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), own);
}

/** Of the only connection of a pool. */
async function readOnMysql(db: SqlExecutor): Promise<number> {
  const { rows } = await db.run<{ Value: string }>(raw(`SHOW SESSION STATUS LIKE 'Handler_read%'`));
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}

async function readOnPostgres(db: SqlExecutor, statements: readonly Statement[]): Promise<number> {
  let read = 0;
  for (const one of statements) {
    const { rows } = await db.run<{ 'QUERY PLAN': string }>(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${one}`);
    const [{ Plan: root }] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '') as [{ Plan: PlanNode }];
    read += rowsRead(root);
  }
  return read;
}

/**
 * How many rows the statements of `ask` read, on a pool with one connection. MySQL and MariaDB also count the two reads
 * of what they put aside. @throws Error if it asks nothing
 */
export async function rowsReadBy(db: SqlExecutor, ask: (on: SqlExecutor) => Promise<unknown>): Promise<number> {
  const asked: Statement[] = [];
  const run: SqlConnection['run'] = (statement) => (asked.push(statement), db.run(statement));
  const isPostgres = db.dialect.family === 'postgres';
  const before = isPostgres ? 0 : await readOnMysql(db);
  await ask(Object.assign(Object.create(db) as SqlExecutor, { dialect: db.dialect, run }));
  if (asked.length === 0) throw new Error('Nothing was asked');
  return isPostgres ? readOnPostgres(db, asked) : (await readOnMysql(db)) - before;
}
