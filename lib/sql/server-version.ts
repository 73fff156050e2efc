import { ConfigurationError, UnsupportedServerError } from '../errors.js';
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

/** What each needs at least: SKIP LOCKED, JSON rows and AS MATERIALIZED, on MySQL also a binary collation that keeps trailing spaces. */
const OLDEST: Record<Dialect['name'], readonly number[]> = { postgres: [12], mysql: [8, 0, 17], mariadb: [10, 6] };
const TITLES: Record<Dialect['name'], string> = { postgres: 'PostgreSQL', mysql: 'MySQL', mariadb: 'MariaDB' };

/** Whoever spreads connections over nodes gives neighbours different ones. */
const CONNECTIONS_ASKED = 4;
const SECOND_LOOK_MS = 1_000;

type Environment = Record<string, string | undefined>;
/** For people who know better, and who want to hear no more of it. */
const ALLOW = 'NEST_DURABLE_ALLOW_UNSUPPORTED_SERVER';

export const allowsUnsupportedServers = (env: Environment = process.env): boolean => env[ALLOW] === '1';

/**
 * @throws UnsupportedServerError when the server only speaks the protocol of one that is supported.
 * @throws ConfigurationError when the server is too old, or not the one that the ORM was told it is.
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

/** The cluster that the server is a member of, where it is one that cannot be used. */
const clusterOf = (executor: SqlExecutor): Promise<UnsupportedServer | undefined> =>
  byFamily(executor.dialect, { postgres: () => Promise.resolve(undefined), mysql: () => mysqlClusterOf(executor) });

async function mysqlClusterOf(executor: SqlExecutor): Promise<UnsupportedServer | undefined> {
  const { rows } = await executor.run<{ Variable_name: string; Value: string }>(showClusterVariables());
  const variables = new Map(rows.map((row) => [row.Variable_name, row.Value]));
  if (variables.get('group_replication_single_primary_mode') === 'OFF') return multiPrimaryGroupReplication;
  if (variables.get('wsrep_on') !== 'ON' || (await answersAsOne(executor))) return undefined;
  // While the writer changes two may answer, but not for long.
  await sleep(SECOND_LOOK_MS);
  return (await answersAsOne(executor)) ? undefined : multiWriterGalera;
}

/** Whether transactions on several connections of the pool come to one server; a proxy may read lone SELECTs elsewhere. */
async function answersAsOne(executor: SqlExecutor): Promise<boolean> {
  const ask = () => executor.transaction((tx) => tx.run<{ name: string }>(selectServerName()));
  const answers = await Promise.all(Array.from({ length: CONNECTIONS_ASKED }, ask));
  return new Set(answers.map(({ rows }) => rows[0]?.name)).size === 1;
}

const unsupported = ({ name, why, link }: UnsupportedServer, version: string): UnsupportedServerError =>
  new UnsupportedServerError(
    `The server is ${name} (${version}), which is not supported: ${why}. Use one that docs/databases.md of ` +
      `nest-durable names. To try it all the same, at your own risk, set ${ALLOW}=1. See ${link}`,
  );

/** Why a server cannot be used, judged by its version; undefined when it can. */
export function refusalOf(expected: Dialect['name'], answer: string): string | undefined {
  const actual = /mariadb/i.test(answer) ? 'mariadb' : /postgres|cockroach/i.test(answer) ? 'postgres' : 'mysql';
  if (actual !== expected) {
    return `The ORM is set up for ${TITLES[expected]}, but the server is ${TITLES[actual]} (${answer}): use the ORM's ${actual} type or driver`;
  }
  // What MariaDB tells old replicas in front.
  const [number = ''] = /\d+(\.\d+)+/.exec(answer.replace(/^5\.5\.5-/, '')) ?? [];
  const oldest = OLDEST[expected];
  if (isAtLeast(number.split('.').map(Number), oldest)) return undefined;
  return `The server is ${TITLES[expected]} ${number}: it must be ${oldest.join('.')} or newer`;
}

function isAtLeast(version: readonly number[], oldest: readonly number[]): boolean {
  const at = oldest.findIndex((number, i) => (version[i] ?? 0) !== number);
  return at === -1 || (version[at] ?? 0) > (oldest[at] ?? 0);
}
