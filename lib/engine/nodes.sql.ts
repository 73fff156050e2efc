import type { ActedBy } from '../acts/acts.js';
import { stepIdOf } from '../core/protocol.js';
import type { Transaction } from '../core/transaction.js';
import { amongKeys, type ByFamily, byFamily, deleteByKeys, overwriting } from '../sql/dialects.js';
import { type SqlConnection, sqlTransaction } from '../sql/executor.js';
import { allowsUnsupportedServers, currentUser, selectOpen } from '../sql/servers.js';
import { id, int, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, onceNow, type Scope, TablesAdapter } from '../sql/tables.js';
import {
  type Beat,
  type Drain,
  type Elsewhere,
  KEEP_LAPSED_MS,
  MINUTE_MS,
  MOST_IN_SIGHT,
  MOST_LAPSED,
  type NodeIdentity,
  type NodeLoad,
  type NodeRecord,
  type NodeRoster,
  type NodesInSight,
  processOf,
  type Pulse,
  type SamplesQuery,
  type SampleStore,
  type Served,
  type StoredSample,
  type StrandedRuns,
} from './nodes.js';
import type { DeadWorker } from './tasks.js';
import * as runs from './tables.sql.js';

/** The roster as a table: one row per process, one small write per beat. */
export class SqlNodeRoster extends TablesAdapter implements NodeRoster {
  async beat(node: NodeIdentity, leaseMs: number): Promise<Beat> {
    const { scope } = this;
    const seat = seatOf(node);
    const [row] = await this.signIn<BeatRow>(seat, leaseMs, {
      postgres: () => signInReturningBeat(scope, seat, leaseMs),
      mysql: () => selectBeat(scope, node.id),
    });
    return { now: Number(row?.now), draining: Number(row?.draining) === 1 };
  }

  async pulse(node: NodeIdentity, leaseMs: number): Promise<Pulse> {
    const { scope } = this;
    const seat = seatOf(node);
    const rows = await this.signIn<PulseRow>(seat, leaseMs, {
      postgres: () => signInLookingAround(scope, seat, leaseMs),
      mysql: () => lookAround(scope, node),
    });
    return pulseIn(node, rows);
  }

  /** On PostgreSQL, the statement that asks also registers the node. */
  private async signIn<Row>(seat: NodeSeat, leaseMs: number, asking: ByFamily<Statement>): Promise<Row[]> {
    const { scope, db } = this;
    await byFamily<unknown>(db.dialect, {
      postgres: () => undefined,
      mysql: () => db.run(signIn(scope, seat, leaseMs)),
    });
    return (await db.run<Row>(byFamily(db.dialect, asking))).rows;
  }

  async reap(limit: number): Promise<number> {
    const { rows } = await this.db.run<{ owner: string }>(selectDeadOwners(this.scope));
    let freed = 0;
    for (const { owner } of rows) {
      if (freed < limit) freed += await this.db.transaction((tx) => this.freeRunsOf(tx, owner, limit - freed));
    }
    return freed;
  }

  async withdraw(nodeId: string, runIds: readonly string[]): Promise<number> {
    if (runIds.length === 0) return 0;
    return (await this.db.run(runs.withdrawEnded(this.scope, nodeId, runIds))).affected;
  }

  async elsewhere(): Promise<Elsewhere[]> {
    const { scope, db } = this;
    if (allowsUnsupportedServers()) return [];
    return byFamily(db.dialect, {
      postgres: () => Promise.resolve([]),
      mysql: async () => {
        const { rows } = await db.transaction((tx) => tx.run<ElsewhereRow>(selectElsewhere(scope)));
        return rows.map(elsewhereOf);
      },
    });
  }

  async living(nodeIds: readonly string[]): Promise<string[]> {
    if (nodeIds.length === 0) return [];
    return (await this.db.run<{ id: string }>(selectAlive(this.scope, nodeIds))).rows.map(({ id }) => id);
  }

