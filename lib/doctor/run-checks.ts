import { type Answer, type Check, error, info, type Patient, warning } from './check.js';
import { textOf } from './settings.js';
import {
  countEnded,
  countUntaken,
  type RunsOfVersion,
  selectBlockedByIndex,
  selectFirstDue,
  selectNextNamespace,
} from './runs.mysql.sql.js';
import { byFamily } from '../sql/dialects/dialect.js';
import { int, sql, type Statement } from '../sql/dialects/statement.js';
import { onceNow, type Scope } from '../sql/tables.js';

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

/** The statuses of runs that have ended. */
export const ENDED = ['completed', 'failed', 'cancelled', 'compensation_failed'] as const;

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
    countEnded(scopeOf(patient), { namespaces, statuses: ENDED }, limits.endedAge, limits.endedRuns + 1),
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

const on = (look: (patient: Patient) => Promise<Answer>): Check['looks'] => ({
  postgres: look,
  mysql: look,
  mariadb: look,
});

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
