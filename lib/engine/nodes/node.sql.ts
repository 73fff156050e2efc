import { byFamily } from '../../sql/dialects/dialect.js';
import { nowOf, type Scope } from '../../sql/sql-scope.js';
import { id, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { NodeIdentity } from '../model/node-roster.js';

export interface NodeSeat extends NodeIdentity {
  host: string;
  pid: number;
}

export const signIn = (scope: Scope, node: NodeSeat, leaseMs: number): Statement => {
  const { tables, dialect } = scope;
  const now = nowOf(scope);
  const server = byFamily(dialect, { postgres: () => raw('NULL'), mysql: () => SERVER });
  const renew = dialect.onConflictUpdate(
    [id('id')],
    (incoming) => sql`expires_at = ${incoming('expires_at')}, server = ${incoming('server')}`,
  );
  return sql`
  INSERT INTO ${tables.nodes} (id, namespace, host, pid, roles, started_at, expires_at, server)
  VALUES (${node.id}, ${node.namespace}, ${node.host}, ${node.pid}, ${node.roles}, ${now}, ${now} + ${leaseMs}, ${server})
  ${renew}`;
};

/** MySQL and MariaDB: which server this is. Clusters of theirs may take writes on each. */
const SERVER = raw(`CONCAT(@@hostname, ':', @@port)`);

export interface ElsewhereRow {
  id: string;
  server: string | null;
  here: string | null;
  expires_at: number | string;
}

/** Before this node has signed in, so within a transaction: a proxy may send a lone SELECT to a replica. */
export const selectElsewhere = (scope: Scope): Statement => sql`
  SELECT n.id, n.server, n.expires_at, ${SERVER} AS here FROM ${scope.tables.nodes} AS n
  WHERE n.server <> ${SERVER} AND n.expires_at > ${nowOf(scope)}`;

export const signInReturningNow = (scope: Scope, node: NodeSeat, leaseMs: number): Statement =>
  sql`${signIn(scope, node, leaseMs)} RETURNING ${nowOf(scope)} AS now`;

export const selectNow = (scope: Scope): Statement => sql`SELECT ${nowOf(scope)} AS now`;

/** Who owns runs: from one owner to the next by index, since each may own thousands. */
const owners = ({ tables, dialect }: Scope): Statement =>
  byFamily(dialect, {
    postgres: () => sql`(WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM ${tables.runs} WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM ${tables.runs} AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL)`,
    mysql: () => sql`(SELECT DISTINCT owner FROM ${tables.runs} WHERE owner IS NOT NULL)`,
  });

/** Owners that have lapsed or never signed in, by the runs they still hold. */
export const selectDeadOwners = (scope: Scope): Statement => sql`
  SELECT o.owner FROM ${owners(scope)} AS o LEFT JOIN ${scope.tables.nodes} AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= ${nowOf(scope)}`;

export interface PulseRow {
  /**
   * `now`: the time; `owned`: a run of this node and its epoch; `dead`: another that has lapsed and still owns runs;
   * `elsewhere`: one that beats through another server.
   */
  kind: 'now' | 'owned' | 'dead' | 'elsewhere';
  id: string;
  n: number | string;
  server: string | null;
  here: string | null;
}

/** All that a process has to know at each beat, in one look. `now` is a row of one column of that name. */
const selectPulse = (scope: Scope, nodeId: string, now: Statement): Statement => sql`
  SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM ${now} AS t
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM ${scope.tables.runs} AS r WHERE r.owner = ${nodeId}
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (${selectDeadOwners(scope)}) AS d WHERE d.owner <> ${nodeId}`;

/** Living nodes that beat through another server than this one did, whichever is asked. */
export const lookAround = (scope: Scope, nodeId: string): Statement => {
  const { nodes } = scope.tables;
  return sql`${selectPulse(scope, nodeId, sql`(${selectNow(scope)})`)}
  UNION ALL SELECT 'elsewhere', n.id, n.expires_at, n.server, o.server FROM ${nodes} AS o JOIN ${nodes} AS n
    ON n.id <> o.id AND n.server <> o.server AND n.expires_at > ${nowOf(scope)} WHERE o.id = ${nodeId}`;
};

/** PostgreSQL: a beat and a look around. */
export const signInLookingAround = (scope: Scope, node: NodeSeat, leaseMs: number): Statement =>
  sql`WITH beat AS (${signInReturningNow(scope, node, leaseMs)}) ${selectPulse(scope, node.id, raw('beat'))}`;

export const signOff = ({ tables }: Scope, nodeId: string): Statement =>
  sql`DELETE FROM ${tables.nodes} WHERE id = ${nodeId}`;

/** Nodes long gone; those with runs left are struck off once these are free. */
export const strikeOff = (scope: Scope, graceMs: number): Statement => sql`
  DELETE FROM ${scope.tables.nodes} WHERE expires_at <= ${nowOf(scope)} - ${graceMs}`;
