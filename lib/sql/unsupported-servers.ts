import { byFamily, type Dialect, type Family } from './dialects/dialect.js';
import { sql, type Statement } from './dialects/statement.js';

/** A server with the protocol of a supported one but different guarantees. */
export interface UnsupportedServer {
  name: string;
  /** One sentence: what does not work there. */
  why: string;
  /** The vendor's own page about it. */
  link: string;
}

interface Sign extends UnsupportedServer {
  says: RegExp;
}

const SIGNS: Readonly<Record<Family, readonly Sign[]>> = {
  postgres: [
    {
      name: 'CockroachDB',
      says: /cockroach/i,
      why: 'its advisory locks lock nothing, and it has neither `ctid`, which is needed to claim rows, nor LISTEN',
      link: 'https://www.cockroachlabs.com/docs/stable/postgresql-compatibility',
    },
    {
      name: 'YugabyteDB',
      says: /-YB-/,
      why: 'it has no `ctid`, which is needed to claim rows',
      link: 'https://github.com/yugabyte/yugabyte-db/issues/24843',
    },
    {
      name: 'Aurora DSQL',
      says: /Aurora DSQL/,
      why: 'it locks no rows before the commit, and has neither advisory locks nor triggers nor LISTEN',
      link: 'https://docs.aws.amazon.com/aurora-dsql/latest/userguide/working-with-postgresql-compatibility-unsupported-features.html',
    },
    {
      name: 'Spanner',
      says: /Spanner/,
      why: 'it has neither SKIP LOCKED nor advisory locks nor triggers nor LISTEN',
      link: 'https://cloud.google.com/spanner/docs/reference/postgresql/overview',
    },
  ],
  mysql: [
    {
      name: 'TiDB',
      says: /TiDB/i,
      why: 'it accepts SKIP LOCKED and then locks nothing, so that two processes claim the same work',
      link: 'https://github.com/pingcap/tidb/issues/18207',
    },
    {
      name: 'Vitess',
      says: /Vitess|PlanetScale/i,
      why: 'a transaction may be spread over shards, which are not locked and not committed as one',
      link: 'https://vitess.io/docs/reference/compatibility/mysql-compatibility/',
    },
  ],
};

export const multiPrimaryGroupReplication: UnsupportedServer = {
  name: 'a member of a multi-primary group (Group Replication)',
  why: 'a row lock holds on one member only, so a write through another member can ignore it',
  link: 'https://dev.mysql.com/doc/refman/8.4/en/group-replication-limitations.html',
};

export const multiWriterGalera: UnsupportedServer = {
  name: 'one of several nodes of a Galera cluster that this process writes to',
  why: 'a row lock holds on one node only; route all statements to one (one hostgroup of ProxySQL, readconnroute of MaxScale, one active backend of HAProxy)',
  link: 'https://mariadb.com/docs/galera-cluster/reference/mariadb-galera-cluster-known-limitations',
};

/** The unsupported server with these version texts, if any. */
export function unsupportedServer(family: Family, ...said: readonly string[]): UnsupportedServer | undefined {
  return SIGNS[family].find((sign) => said.some((words) => sign.says.test(words)));
}

/**
 * The version texts of a server. Some call themselves plain PostgreSQL, and TiDB's version is configurable: those are
 * detected by a table, a schema or a kind of comment that only they have. Names are qualified, since a schema before
 * `pg_catalog` in the search path may have its own `version()`.
 */
export const selectServer = (dialect: Dialect): Statement =>
  byFamily(dialect, {
    postgres: () => sql`SELECT pg_catalog.version() AS version, CASE
    WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'spanner_sys') THEN 'Spanner'
    WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = 'sys' AND c.relname = 'iam_pg_role_mappings') THEN 'Aurora DSQL'
    ELSE '' END AS product`,
    mysql: () => sql`SELECT version() AS version, CONCAT(@@version_comment, '' /*T! , ' TiDB' */) AS product`,
  });

/** The server of a cluster that responds. */
export const selectServerName = (): Statement => sql`SELECT CONCAT(@@hostname, ':', @@port) AS name`;

/** Needs no rights: by SHOW, because a SELECT fails on servers without the variable. */
export const showClusterVariables = (): Statement =>
  sql`SHOW GLOBAL VARIABLES WHERE Variable_name IN ('group_replication_single_primary_mode', 'wsrep_on')`;
