import { type Answer, type Check, error, type Patient, warning } from './check.js';
import { counted, countOf, scopeOf } from './run-checks.js';
import { textOf } from './settings.js';
import { isServing, type NodeRecord } from '../engine/model/node-record.js';
import { nodeOf, type NodeRow, selectNodes } from '../engine/nodes/node-list.sql.js';
import { int, sql, type Statement } from '../sql/dialects/statement.js';
import { onceNow, type Scope } from '../sql/tables.js';
import { waitingTasks } from '../transport/sql-waiting-tasks.js';

type Int = number | string;

/** No look reads the runs beyond these. */
const NEWEST = 10_000;

/** The processes that are alive by the clock of the database. */
export async function alive(patient: Patient): Promise<NodeRecord[]> {
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

const on = (look: (patient: Patient) => Promise<Answer>): Check['looks'] => ({
  postgres: look,
  mysql: look,
  mariadb: look,
});

/** Whether somebody does the work that is there. */
export const fleetChecks: readonly Check[] = [
  { id: 'lost', group: 'work', meaning: 'No run belongs to a process that is gone', looks: on(lookAtLost) },
  { id: 'unserved', group: 'work', meaning: 'A process serves each group with tasks', looks: on(lookAtUnserved) },
  { id: 'code', group: 'work', meaning: 'A process has the code of each open run', looks: on(lookAtCode) },
  { id: 'permits', group: 'work', meaning: 'Permits of limits belong to open runs', looks: on(lookAtPermits) },
];