  /** In a transaction: a proxy may send a single SELECT to a replica, which has other sessions. */
  async dead(nodeIds: readonly string[]): Promise<DeadWorker[]> {
    if (nodeIds.length === 0) return [];
    return this.db.transaction(async (tx) => {
      const upMs = await byFamily(tx.dialect, { postgres: async () => 0, mysql: () => upTimeOf(tx) });
      const { rows } = await tx.run<SilentRow>(selectSilent(this.scope, nodeIds, upMs));
      const silent = rows.flatMap(silentOf);
      const sessions = silent.flatMap((node) => node.sessions);
      if (sessions.length === 0) return [];
      const { rows: open } = await tx.run<Record<'session' | 'port', Int>>(selectOpen(tx.dialect, sessions));
      const left = new Set(open.map(({ session, port }) => `${session}:${port}`));
      return silent.filter((node) => !node.sessions.some(([session, port]) => left.has(`${session}:${port}`)));
    });
  }

  async nodes(): Promise<NodesInSight> {
    const { rows } = await this.db.run<NodeRow>(selectNodes(this.scope));
    return { now: Number(rows[0]?.now), nodes: rows.flatMap(nodeOf) };
  }

  async setDraining(nodeId: string, by: ActedBy | null, tx: Transaction): Promise<Drain | null | undefined> {
    const connection = sqlTransaction(tx);
    const { rows } = await connection.run<DrainRow>(lockAlive(this.scope, nodeId));
    if (!rows[0]) return undefined;
    const text = by && JSON.stringify({ actor: by.actor, reason: by.reason });
    await connection.run(setDraining(this.scope, nodeId, text));
    return drainOf(rows[0]);
  }

  async strikeOff(): Promise<void> {
    const { rows } = await this.db.run<{ id: string }>(selectForgotten(this.scope));
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await this.db.run(strikeOff(this.scope, ids));
  }

  async leave(nodeId: string): Promise<void> {
    await this.db.run(signOff(this.scope, nodeId));
  }

  private async freeRunsOf(tx: SqlConnection, owner: string, limit: number): Promise<number> {
    const { rows } = await tx.run<{ id: string }>(runs.lockOrphans(this.scope, owner, limit));
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    await tx.run(runs.freeRuns(this.scope, owner, ids));
    return rows.length;
  }
}

const seatOf = ({ serves = {}, load, ...node }: NodeIdentity): NodeSeat => ({
  ...node,
  ...processOf(),
  serves: JSON.stringify(serves),
  load: load ? JSON.stringify(load()) : null,
});

function pulseIn({ id: owner }: NodeIdentity, rows: readonly PulseRow[]): Pulse {
  const of = (kind: PulseRow['kind']) => rows.filter((row) => row.kind === kind);
  return {
    now: Number(of('now')[0]?.n),
    draining: of('draining').length > 0,
    owned: of('owned').map(({ id, n }) => ({ runId: id, epoch: Number(n), owner })),
    orphans: of('dead').length > 0,
    lapsed: of('lapsed').map(({ id }) => id),
    nextLapse: Number(of('next')[0]?.n ?? Infinity),
    elsewhere: of('elsewhere').map(({ n, ...row }) => elsewhereOf({ ...row, expires_at: n })),
    ended: { count: Number(of('ended')[0]?.n), lastAt: Number(of('last')[0]?.n) },
  };
}

const elsewhereOf = ({ id, server, here, expires_at }: ElsewhereRow): Elsewhere => ({
  nodeId: id,
  server: String(server),
  here: String(here),
  expiresAt: Number(expires_at),
});

interface BeatRow {
  now: number | string;
  draining: number | string;
}

export interface NodeSeat extends Omit<NodeIdentity, 'serves' | 'load'>, Pick<NodeRecord, 'host' | 'pid'> {
  /** As JSON. */
  serves: string;
  load: string | null;
}

