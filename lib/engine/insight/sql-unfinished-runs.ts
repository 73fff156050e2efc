import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow } from '../../sql/sql-now.js';
import type { Tables } from '../../sql/tables.js';
import { type ClaimedRow, claimedOf, type Scope } from '../tables/run.sql.js';
import { selectEndOfScan, selectUnfinished } from './unfinished.sql.js';
import type { UnfinishedPage, UnfinishedRuns } from '../model/unfinished-runs.js';

/** Runs that have not ended, by the primary key: short statements of their own, so that no snapshot is held. */
export class SqlUnfinishedRuns implements UnfinishedRuns {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async page({ namespace, afterId, scan }: Parameters<UnfinishedRuns['page']>[0]): Promise<UnfinishedPage> {
    const { rows: ends } = await this.db.run<{ id: string }>(selectEndOfScan(this.scope, afterId, scan));
    const next = ends[0]?.id;
    // Up to a run, not so many of them: of those that are created in between none pushes another one off the page.
    const { rows } = await this.db.run<ClaimedRow>(selectUnfinished(this.scope, namespace, afterId, next));
    return { runs: rows.map(claimedOf), next };
  }
}
