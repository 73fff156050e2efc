import { UnsupportedServerError } from '../../../lib/core/errors.js';
import { checkServer } from '../../../lib/sql/servers.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { backendOf, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { createDatabase } from '../../support/fresh-database.js';
import { findInstallation } from '../../support/servers/mysql-installation.mjs';
import { startMysql } from '../../support/servers/mysql.mjs';
import { freePort, type RunningServer } from '../../support/servers/server.mjs';
import { missing } from '../../support/test-servers.js';
import { thrownBy } from '../../support/thrown-by.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('migrates on servers that are refused');

const COCKROACH = 'CockroachDB CCL v24.3.5 (x86_64-pc-linux-gnu, built 2025/02/03 17:28:15, go1.22.8)';
const YUGABYTE = 'PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 17.0.6';

const versionOf = (schema: string, version: string) =>
  `CREATE OR REPLACE FUNCTION ${schema}.version() RETURNS text STABLE LANGUAGE sql AS $$ SELECT '${version}'::text $$`;

describeDatabases(
  'a server that is none of ours',
  (at) => {
    let backend: OpenBackend;
    let executor: SqlExecutor;
    beforeEach(async () => {
      backend = await at.open();
      executor = executorOf(backend);
    });
    afterEach(() => backend.close());

    const refusal = async () => {
      const error = await thrownBy(checkServer(executor, {}));
      expect(error).toBeInstanceOf(UnsupportedServerError);
      return error as UnsupportedServerError;
    };

    it.each([
      ['CockroachDB', COCKROACH],
      ['YugabyteDB', YUGABYTE],
    ])('is refused by name: %s', async (name, version) => {
      await backend.query(versionOf('pg_catalog', version));
      const { message, code } = await refusal();
      expect(code).toBe('UNSUPPORTED_SERVER');
      for (const part of [name, version, 'ctid', 'https://', 'NEST_DURABLE_ALLOW_UNSUPPORTED_SERVER=1'])
        expect(message).toContain(part);
    });

    it.each([
      ['Spanner', ['CREATE SCHEMA spanner_sys']],
      ['Aurora DSQL', ['CREATE SCHEMA sys', 'CREATE TABLE sys.iam_pg_role_mappings (arn text)']],
    ])('is refused where it calls itself PostgreSQL: %s', async (name, statements) => {
      for (const statement of statements) await backend.query(statement);
      expect((await refusal()).message).toContain(`The server is ${name} (PostgreSQL `);
    });

    it('is taken by those who know better', async () => {
      await backend.query(versionOf('pg_catalog', COCKROACH));
      await expect(checkServer(executor, { NEST_DURABLE_ALLOW_UNSUPPORTED_SERVER: '1' })).resolves.toBeUndefined();
    });

    it('is known by its own function, whatever stands before it in the search path', async () => {
      await backend.query('CREATE SCHEMA app');
      await backend.query(versionOf('app', YUGABYTE));
      await backend.query(`ALTER DATABASE ${backend.database} SET search_path = app, pg_catalog, public`);
      const later = executorOf({ ...backend, handle: await backend.another() });
      await expect(checkServer(later, {})).resolves.toBeUndefined();
    });
  },
  { only: ({ db }) => db === 'postgres' },
);

interface OwnServer {
  db: 'mysql' | 'mariadb';
  flags(port: number): string[];
  /** What its administrator does with it. */
  prepare: string[];
  says: string;
}

const OWN: Record<string, OwnServer> = {
  'a multi-primary group of one': {
    db: 'mysql',
    flags: (port) => [
      ...['--log-bin=binlog', '--server-id=1', '--gtid-mode=ON', '--enforce-gtid-consistency=ON'],
      ...['--performance-schema=ON', '--plugin-load-add=group_replication.so', '--report-host=127.0.0.1'],
      '--group-replication-group-name=aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa',
      ...['--group-replication-start-on-boot=OFF', '--group-replication-ip-allowlist=127.0.0.1'],
      ...[`--group-replication-local-address=127.0.0.1:${port}`, '--group-replication-single-primary-mode=OFF'],
    ],
    prepare: ['SET GLOBAL group_replication_bootstrap_group = ON', 'START GROUP_REPLICATION'],
    says: 'a member of a multi-primary group (Group Replication)',
  },
  // The option for those who want their server to be taken for another.
  TiDB: { db: 'mariadb', flags: () => ['--version=8.0.11-TiDB-v8.5.3'], prepare: [], says: 'TiDB (8.0.11-TiDB-v8.5.3' },
};

for (const [name, { db, flags, prepare, says }] of Object.entries(OWN)) {
  const absent = missing.some((server) => server.db === db);
  (absent ? describe.skip : describe)(`a server that is ${name}`, () => {
    let server: RunningServer;
    beforeAll(async () => {
      const installation = findInstallation(db);
      if (!('command' in installation)) throw new Error(installation.reason);
      server = await startMysql(installation, { flags: flags(await freePort()) });
      const { query, close } = await createDatabase('mysql', server.address);
      for (const statement of prepare) await query(statement);
      await close();
    });
    afterAll(() => server?.stop());

    it.each(['typeorm', 'mikro-orm'] as const)('is refused by name, seen through %s', async (orm) => {
      const backend = await backendOf(orm, 'mysql', server.address).open();
      try {
        const error = await thrownBy(checkServer(executorOf(backend), {}));
        expect(error).toBeInstanceOf(UnsupportedServerError);
        expect(error.message).toContain(says);
      } finally {
        await backend.close();
      }
    });
  });
}
