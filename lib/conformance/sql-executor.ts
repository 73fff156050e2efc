import type { ConformanceCase } from './case.js';
import { sqlAfterCommitCases, sqlCommitCases } from './sql-executor-commits.js';
import type { SqlExecutorFixture } from './sql-executor-fixture.js';
import { sqlJoiningCases } from './sql-executor-joining.js';
import { sqlTransactionCases } from './sql-executor-transactions.js';
import { sqlValueCases } from './sql-executor-values.js';

/** Guarantees of every `SqlExecutor`, on every ORM and database. */
export const sqlExecutorConformance: readonly ConformanceCase<SqlExecutorFixture>[] = [
  ...sqlValueCases,
  ...sqlTransactionCases,
  ...sqlAfterCommitCases,
  ...sqlJoiningCases,
  ...sqlCommitCases,
];
