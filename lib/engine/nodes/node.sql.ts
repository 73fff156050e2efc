import { byFamily } from '../../sql/dialects/dialect.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import { id, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { NodeIdentity, NodeRecord } from '../model/node-record.js';

export interface NodeSeat extends Omit<NodeIdentity, 'serves' | 'load'>, Pick<NodeRecord, 'host' | 'pid'> {
  /** As JSON. */
  serves: string;
  load: string | null;
}

export const signIn = (scope: Scope, node: NodeSeat, leaseMs: number): Statement => {
  const { tables, dialect } = scope;
  const now = nowOf(scope);
  const server = byFamily(dialect, { postgres: () => raw('NULL'), mysql: () => SERVER });
  const renew = dialect.onConflictUpdate([id('id')], (incoming) => {
    const renewed = ['serves', 'expires_at', 'seen_at', 'left_at', 'server', 'busy'] as const;
    return join(renewed.map((column) => sql`${id(column)} = ${incoming(column)}`));
  });
  const { version = null, build = null } = node;
  return sql`
  INSERT INTO ${tables.nodes}
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES (${node.id}, ${node.namespace}, ${node.host}, ${node.pid}, ${node.roles}, ${node.serves}, ${version}, ${build},
    ${now}, ${now}, ${now} + ${leaseMs}, NULL, ${server}, ${node.load})
  ${renew}`;
};

/** MySQL and MariaDB: the id of this server. Their clusters may accept writes on every server. */
const SERVER = raw(`CONCAT(@@hostname, ':', @@port)`);

export interface ElsewhereRow {
  id: string;
  server: string | null;
  here: string | null;
  expires_at: number | string;
}

/** Runs before this node registers, so in a transaction: a proxy may send a single SELECT to a replica. */
export const selectElsewhere = (scope: Scope): Statement => sql`
  SELECT n.id, n.server, n.expires_at, ${SERVER} AS here FROM ${scope.tables.nodes} AS n
  WHERE n.server <> ${SERVER} AND n.expires_at > ${nowOf(scope)}`;

const isDraining = raw('CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining');

export const signInReturningBeat = (scope: Scope, node: NodeSeat, leaseMs: number): Statement =>
  sql`${signIn(scope, node, leaseMs)} RETURNING ${nowOf(scope)} AS now, ${isDraining}`;

export const selectBeat = (scope: Scope, nodeId: string): Statement =>
  sql`SELECT ${nowOf(scope)} AS now, ${isDraining} FROM ${scope.tables.nodes} WHERE id = ${nodeId}`;

export const selectNow = (scope: Scope): Statement => sql`SELECT ${nowOf(scope)} AS now`;

/** The distinct owners of runs, read by index from one owner to the next, since each may own thousands of runs. */
const owners = ({ tables, dialect }: Scope): Statement =>
  byFamily(dialect, {
    postgres: () => sql`(WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM ${tables.runs} WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM ${tables.runs} AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL)`,
    mysql: () => sql`(SELECT DISTINCT owner FROM ${tables.runs} WHERE owner IS NOT NULL)`,
  });

/** Owners of runs whose lease has expired, or that never registered. */
export const selectDeadOwners = (scope: Scope): Statement => sql`
  SELECT o.owner FROM ${owners(scope)} AS o LEFT JOIN ${scope.tables.nodes} AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= ${nowOf(scope)}`;

export interface PulseRow {
  /**
   * `now`: the time; `draining`: this node must begin nothing new; `owned`: a run of this node and its epoch; `dead`: another, expired node that still owns runs;
   * `elsewhere`: a node that beats through another server.
   */
  kind: 'now' | 'draining' | 'owned' | 'dead' | 'elsewhere';
  id: string;
  n: number | string;
  server: string | null;
  here: string | null;
}

/** Everything that a node needs at each beat, in one read. `now` is a row with one column of that name. */
const selectPulse = (scope: Scope, nodeId: string, now: Statement): Statement => sql`
  SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM ${now} AS t
  UNION ALL SELECT 'draining', n.id, 0, NULL, NULL FROM ${scope.tables.nodes} AS n WHERE n.id = ${nodeId} AND n.draining_since IS NOT NULL
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM ${scope.tables.runs} AS r WHERE r.owner = ${nodeId}
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (${selectDeadOwners(scope)}) AS d WHERE d.owner <> ${nodeId}`;

/** The pulse, with live nodes that beat through another server than this node, independent of the queried server. */
export const lookAround = (scope: Scope, nodeId: string): Statement => {
  const { nodes } = scope.tables;
  return sql`${selectPulse(scope, nodeId, sql`(${selectNow(scope)})`)}
  UNION ALL SELECT 'elsewhere', n.id, n.expires_at, n.server, o.server FROM ${nodes} AS o JOIN ${nodes} AS n
    ON n.id <> o.id AND n.server <> o.server AND n.expires_at > ${nowOf(scope)} WHERE o.id = ${nodeId}`;
};

/** PostgreSQL: a beat and the pulse in one statement. */
export const signInLookingAround = (scope: Scope, node: NodeSeat, leaseMs: number): Statement =>
  sql`WITH beat AS (${signInReturningBeat(scope, node, leaseMs)}) ${selectPulse(scope, node.id, raw('beat'))}`;

/** Whoever looks for dead owners finds this node, but its runs have been released already. */
export const signOff = (scope: Scope, nodeId: string): Statement => sql`
  UPDATE ${scope.tables.nodes} SET expires_at = ${nowOf(scope)}, left_at = ${nowOf(scope)} WHERE id = ${nodeId}`;

/** One row if the node is signed in and its lease holds. */
export const selectAlive = (scope: Scope, nodeId: string): Statement =>
  sql`SELECT n.id FROM ${scope.tables.nodes} AS n WHERE n.id = ${nodeId} AND n.expires_at > ${nowOf(scope)}`;
