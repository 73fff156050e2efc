import type { OrmTransactionOptions, SqlConnection, SqlExecutor, SqlTransaction } from '../../lib/sql/executor.js';
import { render, sql, type Statement } from '../../lib/sql/statement.js';
import { shortOf } from './observed-executor.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

interface FamilyRow {
  table: string | null;
  type: string | null;
  key: string | null;
  rows: number | string | null;
}

/** A table of ours that a statement reads from end to end. */
export interface Scan {
  statement: string;
  scanned: string;
  text: string;
}

export interface Explained {
  executor: SqlExecutor;
  /** Each statement that scanned, once. */
  scans: Scan[];
  /** How many different statements were looked at. */
  readonly looked: number;
}

const scansIn = (node: PlanNode): string[] => [
  ...(node['Node Type'] === 'Seq Scan' && node['Relation Name'] ? [node['Relation Name']] : []),
  ...(node.Plans ?? []).flatMap(scansIn),
];

async function scannedBy(db: SqlConnection, statement: Statement, small: ReadonlySet<string>): Promise<string[]> {
  if (db.dialect.family === 'postgres') {
    const { rows } = await db.run<{ 'QUERY PLAN': string }>(sql`EXPLAIN (FORMAT JSON) ${statement}`);
    const [{ Plan: root }] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '') as [{ Plan: PlanNode }];
    return scansIn(root).filter((table) => table.startsWith('durable_') && !small.has(table));
  }
  const { rows } = await db.run<FamilyRow>(sql`EXPLAIN ${statement}`);
  // By an index in its order, as `index` says, there is a limit; what is derived or listed is no table of ours.
  const isTable = (name: string | null) => name !== null && !/^<|^(listed|w|i|n)$/.test(name);
  return rows
    .filter(({ table, type, rows: read }) => type === 'ALL' && Number(read) > 1_000 && isTable(table))
    .map(({ table }) => `${table}`);
}

/**
 * An executor that asks how each kind of statement will be executed before it is, and notes those that read a whole
 * table. `small` names tables that are.
 */
export function explained(executor: SqlExecutor, small: ReadonlySet<string>): Explained {
  const known = new Set<string>();
  const scans: Scan[] = [];
  const explain = async (db: SqlConnection, statement: Statement): Promise<void> => {
    const { text } = render(statement, executor.dialect);
    if (known.has(text) || !/^\s*(WITH|SELECT|INSERT|UPDATE|DELETE|\()/i.test(text)) return;
    known.add(text);
    const scanned = await scannedBy(db, statement, small);
    for (const table of scanned) scans.push({ statement: shortOf(text.trim()), scanned: table, text });
  };
  const on =
    (connection: SqlConnection): SqlConnection['run'] =>
    async <Row>(statement: Statement) => {
      await explain(connection, statement);
      return connection.run<Row>(statement);
    };
  const inside = (tx: SqlTransaction): SqlTransaction => ({
    dialect: tx.dialect,
    afterCommit: (listener) => tx.afterCommit(listener),
    run: on(tx),
  });
  const wrapped: SqlExecutor = Object.assign(Object.create(executor) as SqlExecutor, {
    dialect: executor.dialect,
    run: on(executor),
    transaction: <T>(work: (tx: SqlTransaction) => Promise<T>) => executor.transaction((tx) => work(inside(tx))),
    ormTransaction: <T>(work: (handle: unknown, tx: SqlTransaction) => Promise<T>, options?: OrmTransactionOptions) =>
      executor.ormTransaction((handle, tx) => work(handle, inside(tx)), options),
    join: (handle: unknown) => executor.join(handle),
    ...(executor.ambient && { ambient: () => executor.ambient!() }),
    ...(executor.listen && { listen: executor.listen.bind(executor) }),
  });
  return {
    executor: wrapped,
    scans,
    get looked() {
      return known.size;
    },
  };
}
