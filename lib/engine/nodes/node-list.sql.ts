import { amongKeys } from '../../sql/dialects/key-list.js';
import { int, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import type { ActedBy } from '../../acts/act.js';
import {
  type Drain,
  KEEP_LAPSED_MS,
  MOST_IN_SIGHT,
  MOST_LAPSED,
  type NodeLoad,
  type NodeRecord,
  type Served,
} from '../model/node-record.js';
import { selectNow } from './node.sql.js';

/** Without any node: one row with the time alone. */
export interface NodeRow {
  now: Int;
  id: string | null;
  namespace: string;
  host: string | null;
  pid: Int | null;
  roles: string | null;
  serves: string | null;
  version: string | null;
  build: string | null;
  busy: string | null;
  started_at: Int;
  seen_at: Int | null;
  expires_at: Int;
  left_at: Int | null;
  draining_since: Int | null;
  draining_by: string | null;
}

/** `draining_by`: who and why, as JSON. */
export type DrainRow = Pick<NodeRow, 'draining_since' | 'draining_by'>;

type Int = number | string;

/** One row if the node is alive; it is locked. */
export const lockAlive = (scope: Scope, nodeId: string): Statement => sql`
  SELECT draining_since, draining_by FROM ${scope.tables.nodes}
  WHERE id = ${nodeId} AND expires_at > ${nowOf(scope)} FOR UPDATE`;

/** `by`: as JSON; null: it drains no longer. */
export const setDraining = (scope: Scope, nodeId: string, by: string | null): Statement => sql`
  UPDATE ${scope.tables.nodes} SET draining_by = ${by},
    draining_since = ${by === null ? raw('NULL') : sql`COALESCE(draining_since, ${nowOf(scope)})`}
  WHERE id = ${nodeId}`;

export const selectNodes = (scope: Scope): Statement => sql`
  SELECT t.now, n.id, n.namespace, n.host, n.pid, n.roles, n.serves, n.version, n.build, n.busy,
    n.started_at, n.seen_at, n.expires_at, n.left_at, n.draining_since, n.draining_by
  FROM (${selectNow(scope)}) AS t LEFT JOIN ${scope.tables.nodes} AS n ON 1 = 1
  ORDER BY n.expires_at DESC, n.id LIMIT ${int(MOST_IN_SIGHT)}`;

/** Nodes that nobody needs to remember: they expired long ago, or many have expired since. */
export const selectForgotten = (scope: Scope): Statement => sql`
  SELECT f.id FROM (
    SELECT n.id, n.expires_at, row_number() OVER (ORDER BY n.expires_at DESC, n.id) AS n_th
    FROM ${scope.tables.nodes} AS n WHERE n.expires_at <= ${nowOf(scope)}
  ) AS f WHERE f.n_th > ${int(MOST_LAPSED)} OR f.expires_at <= ${nowOf(scope)} - ${KEEP_LAPSED_MS} ORDER BY f.id`;

/** Unless they have signed in again. */
export const strikeOff = (scope: Scope, ids: readonly string[]): Statement => sql`
  DELETE FROM ${scope.tables.nodes} WHERE id ${amongKeys(scope.dialect, ids)} AND expires_at <= ${nowOf(scope)}`;

export const nodeOf = ({ id, namespace, ...row }: NodeRow): NodeRecord[] => {
  if (id === null) return [];
  const named = {
    ...(row.version !== null && { version: row.version }),
    ...(row.build !== null && { build: row.build }),
  };
  const serves = JSON.parse(row.serves ?? '{}') as Served;
  const from = { roles: row.roles ?? '', host: row.host ?? '', pid: Number(row.pid) };
  const times = {
    startedAt: Number(row.started_at),
    seenAt: Number(row.seen_at ?? row.started_at),
    expiresAt: Number(row.expires_at),
    leftAt: row.left_at === null ? null : Number(row.left_at),
  };
  const load = row.busy === null ? null : (JSON.parse(row.busy) as NodeLoad);
  return [{ id, namespace, serves, load, draining: drainOf(row), ...named, ...from, ...times }];
};

export const drainOf = ({ draining_since: since, draining_by: by }: DrainRow): Drain | null =>
  since === null || by === null ? null : { since: Number(since), ...(JSON.parse(by) as ActedBy) };
