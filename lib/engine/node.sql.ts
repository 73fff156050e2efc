import { id, sql, type Statement } from '../sql/statement.js';
import type { NodeIdentity } from './node-roster.js';
import { nowOf, type Scope } from './run.sql.js';

export interface NodeSeat extends NodeIdentity {
  host: string;
  pid: number;
}

export const signIn = (scope: Scope, node: NodeSeat, leaseMs: number): Statement => {
  const { tables, dialect } = scope;
  const now = nowOf(scope);
  const renew = dialect.onConflictUpdate([id('id')], (incoming) => sql`expires_at = ${incoming('expires_at')}`);
  return sql`
  INSERT INTO ${tables.nodes} (id, namespace, host, pid, roles, started_at, expires_at)
  VALUES (${node.id}, ${node.namespace}, ${node.host}, ${node.pid}, ${node.roles}, ${now}, ${now} + ${leaseMs})
  ${renew}`;
};

export const signInReturningNow = (scope: Scope, node: NodeSeat, leaseMs: number): Statement =>
  sql`${signIn(scope, node, leaseMs)} RETURNING ${nowOf(scope)} AS now`;

export const selectNow = (scope: Scope): Statement => sql`SELECT ${nowOf(scope)} AS now`;

export const signOff = ({ tables }: Scope, nodeId: string): Statement =>
  sql`DELETE FROM ${tables.nodes} WHERE id = ${nodeId}`;

/** Nodes long gone; those with runs left are struck off once these are free. */
export const strikeOff = (scope: Scope, graceMs: number): Statement => sql`
  DELETE FROM ${scope.tables.nodes} WHERE expires_at <= ${nowOf(scope)} - ${graceMs}`;