export const signIn = (scope: Scope, node: NodeSeat, leaseMs: number): Statement => {
  const { tables, dialect } = scope;
  const now = nowOf(scope);
  const server = byFamily(dialect, { postgres: () => STARTED, mysql: () => SERVER });
  const renew = overwriting(dialect, ['id'], ['serves', 'expires_at', 'seen_at', 'left_at', 'server', 'busy']);
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

/** PostgreSQL: when this server was started, which tells it apart from a standby and from itself before a restart. */
const STARTED = raw('CAST(extract(epoch FROM pg_postmaster_start_time()) AS varchar)');

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
   * `now`: the time; `draining`: this node must begin nothing new; `owned`: a run of this node and its epoch; `dead`:
   * another, expired node that still owns runs; `lapsed`: one with workers that has just expired; `next`: when the next
   * one will; `elsewhere`: a node that beats through another server; `ended`: how many other engines have ended; `last`:
   * when the last of them did.
   */
  kind: 'now' | 'draining' | 'owned' | 'dead' | 'lapsed' | 'next' | 'elsewhere' | 'ended' | 'last';
  id: string;
  n: number | string;
  server: string | null;
  here: string | null;
}

/** Everything that a node needs at each beat, in one read. `now` is a row with one column of that name. */
const selectPulse = (scope: Scope, { id: nodeId, namespace }: NodeName, now: Statement): Statement => sql`
  SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM ${now} AS t
  UNION ALL SELECT 'draining', n.id, 0, NULL, NULL FROM ${scope.tables.nodes} AS n WHERE n.id = ${nodeId} AND n.draining_since IS NOT NULL
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM ${scope.tables.runs} AS r WHERE r.owner = ${nodeId}
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (${selectDeadOwners(scope)}) AS d WHERE d.owner <> ${nodeId}
  UNION ALL SELECT 'lapsed', n.id, 0, NULL, NULL FROM ${scope.tables.nodes} AS n WHERE n.id <> ${nodeId} AND n.roles LIKE '%worker%'
    AND n.left_at IS NULL AND n.expires_at <= ${nowOf(scope)} AND n.expires_at > ${nowOf(scope)} - ${int(MINUTE_MS)}
  UNION ALL SELECT 'next', '', MIN(n.expires_at), NULL, NULL FROM ${scope.tables.nodes} AS n
    WHERE n.id <> ${nodeId} AND n.expires_at > ${nowOf(scope)} AND n.expires_at - ${nowOf(scope)} < (n.expires_at - n.seen_at) / 2
    HAVING COUNT(*) > 0
  UNION ALL SELECT 'ended', '', COUNT(*), NULL, NULL FROM ${endedBeside(scope, nodeId, namespace)}
  UNION ALL SELECT 'last', '', COALESCE(MAX(n.expires_at), 0), NULL, NULL FROM ${endedBeside(scope, nodeId, namespace)}`;

const endedBeside = (scope: Scope, nodeId: string, namespace: string): Statement => sql`${scope.tables.nodes} AS n
  WHERE n.namespace = ${namespace} AND n.roles LIKE '%engine%' AND n.id <> ${nodeId} AND n.expires_at <= ${nowOf(scope)}`;

type NodeName = Pick<NodeIdentity, 'id' | 'namespace'>;

/** The pulse, with live nodes that beat through another server than this node, independent of the queried server. */
export const lookAround = (scope: Scope, node: NodeName): Statement => {
  const { nodes } = scope.tables;
  return sql`${selectPulse(scope, node, sql`(${selectNow(scope)})`)}
  UNION ALL SELECT 'elsewhere', n.id, n.expires_at, n.server, o.server FROM ${nodes} AS o JOIN ${nodes} AS n
    ON n.id <> o.id AND n.server <> o.server AND n.expires_at > ${nowOf(scope)} WHERE o.id = ${node.id}`;
};

