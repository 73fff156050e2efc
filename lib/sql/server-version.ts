import { ConfigurationError, UnsupportedServerError } from '../errors/setup-errors.js';
import { sleep } from '../time/sleep.js';
import { byFamily, type Dialect } from './dialects/dialect.js';
import type { SqlExecutor } from './sql-executor.js';
import {
  multiPrimaryGroupReplication,
  multiWriterGalera,
  selectServer,
  selectServerName,
  showClusterVariables,
  type UnsupportedServer,
  unsupportedServer,
} from './unsupported-servers.js';

/** The minimum versions: SKIP LOCKED, JSON rows, AS MATERIALIZED; on MySQL a collation that keeps trailing spaces. */
const OLDEST: Record<Dialect['name'], readonly number[]> = { postgres: [12], mysql: [8, 0, 17], mariadb: [10, 6] };
const TITLES: Record<Dialect['name'], string> = { postgres: 'PostgreSQL', mysql: 'MySQL', mariadb: 'MariaDB' };

/** A load balancer usually gives successive connections to different nodes. */
const CONNECTIONS_ASKED = 4;
const SECOND_LOOK_MS = 1_000;

type Environment = Record<string, string | undefined>;
/** Lets operators accept the risk and silence the check. */
const ALLOW = 'NEST_DURABLE_ALLOW_UNSUPPORTED_SERVER';

export const allowsUnsupportedServers = (env: Environment = process.env): boolean => env[ALLOW] === '1';

/**
 * @throws UnsupportedServerError when the server only uses the protocol of a supported one.
 * @throws ConfigurationError when the server is too old, or differs from the ORM's configuration.
 */
export async function checkServer(executor: SqlExecutor, env: Environment = process.env): Promise<void> {
  const { dialect } = executor;
  const { rows } = await executor.run<{ version: string; product: string }>(selectServer(dialect));
  const version = String(rows[0]?.version);
  const found = unsupportedServer(dialect.family, version, String(rows[0]?.product)) ?? (await clusterOf(executor));
  if (found && !allowsUnsupportedServers(env)) throw unsupported(found, version);
  const refusal = refusalOf(dialect.name, version);
  if (refusal) throw new ConfigurationError(refusal);
}

/** The unsupported cluster that the server belongs to, if any. */
const clusterOf = (executor: SqlExecutor): Promise<UnsupportedServer | undefined> =>
  byFamily(executor.dialect, { postgres: () => Promise.resolve(undefined), mysql: () => mysqlClusterOf(executor) });

async function mysqlClusterOf(executor: SqlExecutor): Promise<UnsupportedServer | undefined> {
  const { rows } = await executor.run<{ Variable_name: string; Value: string }>(showClusterVariables());
  const variables = new Map(rows.map((row) => [row.Variable_name, row.Value]));
  if (variables.get('group_replication_single_primary_mode') === 'OFF') return multiPrimaryGroupReplication;
  if (variables.get('wsrep_on') !== 'ON' || (await answersAsOne(executor))) return undefined;
  // During a switch of the writer two servers may respond, but only briefly.
  await sleep(SECOND_LOOK_MS);
  return (await answersAsOne(executor)) ? undefined : multiWriterGalera;
}

/** Whether transactions on several connections reach one server; a proxy may route single SELECTs elsewhere. */
async function answersAsOne(executor: SqlExecutor): Promise<boolean> {
  const ask = () => executor.transaction((tx) => tx.run<{ name: string }>(selectServerName()));
  const answers = await Promise.all(Array.from({ length: CONNECTIONS_ASKED }, ask));
  return new Set(answers.map(({ rows }) => rows[0]?.name)).size === 1;
}

const unsupported = ({ name, why, link }: UnsupportedServer, version: string): UnsupportedServerError =>
  new UnsupportedServerError(
    `The server is ${name} (${version}), which is not supported: ${why}. Use one that is listed in docs/databases.md of ` +
      `nest-durable. To use it anyway, at your own risk, set ${ALLOW}=1. See ${link}`,
  );

/** Why a server of this version is not supported; undefined when it is. */
export function refusalOf(expected: Dialect['name'], answer: string): string | undefined {
  const actual = /mariadb/i.test(answer) ? 'mariadb' : /postgres|cockroach/i.test(answer) ? 'postgres' : 'mysql';
  if (actual !== expected) {
    return `The ORM is set up for ${TITLES[expected]}, but the server is ${TITLES[actual]} (${answer}): use the ORM's ${actual} type or driver`;
  }
  // MariaDB's version prefix for old replicas.
  const [number = ''] = /\d+(\.\d+)+/.exec(answer.replace(/^5\.5\.5-/, '')) ?? [];
  const oldest = OLDEST[expected];
  if (isAtLeast(number.split('.').map(Number), oldest)) return undefined;
  return `The server is ${TITLES[expected]} ${number}: it must be ${oldest.join('.')} or newer`;
}

/** Missing numbers count as 0. */
export function isAtLeast(version: readonly number[], oldest: readonly number[]): boolean {
  const at = oldest.findIndex((number, i) => (version[i] ?? 0) !== number);
  return at === -1 || (version[at] ?? 0) > (oldest[at] ?? 0);
}
