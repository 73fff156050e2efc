import { byFamily } from '../sql/dialects.js';
import type { SqlConnection } from '../sql/executor.js';
import { id, indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, type Scope, TablesAdapter } from '../sql/tables.js';
import type { OverdueRuns, UnfinishedPage, UnfinishedRuns, VersionsPage } from './control.js';
import { FINAL_STATUSES } from './run.js';
import { claimedOf, type ClaimedRow } from './tables.sql.js';

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
export class SqlUnfinishedRuns extends TablesAdapter implements UnfinishedRuns {
  private readonly waiting = new SqlOverdueRuns(this.db, this.scope);

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

interface KindRow {
  workflow: string;
  version: number | string;
}

/** How many workflows and versions one statement asks about. */
const AT_ONCE = 50;

/** Finds the workflows and versions with runs that wait to be claimed. */
export class SqlOverdueRuns {
  /** MySQL and MariaDB: the ones that were found before, so that only new ones take more statements. */
  private known: RunKind[] = [];

  constructor(
    private readonly db: SqlConnection,
    private readonly scope: Scope,
  ) {}

  find(namespace: string, olderThanMs: number): Promise<OverdueRuns[]> {
    return byFamily(this.scope.dialect, {
      postgres: () => this.overdue(selectOverdue(this.scope, namespace, olderThanMs)),
      mysql: () => this.findInKinds(namespace, olderThanMs),
    });
  }

  private async findInKinds(namespace: string, olderThanMs: number): Promise<OverdueRuns[]> {
    const found: OverdueRuns[] = [];
    for (const kinds of parts(await this.kinds(namespace)))
      found.push(...(await this.overdue(selectOverdueOf(this.scope, namespace, kinds, olderThanMs))));
    return found;
  }

  /** From each that is known to the next, until nothing new is found. */
  private async kinds(namespace: string): Promise<readonly RunKind[]> {
    const found = new Map<string, RunKind>();
    let after: RunKind[] = [{ workflow: '', version: 0 }, ...this.known];
    const asked = new Set(after.map(keyOf));
    while (after.length > 0) {
      const next: RunKind[] = [];
      for (const some of parts(after)) next.push(...(await this.next(namespace, some)));
      for (const kind of next) found.set(keyOf(kind), kind);
      after = next.filter((kind) => !asked.has(keyOf(kind)));
      for (const kind of after) asked.add(keyOf(kind));
    }
    this.known = [...found.values()];
    return this.known;
  }

  private async next(namespace: string, after: readonly RunKind[]): Promise<RunKind[]> {
    const { rows } = await this.db.run<KindRow>(selectNextKinds(this.scope, namespace, after));
    return rows.map(({ workflow, version }) => ({ workflow, version: Number(version) }));
  }

  private async overdue(statement: Statement): Promise<OverdueRuns[]> {
    const { rows } = await this.db.run<KindRow & { since: number | string }>(statement);
    return rows.map(({ workflow, version, since }) => ({ workflow, version: Number(version), since: Number(since) }));
  }
}

const keyOf = ({ workflow, version }: RunKind): string => JSON.stringify([workflow, version]);

const parts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, n) => all.slice(n * AT_ONCE, (n + 1) * AT_ONCE));

/** A workflow and version that there are runs of. */
export interface RunKind {
  workflow: string;
  version: number;
}

/** The indexes of runs that wait to be claimed, by workflow and version, and since when their first run waits. */
const QUEUES = [
  { column: 'wake_at', since: 'wake_at' },
  { column: 'turn', since: 'created_at' },
] as const;
type Queue = (typeof QUEUES)[number];

const isOverdue = (scope: Scope, olderThanMs: number): Statement =>
  sql`f.since <= ${nowOf(scope)} - ${int(olderThanMs)}`;

/**
 * PostgreSQL: the workflows and versions with runs that have been due for `olderThanMs`, and since when. Reads a few
 * entries of an index for each workflow and version, no matter how many runs wait.
 */
