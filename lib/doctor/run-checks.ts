import { isServing, type NodeRecord } from '../engine/nodes.js';
import { nodeOf, type NodeRow, selectNodes } from '../engine/nodes.sql.js';
import { FINAL_STATUSES } from '../engine/run.js';
import { byFamily } from '../sql/dialects.js';
import { id, indexOf, int, join, sql, type Statement } from '../sql/statement.js';
import { onceNow, type Scope } from '../sql/tables.js';
import { waitingTasks } from '../worker/waiting-tasks.sql.js';
import {
  type Answer,
  type Check,
  error,
  info,
  mysqlSettings,
  on,
  type Patient,
  postgresSettings,
  setGlobally,
  textOf,
  warning,
} from './check.js';

/** No look counts beyond this. */
export const MOST = 1_000;

type Int = number | string;

export const scopeOf = ({ executor, tables }: Patient): Scope => ({
  dialect: executor.dialect,
  tables,
  now: () => executor.dialect.now,
});

export const counted = (count: Int): string => (Number(count) > MOST ? `More than ${MOST}` : String(count));

/** Counts the rows of a SELECT, up to one more than {@link MOST}. */
export const countOf = (rows: Statement): Statement =>
  sql`SELECT count(*) AS count FROM (${rows} LIMIT ${int(MOST + 1)}) AS counted`;

const straysOlder = (scope: Scope, ageMs: number): Statement => {
  const { results, runs } = scope.tables;
  return sql`FROM ${results} WHERE created_at < ${onceNow(scope)} - ${int(ageMs)}
    AND NOT EXISTS (SELECT 1 FROM ${runs} AS r WHERE r.id = ${results}.run_id)`;
};

async function lookAtStrays(patient: Patient): Promise<Answer> {
  const { ask, limits, executor } = patient;
  const strays = straysOlder(scopeOf(patient), limits.strays);
  const [row] = await ask<{ count: Int }>(countOf(sql`SELECT 1 AS found ${strays}`));
  if (!row || Number(row.count) === 0) return [];
  const text = `${counted(row.count)} answers belong to runs that do not exist, and no engine has deleted them`;
  return [warning(text, textOf(sql`DELETE ${strays}`, executor.dialect))];
}

const heldWorkflow = (scope: Scope): Statement => sql`
  SELECT 1 FROM ${scope.tables.holds} AS h WHERE h.kind = 'workflow' AND h.namespace = r.namespace AND h.name = r.workflow
    AND (h.until_at IS NULL OR h.until_at > ${onceNow(scope)})`;

const selectUntaken = (scope: Scope, lateMs: number): Statement => sql`
  SELECT u.namespace, u.workflow, u.version, count(*) AS count FROM (
    SELECT r.namespace, r.workflow, r.version FROM ${scope.tables.runs} AS r
    WHERE r.wake_at IS NOT NULL AND r.wake_at <= ${onceNow(scope)} - ${int(lateMs)} AND r.owner IS NULL
      AND NOT EXISTS (${heldWorkflow(scope)}) LIMIT ${int(MOST + 1)}
  ) AS u GROUP BY u.namespace, u.workflow, u.version ORDER BY count(*) DESC LIMIT 10`;

type Untaken = RunsOfVersion & { count: Int };

async function untakenOnMysql(patient: Patient): Promise<Untaken[]> {
  const { ask, limits } = patient;
  const scope = scopeOf(patient);
  const kinds = await ask<RunsOfVersion>(selectFirstDue(scope, limits.late));
  if (kinds.length === 0) return [];
  const upTo = { most: MOST + 1, unless: heldWorkflow(scope) };
  const counts = await ask<{ n: Int; count: Int }>(countUntaken(scope, kinds, limits.late, upTo));
  return counts
    .map(({ n, count }) => ({ ...kinds[Number(n)]!, count }))
    .filter(({ count }) => Number(count) > 0)
    .sort((a, b) => Number(b.count) - Number(a.count));
}

async function lookAtUntaken(patient: Patient): Promise<Answer> {
  const { ask, limits, executor } = patient;
  const rows = await byFamily(executor.dialect, {
    postgres: () => ask<Untaken>(selectUntaken(scopeOf(patient), limits.late)),
    mysql: () => untakenOnMysql(patient),
  });
  return rows.map(({ namespace, workflow, version, count }) =>
    error(
      `${counted(count)} runs of "${workflow}" version ${version} (namespace ${namespace}) are due, and no process takes them: ` +
        'start one that has this version, see `npx nest-durable nodes`',
    ),
  );
}

