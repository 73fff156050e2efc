import { type Answer, type Check, error, type Finding, info, type Patient, warning } from './check.js';
import { mysqlSettings, postgresSettings, setForServer, setForUser, setGlobally } from './settings.js';
import { DatabaseError } from '../errors/database-errors.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import { sql } from '../sql/dialects/statement.js';
import { checkServer } from '../sql/server-version.js';

/** What the start of an app refuses, even where it is allowed by an environment variable. */
async function lookAtVersion({ executor }: Patient): Promise<Answer> {
  try {
    await checkServer(executor, {});
    return [];
  } catch (refusal) {
    if (refusal instanceof DatabaseError || !(refusal instanceof ConfigurationError)) throw refusal;
    return [error(refusal.message)];
  }
}

const selectRecovery = sql`SELECT pg_catalog.pg_is_in_recovery() AS replica`;

async function writableOnPostgres(patient: Patient): Promise<Answer> {
  const [row] = await patient.ask<{ replica: boolean }>(selectRecovery);
  if (row?.replica) return [error('The server is a replica, which takes no writes: connect to the primary')];
  const settings = await postgresSettings(patient, 'default_transaction_read_only');
  if (settings.get('default_transaction_read_only') !== 'on') return [];
  const mend = await setForUser(patient, 'default_transaction_read_only', 'off');
  // A session that begins read only would refuse the mend.
  return [
    error('Transactions of this user are read only by default', 'SET default_transaction_read_only = off;', mend),
  ];
}

async function writableOnMysql(patient: Patient): Promise<Answer> {
  const settings = await mysqlSettings(patient, 'read_only', 'super_read_only');
  const on = [...settings].filter(([, value]) => value !== 'OFF' && value !== '0').map(([name]) => name);
  if (on.length === 0) return [];
  const replica = 'The server takes no writes: it is a replica, or was set so';
  return [error(`${replica} (${on.join(', ')})`, ...on.reverse().map((name) => `SET GLOBAL ${name} = OFF;`))];
}

async function durabilityOnPostgres(patient: Patient): Promise<Answer> {
  const settings = await postgresSettings(patient, 'synchronous_commit', 'fsync', 'full_page_writes');
  const findings: Finding[] = [];
  if (settings.get('synchronous_commit') === 'off') {
    const text = 'synchronous_commit is off: a crash of the server loses commits of the last moments';
    findings.push(warning(text, await setForUser(patient, 'synchronous_commit', 'on')));
  }
  for (const name of ['fsync', 'full_page_writes']) {
    if (settings.get(name) !== 'off') continue;
    findings.push(
      warning(`${name} is off: a crash of the machine may destroy the database`, ...setForServer(name, 'on')),
    );
  }
  return findings;
}

async function durabilityOnMysql(patient: Patient): Promise<Answer> {
  const settings = await mysqlSettings(patient, 'innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin');
  const flush = settings.get('innodb_flush_log_at_trx_commit') ?? '1';
  const findings: Finding[] = [];
  if (flush !== '1') {
    const text = `innodb_flush_log_at_trx_commit is ${flush}: a crash of the machine loses commits of the last second`;
    findings.push(warning(text, setGlobally(patient, 'innodb_flush_log_at_trx_commit', '1')));
  }
  if (settings.get('log_bin') === 'ON' && settings.get('sync_binlog') === '0') {
    const text = 'sync_binlog is 0: after a crash of the machine, replicas may lack commits, and so may their takeover';
    findings.push(warning(text, setGlobally(patient, 'sync_binlog', '1')));
  }
  return findings;
}

async function isolationOnPostgres(patient: Patient): Promise<Answer> {
  const level = (await postgresSettings(patient, 'default_transaction_isolation')).get('default_transaction_isolation');
  if (level === undefined || level === 'read committed' || level === 'read uncommitted') return [];
  const text =
    `Transactions of the app are ${level}: one that signals or publishes may fail with a serialization error, and must ` +
    'then be repeated. Ours are READ COMMITTED';
  return [info(text, await setForUser(patient, 'default_transaction_isolation', 'read committed'))];
}

async function isolationOnMysql(patient: Patient): Promise<Answer> {
  const settings = await mysqlSettings(patient, 'transaction_isolation', 'tx_isolation');
  const [name, level] = [...settings][0] ?? [];
  if (level !== 'SERIALIZABLE') return [];
  const text = 'Transactions of the app are SERIALIZABLE: each of their reads locks, and ends in more deadlocks';
  return [info(text, setGlobally(patient, String(name), `'REPEATABLE-READ'`))];
}

/** What the server is, and what its settings mean for the promises. */
export const serverChecks: readonly Check[] = [
  {
    id: 'version',
    group: 'server',
    meaning: 'The product and version of the server are supported',
    looks: { postgres: lookAtVersion, mysql: lookAtVersion, mariadb: lookAtVersion },
  },
  {
    id: 'writable',
    group: 'server',
    meaning: 'The server takes writes: it is no replica and not read only',
    looks: { postgres: writableOnPostgres, mysql: writableOnMysql, mariadb: writableOnMysql },
  },
  {
    id: 'durability',
    group: 'server',
    meaning: 'A commit survives a crash of the server',
    looks: { postgres: durabilityOnPostgres, mysql: durabilityOnMysql, mariadb: durabilityOnMysql },
  },
  {
    id: 'isolation',
    group: 'server',
    meaning: 'Transactions of the app have a usual isolation level',
    looks: { postgres: isolationOnPostgres, mysql: isolationOnMysql, mariadb: isolationOnMysql },
  },
];