export const selectOverdue = (scope: Scope, namespace: string, olderThanMs: number): Statement => sql`
  SELECT f.workflow, f.version, min(f.since) AS since
  FROM (${join(
    QUEUES.map((queue) => stepping(scope, namespace, queue)),
    ' UNION ALL ',
  )}) AS f
  WHERE ${isOverdue(scope, olderThanMs)}
  GROUP BY f.workflow, f.version`;

/** From one workflow and version to the next, since grouping would read the entries of all runs. */
const stepping = ({ tables }: Scope, namespace: string, { column, since }: Queue): Statement => {
  const [name, at] = [id(`by_${column}`), raw(`r.${since}`)];
  const next = (after: Statement) => sql`
      SELECT r.workflow, r.version, ${at} AS since FROM ${tables.runs} AS r
      WHERE r.namespace = ${namespace} AND r.${id(column)} IS NOT NULL ${after}
      ORDER BY r.workflow, r.version, r.${id(column)} LIMIT 1`;
  return sql`
  (WITH RECURSIVE ${name} AS (
    SELECT o.workflow, o.version, o.since FROM (${next(raw(''))}) AS o
    UNION ALL
    SELECT o.workflow, o.version, o.since FROM ${name} AS f
    CROSS JOIN LATERAL (${next(raw('AND (r.workflow, r.version) > (f.workflow, f.version)'))}) AS o
  ) SELECT workflow, version, since FROM ${name})`;
};

/*
 * MySQL and MariaDB plan grouping by the statistics that a table had when the server opened it. If it was empty then, all
 * entries of the index are read; so each range here has constants for bounds.
 */

const dueRuns = ({ tables }: Scope, namespace: string): Statement => sql`
  FROM ${tables.runs} AS r FORCE INDEX (${indexOf(tables.runs, 'due')}) WHERE r.namespace = ${namespace}`;

/** MySQL and MariaDB: the next workflow and version after each of these. */
export const selectNextKinds = (scope: Scope, namespace: string, after: readonly RunKind[]): Statement => {
  const runs = dueRuns(scope, namespace);
  const next = after.flatMap(({ workflow, version }) => [
    sql`(SELECT r.workflow, r.version ${runs} AND r.workflow = ${workflow} AND r.version > ${version}
      ORDER BY r.version LIMIT 1)`,
    sql`(SELECT r.workflow, r.version ${runs} AND r.workflow > ${workflow} ORDER BY r.workflow, r.version LIMIT 1)`,
  ]);
  return sql`SELECT n.workflow, n.version FROM (${join(next, ' UNION ')}) AS n`;
};

/** MySQL and MariaDB: those of these workflows and versions that have runs that have been due for `olderThanMs`. */
export const selectOverdueOf = (
  scope: Scope,
  namespace: string,
  kinds: readonly RunKind[],
  olderThanMs: number,
): Statement => {
  const { tables } = scope;
  const inTurn = sql`FORCE INDEX (${indexOf(tables.runs, 'turn')}) WHERE r.namespace = ${namespace}`;
  const firsts = kinds.flatMap(({ workflow, version }) => {
    const ofKind = sql`AND r.workflow = ${workflow} AND r.version = ${version}`;
    return [
      sql`(SELECT r.workflow, r.version, r.wake_at AS since ${dueRuns(scope, namespace)} ${ofKind}
        AND r.wake_at IS NOT NULL ORDER BY r.wake_at LIMIT 1)`,
      sql`(SELECT r.workflow, r.version, r.created_at AS since FROM ${tables.runs} AS r ${inTurn} ${ofKind}
        AND r.turn IS NOT NULL ORDER BY r.turn LIMIT 1)`,
    ];
  });
  return sql`
  SELECT f.workflow, f.version, min(f.since) AS since FROM (${join(firsts, ' UNION ALL ')}) AS f
  WHERE ${isOverdue(scope, olderThanMs)} GROUP BY f.workflow, f.version`;
};
