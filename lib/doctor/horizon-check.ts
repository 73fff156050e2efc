import { type Answer, type Check, type Finding, type Patient, warning } from './check.js';
import { grantOnServer, granteeOf, textOf, UNLISTABLE } from './settings.js';
import { isDenied, isUnlistable } from '../sql/database-errors.js';
import { sql, type Statement } from '../sql/dialects/statement.js';

/** How many of the oldest are named. */
const MOST = 5;

interface Holder {
  what: 'session' | 'prepared';
  who: string;
  about: string | null;
  open: number | string;
}

const openMs = (since: Statement): Statement =>
  sql`CAST(extract(epoch FROM clock_timestamp() - ${since}) * 1000 AS bigint)`;

/** A transaction that has only begun and read nothing holds nothing; one with a number of its own does. */
const selectHolders = (olderThanMs: number): Statement => sql`
  SELECT * FROM (
    SELECT 'session' AS what, CAST(pid AS text) AS who, ${openMs(sql`xact_start`)} AS open,
      concat_ws(', ', nullif(application_name, ''), usename, state, left(query, 100)) AS about
    FROM pg_catalog.pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type <> 'autovacuum worker'
      AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
    UNION ALL
    SELECT 'prepared', gid, ${openMs(sql`prepared`)}, CAST(owner AS text) FROM pg_catalog.pg_prepared_xacts
    WHERE database = current_database()
  ) AS h WHERE h.open > CAST(${olderThanMs} AS bigint) ORDER BY h.open DESC LIMIT ${MOST}`;

interface Lagging {
  what: 'slot' | 'standby';
  who: string;
  lag: number | string;
  active: boolean;
}

const selectLagging = (most: number): Statement => sql`
  SELECT * FROM (
    SELECT 'slot' AS what, CAST(slot_name AS text) AS who, greatest(age(xmin), age(catalog_xmin)) AS lag, active
    FROM pg_catalog.pg_replication_slots
    UNION ALL
    SELECT 'standby', application_name, age(backend_xmin), true FROM pg_catalog.pg_stat_replication
  ) AS l WHERE l.lag > CAST(${most} AS bigint) ORDER BY l.lag DESC LIMIT ${MOST}`;

/** Other users' sessions are blank without the right to see them. */
const selectHidden = sql`
  SELECT count(*) AS hidden FROM pg_catalog.pg_stat_activity
  WHERE datname = current_database() AND query = '<insufficient privilege>'`;

const seconds = (ms: number | string): string => `${Math.round(Number(ms) / 1_000)} s`;

const levelOf = ({ limits }: Patient, open: number | string): Finding['level'] =>
  Number(open) > limits.openError ? 'error' : 'warning';

async function horizonOnPostgres(patient: Patient): Promise<Answer> {
  const { ask, limits, executor } = patient;
  const { dialect } = executor;
  const [row] = await ask<{ hidden: number | string }>(selectHidden);
  if (Number(row?.hidden) > 0) {
    const grant = textOf(sql`GRANT pg_read_all_stats TO ${await granteeOf(patient)}`, dialect);
    return { untold: `this user cannot see the transactions of ${row?.hidden} other sessions`, mend: [grant] };
  }
  const holders = await ask<Holder>(selectHolders(limits.openWarning));
  const lagging = await ask<Lagging>(selectLagging(limits.openTransactions));
  return [
    ...holders.map(({ what, who, about, open }): Finding => {
      const isSession = what === 'session';
      const named = isSession ? `Session ${who} (${about})` : `The prepared transaction "${who}" of ${about}`;
      const text = `${named} has been in a transaction for ${seconds(open)}: rows deleted since are kept, and looks read them`;
      const end = isSession
        ? `SELECT pg_terminate_backend(${who});`
        : textOf(sql`ROLLBACK PREPARED ${dialect.literal(who)}`, dialect);
      return { level: levelOf(patient, open), text, mend: [end] };
    }),
    ...lagging.map(({ what, who, lag, active }) => {
      const text = `The ${what} "${who}" is ${lag} transactions behind${active ? '' : ', and nobody reads it'}: deleted rows are kept for it`;
      return warning(
        text,
        ...(active ? [] : [textOf(sql`SELECT pg_drop_replication_slot(${dialect.literal(who)})`, dialect)]),
      );
    }),
  ];
}

const selectTransactions = (olderThanMs: number): Statement => sql`
  SELECT trx_mysql_thread_id AS thread, TIMESTAMPDIFF(SECOND, trx_started, NOW()) * 1000 AS open,
    LEFT(COALESCE(trx_query, trx_state), 100) AS about
  FROM information_schema.INNODB_TRX
  WHERE trx_mysql_thread_id <> CONNECTION_ID() AND TIMESTAMPDIFF(SECOND, trx_started, NOW()) * 1000 >= ${olderThanMs}
  ORDER BY trx_started LIMIT 5`;

const selectHistory = sql`
  SELECT COUNT AS length FROM information_schema.INNODB_METRICS WHERE NAME = 'trx_rseg_history_len'`;

async function horizonOnMysql(patient: Patient): Promise<Answer> {
  const { ask, limits } = patient;
  try {
    const open = await ask<{ thread: number | string; open: number | string; about: string }>(
      selectTransactions(limits.openWarning),
    );
    const [history] = await ask<{ length: number | string }>(selectHistory);
    const held = open.map(({ thread, open: ms, about }): Finding => {
      const text = `Connection ${thread} (${about}) has been in a transaction for ${seconds(ms)}: rows deleted since are kept, and looks read them`;
      return { level: levelOf(patient, ms), text, mend: Number(thread) > 0 ? [`KILL ${thread};`] : [] };
    });
    const long = Number(history?.length) > limits.historyLength;
    const text = `${history?.length} changes wait for the purge: looks read the rows that they deleted`;
    return long ? [...held, warning(text)] : held;
  } catch (refusal) {
    if (isUnlistable(refusal)) return UNLISTABLE;
    if (!isDenied(refusal)) throw refusal;
    return {
      untold: 'this user may not see the transactions of others',
      mend: [await grantOnServer(patient, 'PROCESS')],
    };
  }
}

/** Every queue in SQL becomes slow while something keeps the rows that it has deleted. */
export const horizonCheck: Check = {
  id: 'horizon',
  group: 'upkeep',
  meaning: 'No open transaction, slot or standby keeps deleted rows for long',
  looks: { postgres: horizonOnPostgres, mysql: horizonOnMysql, mariadb: horizonOnMysql },
};
