import { planned } from '../sql/key-list.js';
import { id, join, raw, sql, type Statement } from '../sql/statement.js';
import type { ClaimRuns } from './run-store.js';
import { nowOf, type Scope } from './run.sql.js';

const SUSPECT_AFTER = 3;

/** How many runs of each workflow one claim may take, so that none is locked in vain. */
export const quotaOf = ({ limit, workflows }: ClaimRuns): number => Math.ceil(limit / workflows.length);

const filterOf = (scope: Scope, { which, afterId = '' }: ClaimRuns): Statement => {
  const due = sql`r.wake_at <= ${nowOf(scope)}`;
  switch (which) {
    case 'due':
      return sql`${due} AND r.crashes < ${raw(String(SUSPECT_AFTER))}`;
    case 'suspect':
      return sql`${due} AND r.crashes >= ${raw(String(SUSPECT_AFTER))}`;
    case 'blocked':
      return sql`r.reason IS NOT NULL AND r.status = 'suspended' AND r.id > ${afterId}`;
  }
};

const orderOf = ({ which }: ClaimRuns): Statement => raw(which === 'blocked' ? 'r.id' : 'r.wake_at');

/** A process that was struck off may take nothing: nobody would notice its end. */
const signedIn = (scope: Scope, nodeId: string): Statement =>
  sql`EXISTS (SELECT 1 FROM ${scope.tables.nodes} AS n WHERE n.id = ${nodeId} AND n.expires_at > ${nowOf(scope)})`;

const taken = (scope: Scope, nodeId: string): Statement => sql`
  owner = ${nodeId}, epoch = epoch + 1, status = 'running', wake_at = NULL, reason = NULL, reason_detail = NULL,
  started_at = COALESCE(started_at, ${nowOf(scope)})`;

/** PostgreSQL: one statement; each workflow is one probe of the index in its order. */
export const claimRuns = (scope: Scope, request: ClaimRuns): Statement => {
  const { nodeId, namespace, workflows, limit } = request;
  const { tables, dialect } = scope;
  const quota = quotaOf(request);
  const json = JSON.stringify(workflows.map(({ name, version }) => ({ name, version, quota })));
  const update = sql`
  WITH picked AS MATERIALIZED (
    SELECT o.tid FROM ${dialect.rows(json, { name: 'key', version: 'int', quota: 'int' })} AS w
    CROSS JOIN ${planned}
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM ${tables.runs} AS r
      WHERE r.namespace = ${namespace} AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND ${filterOf(scope, request)}
      ORDER BY ${orderOf(request)} LIMIT w.quota FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE ${signedIn(scope, nodeId)}
    LIMIT ${limit}
  )
  UPDATE ${tables.runs} SET ${taken(scope, nodeId)}
    WHERE ctid = ANY (ARRAY(SELECT tid FROM picked))
    RETURNING id, workflow, version, input, epoch, crashes`;
  // In the order of the page, which says where the next one begins; an UPDATE has none.
  if (request.which === 'blocked') return sql`WITH taken AS (${update}) SELECT * FROM taken ORDER BY id`;
  return update;
};

/** MySQL and MariaDB: the index is named, since with any other plan a locking read would lock the whole backlog. */
const probes = (scope: Scope, request: ClaimRuns, columns: Statement, tail: Statement): Statement => {
  const { tables } = scope;
  const index = request.which === 'blocked' ? raw('') : sql`FORCE INDEX (${id(`${tables.prefix}_runs_due`)})`;
  const quota = raw(String(quotaOf(request)));
  return join(
    request.workflows.map(
      ({ name, version }) => sql`(SELECT ${columns} FROM ${tables.runs} AS r ${index}
      WHERE r.namespace = ${request.namespace} AND r.workflow = ${name} AND r.version = ${version}
        AND r.owner IS NULL AND ${filterOf(scope, request)}
      ORDER BY ${orderOf(request)} LIMIT ${quota} ${tail})`,
    ),
    ' UNION ALL ',
  );
};

/** Whether there is anything to claim: a plain read, so that an idle engine locks nothing and opens no transaction. */
export const selectClaimable = (scope: Scope, request: ClaimRuns): Statement =>
  sql`SELECT 1 AS found FROM (${probes(scope, request, raw('1 AS found'), raw(''))}) AS p WHERE ${signedIn(scope, request.nodeId)} LIMIT 1`;

export const lockClaimable = (scope: Scope, request: ClaimRuns): Statement => {
  const columns = raw('r.id, r.workflow, r.version, r.input, r.epoch + 1 AS epoch, r.crashes');
  return probes(scope, request, columns, raw('FOR UPDATE SKIP LOCKED'));
};

export const stampClaimed = (scope: Scope, nodeId: string, among: Statement): Statement =>
  sql`UPDATE ${scope.tables.runs} SET ${taken(scope, nodeId)} WHERE id ${among}`;
