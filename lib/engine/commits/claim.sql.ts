import { isNotHeld } from '../../holds/hold.sql.js';
import { planned } from '../../sql/dialects/key-list.js';
import { nowOf, onceNow, type Scope } from '../../sql/tables.js';
import { id, int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { ClaimRuns } from '../model/run-store.js';
import { TRIED_REASONS } from '../model/run.js';

const SUSPECT_AFTER = 3;

/** MySQL and MariaDB: how many runs of each workflow one statement may lock, so that few are locked needlessly. */
export const quotaOf = ({ limit, workflows }: ClaimRuns): number => Math.ceil(limit / workflows.length);

/** The start of the index range. The index may begin with old entries of claimed runs that are not cleaned up yet. */
const sinceOf = (scope: Scope, { dueWithinMs }: ClaimRuns): Statement =>
  dueWithinMs === undefined ? raw('') : sql` AND r.wake_at >= ${onceNow(scope)} - ${int(dueWithinMs)}`;

const filterOf = (scope: Scope, request: ClaimRuns): Statement => {
  const { which, afterId = '' } = request;
  const due = sql`r.wake_at <= ${onceNow(scope)}`;
  switch (which) {
    case 'due':
      return sql`${due}${sinceOf(scope, request)} AND r.crashes < ${int(SUSPECT_AFTER)}`;
    case 'suspect':
      return sql`${due} AND r.crashes >= ${int(SUSPECT_AFTER)}`;
    case 'blocked':
      // As in the index's condition: with parameters, a cached plan could not use the partial index.
      return sql`r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (${join(TRIED_REASONS)}) AND r.id > ${afterId}`;
  }
};

const orderOf = ({ which }: ClaimRuns): Statement => raw(which === 'blocked' ? 'r.id' : 'r.wake_at');

/** New runs that wait for their turn have a turn in place of a due time, until they are claimed. */
const AWAITS_TURN = raw(`r.turn IS NOT NULL AND r.status = 'pending'`);

/** A node that is not registered must not claim runs, since its death would not be noticed. */
const signedIn = (scope: Scope, nodeId: string): Statement =>
  sql`EXISTS (SELECT 1 FROM ${scope.tables.nodes} AS n WHERE n.id = ${nodeId} AND n.expires_at > ${nowOf(scope)})`;

const taken = (scope: Scope, nodeId: string): Statement => sql`
  owner = ${nodeId}, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, ${nowOf(scope)}) END`;

/** The columns that the owner of a run needs, besides its epoch. */
const CLAIMED = [
  ...[
    'id',
    'workflow',
    'version',
    'context',
    'input',
    'crashes',
    'deadline',
    'closing',
    'error',
    'notifies',
    'unwinds',
    'precondition',
  ],
  'first_seq',
  'resume',
  'forked_seq',
  'schedule_id',
];
const SINCE = 'COALESCE(continued_at, created_at) AS since';

const PICKED = raw('SELECT tid FROM due');

/** PostgreSQL: one statement; each workflow is one range read in index order. */
export const claimRuns = (scope: Scope, request: ClaimRuns): Statement => {
  const { nodeId, namespace, workflows, limit } = request;
  const { tables, dialect } = scope;
  const json = JSON.stringify(workflows.map(({ name, version }) => ({ name, version })));
  // The outer limit ends the reads, so that only claimed runs are locked.
  const pick = (filter: Statement, order: Statement, most: Statement) => sql`
    SELECT o.tid FROM ${dialect.rows(json, { name: 'key', version: 'int' })} AS w
    CROSS JOIN ${planned}
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM ${tables.runs} AS r
      WHERE r.namespace = ${namespace} AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND ${filter} AND ${isNotHeld(scope, namespace, 'workflow', raw('w.name'))}
      ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE ${signedIn(scope, nodeId)}
    LIMIT ${most}`;
  const due = pick(filterOf(scope, request), orderOf(request), sql`${limit}`);
  // Due runs first; runs that wait for their turn fill the rest of the limit.
  const room = sql`(CAST(${limit} AS bigint) - (SELECT count(*) FROM due))`;
  const inTurn = pick(AWAITS_TURN, raw('r.turn'), room);
  const picked = request.which === 'due' ? sql`${PICKED} UNION ALL SELECT tid FROM in_turn` : PICKED;
  const update = sql`
  WITH due AS MATERIALIZED (${due})${request.which === 'due' ? sql`, in_turn AS MATERIALIZED (${inTurn})` : raw('')}
  UPDATE ${tables.runs} SET ${taken(scope, nodeId)}
    WHERE ctid = ANY (ARRAY(${picked}))
    RETURNING ${raw([...CLAIMED, 'epoch', SINCE].join(', '))}`;
  // Ordered, since the last row is the start of the next page; an UPDATE returns rows in no order.
  if (request.which === 'blocked') return sql`WITH taken AS (${update}) SELECT * FROM taken ORDER BY id`;
  return update;
};

interface Probe {
  index: Statement;
  filter: Statement;
  order: Statement;
}

const forced = ({ tables }: Scope, suffix: string): Statement =>
  sql`FORCE INDEX (${id(`${tables.prefix}_runs_${suffix}`)})`;

const askedFor = (scope: Scope, request: ClaimRuns): Probe => ({
  index: forced(scope, request.which === 'blocked' ? 'blocked' : 'due'),
  filter: filterOf(scope, request),
  order: orderOf(request),
});

const inTurn = (scope: Scope): Probe => ({ index: forced(scope, 'turn'), filter: AWAITS_TURN, order: raw('r.turn') });

/** MySQL and MariaDB: the index is forced, since with another plan a locking read would lock the whole backlog. */
const probes = (scope: Scope, request: ClaimRuns, probe: Probe, columns: Statement, tail: Statement): Statement => {
  const quota = int(quotaOf(request));
  return join(
    request.workflows.map(
      ({ name, version }) => sql`(SELECT ${columns} FROM ${scope.tables.runs} AS r ${probe.index}
      WHERE r.namespace = ${request.namespace} AND r.workflow = ${name} AND r.version = ${version}
        AND r.owner IS NULL AND ${probe.filter} AND ${isNotHeld(scope, request.namespace, 'workflow', name)}
      ORDER BY ${probe.order} LIMIT ${quota} ${tail})`,
    ),
    ' UNION ALL ',
  );
};

/**
 * MySQL and MariaDB: whether there are due runs to claim, and whether there are runs that wait for their turn. A plain
 * read, so that an idle engine locks nothing and opens no transaction.
 */
export const selectClaimable = (scope: Scope, request: ClaimRuns): Statement => {
  const found = (probe: Probe, kind: 'due' | 'in_turn') => sql`
  (SELECT '${raw(kind)}' AS kind FROM (${probes(scope, { ...request, limit: 1 }, probe, raw('1 AS found'), raw(''))}) AS p
    WHERE ${signedIn(scope, request.nodeId)} LIMIT 1)`;
  const due = found(askedFor(scope, request), 'due');
  return request.which === 'due' ? sql`${due} UNION ALL ${found(inTurn(scope), 'in_turn')}` : due;
};

const CLAIMABLE = raw([...CLAIMED, 'epoch + 1 AS epoch', SINCE].join(', '));

/** MySQL and MariaDB. */
export const lockClaimable = (scope: Scope, request: ClaimRuns): Statement =>
  probes(scope, request, askedFor(scope, request), CLAIMABLE, raw('FOR UPDATE SKIP LOCKED'));

/** MySQL and MariaDB: locks the first runs that wait for their turn. */
export const lockInTurn = (scope: Scope, request: ClaimRuns): Statement =>
  probes(scope, request, inTurn(scope), CLAIMABLE, raw('FOR UPDATE SKIP LOCKED'));

export const stampClaimed = (scope: Scope, nodeId: string, among: Statement): Statement =>
  sql`UPDATE ${scope.tables.runs} SET ${taken(scope, nodeId)} WHERE id ${among}`;
