import { ConfigurationError } from '../errors.js';
import type { Dialect } from './dialect.js';
import type { SqlConnection } from './sql-executor.js';
import { sql } from './statement.js';

/** What each needs at least: SKIP LOCKED, JSON rows and AS MATERIALIZED, on MySQL also a binary collation that keeps trailing spaces. */
const OLDEST: Record<Dialect['name'], readonly number[]> = { postgres: [12], mysql: [8, 0, 17], mariadb: [10, 6] };
const TITLES: Record<Dialect['name'], string> = { postgres: 'PostgreSQL', mysql: 'MySQL', mariadb: 'MariaDB' };

/** @throws ConfigurationError when the server is too old, or not the one that the ORM was told it is. */
export async function checkServer(connection: SqlConnection): Promise<void> {
  const { rows } = await connection.run<{ version: string }>(sql`SELECT version() AS version`);
  const refusal = refusalOf(connection.dialect.name, String(rows[0]?.version));
  if (refusal) throw new ConfigurationError(refusal);
}

/** Why a server cannot be used, judged by what it says of itself; undefined when it can. */
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