/** PostgreSQL: a beat and the pulse in one statement. */
export const signInLookingAround = (scope: Scope, node: NodeSeat, leaseMs: number): Statement =>
  sql`WITH beat AS (${signInReturningBeat(scope, node, leaseMs)}) ${selectPulse(scope, node, raw('beat'))}`;

/** Whoever looks for dead owners finds this node, but its runs have been released already. */
export const signOff = (scope: Scope, nodeId: string): Statement => sql`
  UPDATE ${scope.tables.nodes} SET expires_at = ${nowOf(scope)}, left_at = ${nowOf(scope)} WHERE id = ${nodeId}`;

/** Those of these nodes that are signed in and hold their leases. */
export const selectAlive = (scope: Scope, nodeIds: readonly string[]): Statement => sql`
  SELECT n.id FROM ${scope.tables.nodes} AS n
  WHERE n.id ${amongKeys(scope.dialect, nodeIds)} AND n.expires_at > ${nowOf(scope)}`;

interface SilentRow extends Pick<NodeRow, 'serves' | 'busy' | 'expires_at'> {
  id: string;
  me: string;
}

/**
 * Those of these nodes whose leases have expired, that have not signed off, and whose last heartbeat this server has
 * written since it was started: another one never had their sessions. `upMs`: MySQL and MariaDB do not tell it in a query.
 */
export const selectSilent = (scope: Scope, nodeIds: readonly string[], upMs: number): Statement => sql`
  SELECT n.id, n.serves, n.busy, n.expires_at, ${currentUser(scope.dialect)} AS me FROM ${scope.tables.nodes} AS n
  WHERE n.id ${amongKeys(scope.dialect, nodeIds)} AND n.left_at IS NULL AND n.expires_at <= ${nowOf(scope)}
    AND ${byFamily(scope.dialect, {
      postgres: () => sql`n.server = ${STARTED}`,
      mysql: () => sql`n.server = ${SERVER} AND n.seen_at > ${nowOf(scope)} - ${upMs}`,
    })}`;

/** MySQL and MariaDB: for how long the server has been up. */
async function upTimeOf(tx: SqlConnection): Promise<number> {
  const { rows } = await tx.run<{ Value: string }>(sql`SHOW GLOBAL STATUS LIKE 'Uptime'`);
  return Number(rows[0]?.Value ?? 0) * 1_000;
}

/** With the sessions of its last heartbeat, if it told of any of this user. */
function silentOf({ id, serves, busy, expires_at, me }: SilentRow) {
  const { sessions = [], sessionsOf } = JSON.parse(busy ?? '{}') as Partial<NodeLoad>;
  const { groups = {} } = JSON.parse(serves ?? '{}') as Served;
  return sessions.length > 0 && sessionsOf === me
    ? [{ id, groups: Object.keys(groups), expiresAt: Number(expires_at), sessions }]
    : [];
}

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
  ${deleteByKeys(scope.dialect, scope.tables.nodes, 'id', ids)} AND expires_at <= ${nowOf(scope)}`;

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

/** A page of all runs by key, so that the cost of a read does not depend on how many runs wait. */
export const selectPage = ({ tables }: Scope, afterId: string, limit: number): Statement =>
  sql`SELECT id, status FROM ${tables.runs} WHERE id > ${afterId} ORDER BY id LIMIT ${int(limit)}`;

/** Dispatched remote steps without an answer, except those of runs with a step that still waits in a limiter queue. */
export const selectAsked = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT s.run_id, s.seq FROM ${tables.steps} AS s
  WHERE s.run_id ${amongKeys(dialect, runIds)} AND s.kind = 'remote' AND s.status = 'pending' AND s.wake_at IS NULL
    AND (s.ref IS NULL OR NOT EXISTS (
      SELECT 1 FROM ${tables.limiterEntries} AS e WHERE e.run_id = s.run_id AND e.granted = 0))`;

