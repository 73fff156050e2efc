import { FINAL_STATUSES } from '../model/run.js';
import type { OverdueRuns, UnfinishedPage, UnfinishedRuns, VersionsPage } from '../model/run-control.js';
import { SqlOverdueRuns } from './sql-overdue-runs.js';
import { claimedOf, type ClaimedRow } from '../tables/run.sql.js';
import { int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';

/** Of a run in the form of a claim. */
export const CLAIM_COLUMNS = raw(
  'r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, ' +
    'r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since',
);

/** The last of the next `scan` runs, by the primary key; no row if there are fewer. */
export const selectEndOfScan = ({ tables }: Scope, afterId: string, scan: number): Statement =>
  sql`SELECT s.id FROM ${tables.runs} AS s WHERE s.id > ${afterId} ORDER BY s.id LIMIT 1 OFFSET ${int(scan - 1)}`;

/** The runs up to `end`, or to the last one, that have not ended. */
export const selectUnfinished = (
  { tables }: Scope,
  namespace: string,
  afterId: string,
  end: string | undefined,
): Statement => sql`
  SELECT ${CLAIM_COLUMNS} FROM ${tables.runs} AS r
  WHERE ${isUnfinished(namespace, afterId, end)} ORDER BY r.id`;

/** The same by workflow and version. */
export const countUnfinished = (
  { tables }: Scope,
  namespace: string,
  afterId: string,
  end: string | undefined,
): Statement => sql`
  SELECT r.workflow, r.version, count(*) AS runs FROM ${tables.runs} AS r
  WHERE ${isUnfinished(namespace, afterId, end)} GROUP BY r.workflow, r.version ORDER BY r.workflow, r.version`;

const isUnfinished = (namespace: string, afterId: string, end: string | undefined): Statement =>
  sql`r.id > ${afterId} ${end === undefined ? raw('') : sql`AND r.id <= ${end}`}
    AND r.namespace = ${namespace} AND r.status NOT IN (${join(FINAL_STATUSES)})`;

interface VersionRow {
  workflow: string;
  version: number | string;
  runs: number | string;
}

/** Reads runs that have not ended by the primary key, with short separate statements, so that no snapshot is held. */
export class SqlUnfinishedRuns implements UnfinishedRuns {
  private readonly scope: Scope;
  private readonly waiting: SqlOverdueRuns;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
    this.waiting = new SqlOverdueRuns(db, this.scope);
  }

  async page({ namespace, afterId, scan }: Parameters<UnfinishedRuns['page']>[0]): Promise<UnfinishedPage> {
    const next = await this.endOf(afterId, scan);
    // Up to a run id instead of a limit: runs created in between must not push others off the page.
    const { rows } = await this.db.run<ClaimedRow>(selectUnfinished(this.scope, namespace, afterId, next));
    return { runs: rows.map(claimedOf), next };
  }

  overdue(namespace: string, olderThanMs: number): Promise<OverdueRuns[]> {
    return this.waiting.find(namespace, olderThanMs);
  }

  async versions({ namespace, afterId, scan }: Parameters<UnfinishedRuns['versions']>[0]): Promise<VersionsPage> {
    const next = await this.endOf(afterId, scan);
    const { rows } = await this.db.run<VersionRow>(countUnfinished(this.scope, namespace, afterId, next));
    const versions = rows.map(({ workflow, version, runs }) => ({
      workflow,
      version: Number(version),
      runs: Number(runs),
    }));
    return { versions, next };
  }

  private async endOf(afterId: string, scan: number): Promise<string | undefined> {
    const { rows } = await this.db.run<{ id: string }>(selectEndOfScan(this.scope, afterId, scan));
    return rows[0]?.id;
  }
}