/** One that was retried is due, and keeps its reason until it is taken. */
const selectBlocked = (scope: Scope): Statement => sql`
  SELECT b.namespace, b.workflow, b.reason, count(*) AS count FROM (
    SELECT r.namespace, r.workflow, r.reason FROM ${scope.tables.runs} AS r
    WHERE r.reason IS NOT NULL AND r.status = 'suspended' AND (r.wake_at IS NULL OR r.wake_at > ${onceNow(scope)})
    LIMIT ${int(MOST + 1)}
  ) AS b GROUP BY b.namespace, b.workflow, b.reason ORDER BY count(*) DESC LIMIT 10`;

/** As a shell takes it. */
export const quoted = (text: string): string => (/^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

async function lookAtBlocked(patient: Patient): Promise<Answer> {
  const select = byFamily(patient.executor.dialect, {
    postgres: () => selectBlocked(scopeOf(patient)),
    mysql: () => selectBlockedByIndex(scopeOf(patient), MOST + 1),
  });
  const rows = await patient.ask<{ namespace: string; workflow: string; reason: string; count: Int }>(select);
  return rows.map(({ namespace, workflow, reason, count }) => {
    const { prefix } = patient.tables;
    const which = `--prefix ${prefix} --namespace ${quoted(namespace)} --workflow ${quoted(workflow)} --blocked`;
    return error(
      `${counted(count)} runs of "${workflow}" are blocked as ${reason}: mend the code or what it needs, then retry them`,
      `npx nest-durable runs retry ${which} --reason mended`,
    );
  });
}

const selectEnded = (scope: Scope, ageMs: number, most: number): Statement => sql`
  SELECT e.namespace, count(*) AS count FROM (
    SELECT r.namespace FROM ${scope.tables.runs} AS r
    WHERE r.finished_at IS NOT NULL AND r.finished_at < ${onceNow(scope)} - ${int(ageMs)} LIMIT ${int(most + 1)}
  ) AS e GROUP BY e.namespace ORDER BY e.namespace`;

interface Ended {
  namespace: string;
  count: Int;
}

/** Runs of more namespaces are not looked at: nobody has so many. */
const MOST_NAMESPACES = 1_000;

async function endedOnMysql(patient: Patient): Promise<Ended[]> {
  const { ask, limits } = patient;
  const namespaces: string[] = [];
  for (let more = true; more && namespaces.length < MOST_NAMESPACES;) {
    const next = await ask<{ namespace: string }>(selectNextNamespace(scopeOf(patient), namespaces.at(-1)));
    namespaces.push(...next.map(({ namespace }) => namespace));
    more = next.length > 0;
  }
  if (namespaces.length === 0) return [];
  return ask<Ended>(
    countEnded(scopeOf(patient), { namespaces, statuses: FINAL_STATUSES }, limits.endedAge, limits.endedRuns + 1),
  );
}

async function lookAtRetention(patient: Patient): Promise<Answer> {
  const { ask, limits, tables, executor } = patient;
  const rows = await byFamily(executor.dialect, {
    postgres: () => ask<Ended>(selectEnded(scopeOf(patient), limits.endedAge, limits.endedRuns)),
    mysql: () => endedOnMysql(patient),
  });
  if (rows.reduce((sum, { count }) => sum + Number(count), 0) <= limits.endedRuns) return [];
  const days = Math.floor(limits.endedAge / 86_400_000);
  const text = `More than ${limits.endedRuns} runs ended over ${days} days ago: no retention deletes them`;
  const purge = (namespace: string) =>
    `npx nest-durable purge --prefix ${tables.prefix} --namespace ${quoted(namespace)} --older-than ${days}d --yes`;
  return [warning(text, ...rows.map(({ namespace }) => purge(namespace)))];
}

const selectVersions = (scope: Scope): Statement => sql`
  SELECT COALESCE(n.version, '') AS version, count(*) AS count FROM ${scope.tables.nodes} AS n
  WHERE n.left_at IS NULL AND n.expires_at > ${onceNow(scope)} GROUP BY n.version ORDER BY n.version`;

async function lookAtVersions(patient: Patient): Promise<Answer> {
  const rows = await patient.ask<{ version: string; count: Int }>(selectVersions(scopeOf(patient)));
  if (rows.length <= 1) return [];
  const named = rows.map(({ version, count }) => `${count} of ${version || 'unknown'}`).join(', ');
  return [info(`Processes have different versions of nest-durable: ${named}. That is right only while you deploy`)];
}

/** What stands still among the runs, and what nobody deletes. */
export const runChecks: readonly Check[] = [
  { id: 'untaken', group: 'work', meaning: 'Runs that are due are taken by a process', looks: on(lookAtUntaken) },
  { id: 'blocked', group: 'work', meaning: 'No run is blocked', looks: on(lookAtBlocked) },
  { id: 'strays', group: 'work', meaning: 'Answers belong to runs that exist', looks: on(lookAtStrays) },
  { id: 'retention', group: 'work', meaning: 'Runs that ended long ago are deleted', looks: on(lookAtRetention) },
  {
    id: 'versions',
    group: 'work',
    meaning: 'All processes have one version of the package',
    looks: on(lookAtVersions),
  },
];

/** MySQL. The workflows and versions whose first run is due since long ago, the oldest first. */
export const selectFirstDue = (scope: Scope, lateMs: number): Statement => sql`
  SELECT namespace, workflow, version, min(wake_at) AS first FROM ${scope.tables.runs}
  GROUP BY namespace, workflow, version HAVING first <= ${onceNow(scope)} - ${int(lateMs)} ORDER BY first LIMIT 100`;

interface RunsOfVersion {
  namespace: string;
  workflow: string;
  version: Int;
}

/** MySQL. How many of these nobody takes, counted up to `most`. `unless`: a condition on `r`, under which that is well. */
export const countUntaken = (
  scope: Scope,
  kinds: readonly RunsOfVersion[],
  lateMs: number,
  { most, unless }: { most: number; unless: Statement },
): Statement =>
  join(
    kinds.map(
      ({ namespace, workflow, version }, n) => sql`
  (SELECT ${int(n)} AS n, count(*) AS count FROM (
    SELECT 1 AS found FROM ${scope.tables.runs} AS r
    WHERE r.namespace = ${namespace} AND r.workflow = ${workflow} AND r.version = ${int(Number(version))}
      AND r.wake_at <= ${onceNow(scope)} - ${int(lateMs)} AND r.owner IS NULL AND NOT EXISTS (${unless}) LIMIT ${int(most)}
  ) AS u)`,
    ),
    ' UNION ALL ',
  );

/** MySQL. Runs with a reason, up to `most`, by workflow and reason. */
export const selectBlockedByIndex = (scope: Scope, most: number): Statement => sql`
  SELECT b.namespace, b.workflow, b.reason, count(*) AS count FROM (
    SELECT r.namespace, r.workflow, r.reason FROM (
      SELECT namespace, reason, workflow, version FROM ${scope.tables.runs} ${scope.dialect.forceIndex(indexOf(scope.tables.runs, 'blocked'))}
      GROUP BY namespace, reason, workflow, version
    ) AS k STRAIGHT_JOIN ${scope.tables.runs} AS r
      ON r.namespace = k.namespace AND r.workflow = k.workflow AND r.version = k.version AND r.reason = k.reason
    WHERE k.reason IS NOT NULL AND r.status = 'suspended' AND (r.wake_at IS NULL OR r.wake_at > ${onceNow(scope)})
    LIMIT ${int(most)}
  ) AS b GROUP BY b.namespace, b.workflow, b.reason ORDER BY count(*) DESC LIMIT 10`;

/** MySQL. The next namespace that has runs. One lookup: MariaDB may execute a loose scan again by reading the whole index. */
export const selectNextNamespace = ({ tables }: Scope, after: string | undefined): Statement => sql`
  SELECT namespace FROM ${tables.runs} WHERE ${after === undefined ? sql`namespace >= ''` : sql`namespace > ${after}`}
  ORDER BY namespace LIMIT 1`;

/** MySQL. How many runs of these namespaces ended long ago, by namespace, counted up to `most` together. */
export const countEnded = (
  scope: Scope,
  { namespaces, statuses }: { namespaces: readonly string[]; statuses: readonly string[] },
  ageMs: number,
  most: number,
): Statement => {
  const kinds = namespaces.flatMap((namespace) => statuses.map((ended) => ({ namespace, ended })));
  const old = kinds.map(
    ({ namespace, ended }) => sql`
    (SELECT r.namespace FROM ${scope.tables.runs} AS r
    WHERE r.namespace = ${namespace} AND r.${id('ended')} = ${ended} AND r.finished_at < ${onceNow(scope)} - ${int(ageMs)}
    LIMIT ${int(most)})`,
  );
  return sql`
  SELECT e.namespace, count(*) AS count FROM (${join(old, ' UNION ALL ')} LIMIT ${int(most)}) AS e
  GROUP BY e.namespace ORDER BY e.namespace`;
};

/** No look reads the runs beyond these. */
const NEWEST = 10_000;

/** The processes that are alive by the clock of the database. */
async function alive(patient: Patient): Promise<NodeRecord[]> {
  const rows = await patient.ask<NodeRow>(selectNodes(scopeOf(patient)));
  return rows.flatMap(nodeOf).filter(({ expiresAt, leftAt }) => leftAt === null && expiresAt > Number(rows[0]!.now));
}

/** Their process has neither signed off nor beaten for `ageMs`; an engine that lives takes them over long before. */
const ofTheDead = (scope: Scope, ageMs: number): Statement => sql`
  SELECT r.namespace, r.owner FROM ${scope.tables.runs} AS r WHERE r.owner IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM ${scope.tables.nodes} AS n
    WHERE n.id = r.owner AND COALESCE(n.left_at, n.expires_at) > ${onceNow(scope)} - ${int(ageMs)})`;

const selectLost = (scope: Scope, ageMs: number): Statement => sql`
  SELECT l.namespace, l.owner, count(*) AS count FROM (${ofTheDead(scope, ageMs)} LIMIT ${int(NEWEST)}) AS l
  GROUP BY l.namespace, l.owner ORDER BY count(*) DESC, l.owner LIMIT 10`;

async function lookAtLost(patient: Patient): Promise<Answer> {
  const rows = await patient.ask<{ namespace: string; owner: string; count: Int }>(
    selectLost(scopeOf(patient), patient.limits.late),
  );
  return rows.map(({ namespace, owner, count }) =>
    error(
      `${counted(count)} runs belong to the process ${owner}, which is gone, and no engine takes them over: ` +
        `start one of the namespace ${namespace}, see \`npx nest-durable nodes\``,
    ),
  );
}

const heldGroups = (scope: Scope): Statement => sql`
  SELECT h.name FROM ${scope.tables.holds} AS h
  WHERE h.kind = 'group' AND (h.until_at IS NULL OR h.until_at > ${onceNow(scope)})`;

/** The same look as that of the overview. */
async function lookAtUnserved(patient: Patient): Promise<Answer> {
  const { executor, limits, ask } = patient;
  const query = { olderThanMs: limits.late, cursor: undefined };
  const { tasks } = await waitingTasks(executor, scopeOf(patient), query);
  const waiting = tasks.filter(({ isClaimed }) => !isClaimed);
  if (waiting.length === 0) return [];
  const workers = (await alive(patient)).filter(({ draining }) => draining === null);
  const isServed = (group: string, handler: string) =>
    workers.some((node) => isServing(node, { kind: 'group', group, handler }));
  const held = new Set((await ask<{ name: string }>(heldGroups(scopeOf(patient)))).map(({ name }) => name));
  return waiting
    .filter(({ group, name }) => !held.has(group) && !isServed(group, name))
    .map(({ group, name, count }) =>
      warning(
        `${counted(count)} tasks of "${name}" wait in the group "${group}", which no process serves: start a worker. ` +
          'Workers in other languages cannot be seen here',
      ),
    );
}

/** Of the newest runs: there is no index of open runs alone, and their number has no bound. */
const selectNeeded = (scope: Scope): Statement => sql`
  SELECT o.namespace, o.workflow, o.version, count(*) AS count FROM (
    SELECT r.namespace, r.workflow, r.version, r.finished_at FROM ${scope.tables.runs} AS r
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${int(NEWEST)}
  ) AS o WHERE o.finished_at IS NULL GROUP BY o.namespace, o.workflow, o.version
  ORDER BY o.namespace, o.workflow, o.version`;

interface Needed {
  namespace: string;
  workflow: string;
  version: Int;
  count: Int;
}

/** Where no engine is alive at all, the checks of due and lost runs say so. */
async function lookAtCode(patient: Patient): Promise<Answer> {
  const nodes = await alive(patient);
  const namespaces = new Set(nodes.filter(({ roles }) => roles.includes('engine')).map(({ namespace }) => namespace));
  const needed = await patient.ask<Needed>(selectNeeded(scopeOf(patient)));
  return needed
    .filter(
      (one) =>
        namespaces.has(one.namespace) &&
        !nodes.some((node) => isServing(node, { kind: 'workflow', ...one, version: Number(one.version) })),
    )
    .map(({ namespace, workflow, version, count }) =>
      warning(
        `${count} open runs of "${workflow}" version ${version} (namespace ${namespace}) need code that no process has: ` +
          'they stand still once they are due',
      ),
    );
}

/** Permits are given back by the end of a run, in its transaction. */
const permitsOfEnded = (scope: Scope, ageMs: number): Statement => sql`
  SELECT e.holder FROM ${scope.tables.limiterEntries} AS e JOIN ${scope.tables.runs} AS r ON r.id = e.run_id
  WHERE e.granted = 1 AND r.finished_at < ${onceNow(scope)} - ${int(ageMs)}`;

async function lookAtPermits(patient: Patient): Promise<Answer> {
  const { ask, limits, executor, tables } = patient;
  const ended = permitsOfEnded(scopeOf(patient), limits.late);
  const [row] = await ask<{ count: Int }>(countOf(ended));
  if (!row || Number(row.count) === 0) return [];
  const text = `${counted(row.count)} permits of limits belong to runs that have ended: others wait for them`;
  const mend = sql`DELETE FROM ${tables.limiterEntries} WHERE holder IN (SELECT p.holder FROM (${ended}) AS p)`;
  return [error(text, textOf(mend, executor.dialect))];
}

/** Whether somebody does the work that is there. */
export const fleetChecks: readonly Check[] = [
  { id: 'lost', group: 'work', meaning: 'No run belongs to a process that is gone', looks: on(lookAtLost) },
  { id: 'unserved', group: 'work', meaning: 'A process serves each group with tasks', looks: on(lookAtUnserved) },
  { id: 'code', group: 'work', meaning: 'A process has the code of each open run', looks: on(lookAtCode) },
  { id: 'permits', group: 'work', meaning: 'Permits of limits belong to open runs', looks: on(lookAtPermits) },
];

/** How many connections all pools may open together. Undefined: no process tells. */
async function poolsOf(patient: Patient): Promise<{ processes: number; connections: number } | undefined> {
  const nodes = await alive(patient);
  const pools = nodes.flatMap(({ load }) => load?.pool?.most ?? []);
  if (pools.length === 0) return undefined;
  return { processes: pools.length, connections: pools.reduce((sum, most) => sum + most, 0) };
}

async function compared(
  patient: Patient,
  most: () => Promise<number>,
  mend: (wanted: number) => string,
): Promise<Answer> {
  const pools = await poolsOf(patient);
  if (!pools) return [];
  const server = await most();
  if (pools.connections <= server) return [];
  const text = `The pools of ${pools.processes} processes may open ${pools.connections} connections, the server takes ${server}`;
  const unless = 'under load, processes will be refused, unless they connect through a pooler such as PgBouncer';
  return [
    warning(`${text}: ${unless}. PostgreSQL takes another number at its next start`, mend(pools.connections * 2)),
  ];
}

const poolsOnPostgres = (patient: Patient): Promise<Answer> =>
  compared(
    patient,
    async () => {
      const settings = await postgresSettings(patient, 'max_connections', 'superuser_reserved_connections');
      return Number(settings.get('max_connections')) - Number(settings.get('superuser_reserved_connections') ?? 0);
    },
    (wanted) => `ALTER SYSTEM SET max_connections = ${wanted};`,
  );

const poolsOnMysql = (patient: Patient): Promise<Answer> =>
  compared(
    patient,
    async () => Number((await mysqlSettings(patient, 'max_connections')).get('max_connections')),
    (wanted) => setGlobally(patient, 'max_connections', String(wanted)),
  );

export const poolCheck: Check = {
  id: 'pools',
  group: 'connections',
  meaning: 'The server has a connection for each that the pools of all processes may open',
  looks: { postgres: poolsOnPostgres, mysql: poolsOnMysql, mariadb: poolsOnMysql },
};