export const wakeParked = (scope: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.runs} ${scope.dialect.forceIndex()} SET wake_at = ${nowOf(scope)}
  WHERE id ${amongKeys(scope.dialect, runIds)} AND status IN ('suspended', 'compensating') AND owner IS NULL AND reason IS NULL`;

/** The sweep's queries on the tables. */
export class SqlStrandedRuns extends TablesAdapter implements StrandedRuns {
  async awaited(afterId: string, limit: number): ReturnType<StrandedRuns['awaited']> {
    const { rows } = await this.db.run<{ id: string; status: string }>(selectPage(this.scope, afterId, limit));
    const next = rows.length < limit ? undefined : rows.at(-1)?.id;
    const parked = rows.filter(({ status }) => status === 'suspended' || status === 'compensating').map(({ id }) => id);
    if (parked.length === 0) return { steps: [], next };
    const asked = await this.db.run<{ run_id: string; seq: number | string }>(selectAsked(this.scope, parked));
    const steps = asked.rows.map(({ run_id: runId, seq }) => ({ runId, stepId: stepIdOf(runId, Number(seq)) }));
    return { steps, next };
  }

  async wake(runIds: readonly string[]): Promise<void> {
    await this.db.run(wakeParked(this.scope, runIds));
  }
}

type Row = { minute: number | string; node: string; body: string };

export class SqlSampleStore extends TablesAdapter implements SampleStore {
  async write(sample: { namespace: string; node: string; body: string }): Promise<void> {
    await this.db.run(insertSample(this.scope, sample));
  }

  async range(query: SamplesQuery): Promise<StoredSample[]> {
    const { rows } = await this.db.run<Row>(selectSamples(this.scope, query));
    const found = rows.map(({ minute, ...row }) => ({ minute: Number(minute), ...row }));
    return query.keep === 'last' ? found.reverse() : found;
  }

  async purge(olderThanMs: number, limit: number): Promise<number> {
    const { rows } = await this.db.run<Row>(selectOldSamples(this.scope, olderThanMs, limit));
    if (rows.length === 0) return 0;
    const old = rows.map(({ minute, node }) => ({ minute: Number(minute), node }));
    return (await this.db.run(deleteSamples(this.scope, old))).affected;
  }
}

export const insertSample = (
  scope: Scope,
  { namespace, node, body }: { namespace: string; node: string; body: string },
): Statement => {
  const now = nowOf(scope);
  return scope.dialect.insertOrKeep(
    sql`
  INSERT INTO ${scope.tables.samples} (minute, node, namespace, body)
  SELECT ${now} - MOD(${now}, ${int(MINUTE_MS)}), ${node}, ${namespace}, ${body}`,
    [id('minute'), id('node')],
  );
};

/** Those that are kept come first. */
export const selectSamples = (
  { tables }: Scope,
  { namespace, from, until, limit, keep = 'first' }: SamplesQuery,
): Statement => sql`
  SELECT minute, node, body FROM ${tables.samples}
  WHERE minute >= ${from} AND minute < ${until} ${namespace === undefined ? raw('') : sql`AND namespace = ${namespace}`}
  ORDER BY ${raw(keep === 'first' ? 'minute, node' : 'minute DESC, node DESC')} LIMIT ${int(limit)}`;

export const selectOldSamples = (scope: Scope, olderThanMs: number, limit: number): Statement => sql`
  SELECT minute, node FROM ${scope.tables.samples} WHERE minute <= ${onceNow(scope)} - ${olderThanMs}
  ORDER BY minute, node LIMIT ${int(limit)}`;

export const deleteSamples = (
  { tables, dialect }: Scope,
  rows: readonly { minute: number; node: string }[],
): Statement =>
  dialect.deleteFrom({
    table: tables.samples,
    as: 's',
    from: sql`${dialect.rows(rows, { minute: 'int', node: 'key' })} AS o`,
    on: sql`s.minute = o.minute AND s.node = o.node`,
  });
