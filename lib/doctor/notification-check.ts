import { randomBytes } from 'node:crypto';
import { type Answer, type Check, type Patient, warning } from './check.js';
import { sql } from '../sql/dialects/statement.js';
import type { ListeningExecutor } from '../sql/postgres-notifier.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import { atMost } from '../time/sleep.js';

/** How long a notification may take. */
const ECHO_MS = 2_000;

const canListen = (executor: SqlExecutor): executor is ListeningExecutor => executor.listen !== undefined;

/** Sends one through the pool to a connection of ours that listens, as each process does when it starts. */
async function isHeard(executor: ListeningExecutor): Promise<boolean> {
  const channel = `durable_doctor_${randomBytes(6).toString('hex')}`;
  let isHeard = false;
  let told = (): void => undefined;
  const heard = new Promise<void>((resolve) => (told = resolve));
  const listener = await executor.listen([channel], () => {
    isHeard = true;
    told();
  });
  try {
    await executor.run(sql`SELECT pg_notify(${channel}, '')`);
    await atMost(ECHO_MS, heard);
    return isHeard;
  } finally {
    await listener.close();
  }
}

const selectUsage = sql`SELECT pg_notification_queue_usage() AS usage`;

/** Who keeps the queue from being emptied: a session that listens, in a transaction. */
const selectOldest = sql`
  SELECT pid FROM pg_catalog.pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND backend_type = 'client backend'
  ORDER BY xact_start LIMIT 1`;

async function lookAtNotifications(patient: Patient): Promise<Answer> {
  const { executor, ask, limits } = patient;
  const [row] = await ask<{ usage: number | string }>(selectUsage);
  if (Number(row?.usage) > limits.notifications) {
    const [oldest] = await ask<{ pid: number }>(selectOldest);
    const text = `The queue of notifications is ${Math.round(Number(row?.usage) * 100)} % full: when it is full, commits fail`;
    return [warning(text, ...(oldest ? [`SELECT pg_terminate_backend(${oldest.pid});`] : []))];
  }
  if (canListen(executor) && (await isHeard(executor))) return [];
  const text = canListen(executor)
    ? 'A notification to ourselves did not come back: PgBouncer in transaction mode does not pass LISTEN on'
    : 'This executor cannot listen';
  return [warning(`${text}. Processes poll, so that a result waits for up to a second`)];
}

/** Wake-ups of other processes. */
export const notificationCheck: Check = {
  id: 'notifications',
  group: 'connections',
  meaning: "Notifications come back through the app's pool, and their queue is not full",
  looks: { postgres: lookAtNotifications, mysql: undefined, mariadb: undefined },
};
