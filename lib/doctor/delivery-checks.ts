import { type Answer, type Check, error, type Finding, type Patient, warning } from './check.js';
import { counted, MOST, quoted, scopeOf } from './run-checks.js';
import { textOf } from './settings.js';
import { id, int, sql, type Statement } from '../sql/dialects/statement.js';
import { onceNow, type Scope } from '../sql/tables.js';

type Int = number | string;

const selectUntaken = (scope: Scope, ageMs: number): Statement => sql`
  SELECT u.namespace, count(*) AS count FROM (
    SELECT s.namespace FROM ${scope.tables.signals} AS s
    WHERE s.taken_by IS NULL AND s.created_at < ${onceNow(scope)} - ${int(ageMs)} LIMIT ${int(MOST + 1)}
  ) AS u GROUP BY u.namespace ORDER BY u.namespace`;

async function lookAtSignals(patient: Patient): Promise<Answer> {
  const { ask, limits, tables } = patient;
  const rows = await ask<{ namespace: string; count: Int }>(selectUntaken(scopeOf(patient), limits.signals));
  const days = Math.floor(limits.signals / 86_400_000);
  return rows.map(({ namespace, count }) => {
    const text = `${counted(count)} signals of the namespace ${namespace} are over ${days} days old, and no run takes them: a name or a key may be wrong`;
    const which = `--prefix ${tables.prefix} --namespace ${quoted(namespace)} --what signals --older-than ${limits.signals} --yes`;
    return warning(text, `npx nest-durable purge ${which}`);
  });
}

const selectLate = (scope: Scope, lateMs: number): Statement => sql`
  SELECT s.namespace, s.id, s.workflow, ${onceNow(scope)} - s.next_at AS late FROM ${scope.tables.schedules} AS s
  WHERE s.paused = 0 AND s.next_at IS NOT NULL AND s.next_at < ${onceNow(scope)} - ${int(lateMs)} ORDER BY s.next_at LIMIT 10`;

async function lookAtSchedules(patient: Patient): Promise<Answer> {
  const rows = await patient.ask<{ namespace: string; id: string; workflow: string; late: Int }>(
    selectLate(scopeOf(patient), patient.limits.late),
  );
  return rows.map(({ namespace, id: name, workflow, late }) =>
    error(
      `The schedule "${name}" of "${workflow}" is ${Math.round(Number(late) / 1_000)} s late: no engine of the namespace ` +
        `${namespace} is alive, or none has this workflow`,
    ),
  );
}

const selectStanding = (prefix: string): Statement => sql`
  SELECT c.destination, c.state, count(*) AS count, min(c.channel) AS example FROM ${id(`${prefix}_outbox_channels`)} AS c
  WHERE c.state IN ('blocked', 'parked') GROUP BY c.destination, c.state ORDER BY c.destination, c.state LIMIT 20`;

/** The same as `OutboxOperations.retryAll`. */
const retryBlocked = ({ tables, executor }: Patient, destination: string): Statement => sql`
  UPDATE ${id(`${tables.prefix}_outbox_channels`)} SET state = NULL, attempts = 0, crashes = 0, available_at = NULL
  WHERE destination = ${executor.dialect.literal(destination)} AND state = 'blocked'`;

async function lookAtChannels(patient: Patient): Promise<Answer> {
  if (!patient.outbox) return [];
  const rows = await patient.ask<{ destination: string; state: string; count: Int; example: string }>(
    selectStanding(patient.tables.prefix),
  );
  return rows.map(({ destination, state, count, example }): Finding => {
    const which = `${count} channels of the destination "${destination}"`;
    if (state === 'blocked') {
      const text = `${which} are blocked, such as "${example}": none of their events is published`;
      return error(text, textOf(retryBlocked(patient, destination), patient.executor.dialect));
    }
    return warning(
      `${which} are parked, such as "${example}": their events become dead letters. Once it is mended: npx nest-durable outbox requeue`,
    );
  });
}

const selectAbandoned = (prefix: string): Statement => sql`
  SELECT a.handler, count(*) AS count FROM (
    SELECT e.handler FROM ${id(`${prefix}_effects`)} AS e WHERE e.ready IS NULL AND e.open = 1 LIMIT 1001
  ) AS a GROUP BY a.handler ORDER BY count(*) DESC LIMIT 20`;

async function lookAtEffects({ ask, tables }: Patient): Promise<Answer> {
  const rows = await ask<{ handler: string; count: Int }>(selectAbandoned(tables.prefix));
  return rows.map(({ handler, count }) =>
    error(
      `${counted(count)} calls of the effect "${handler}" were abandoned: their operations never complete. Once it is mended: npx nest-durable effects requeue`,
    ),
  );
}

const on = (look: (patient: Patient) => Promise<Answer>): Check['looks'] => ({
  postgres: look,
  mysql: look,
  mariadb: look,
});

/** What does not arrive. */
export const deliveryChecks: readonly Check[] = [
  { id: 'signals', group: 'work', meaning: 'Signals are taken', looks: on(lookAtSignals) },
  { id: 'schedules', group: 'work', meaning: 'Schedules fire in time', looks: on(lookAtSchedules) },
  { id: 'channels', group: 'work', meaning: 'No channel of the outbox stands still', looks: on(lookAtChannels) },
  { id: 'effects', group: 'work', meaning: 'No call of an effect was abandoned', looks: on(lookAtEffects) },
];
