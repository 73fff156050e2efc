import { MikroORM } from '@mikro-orm/core';
import type { DataSource } from 'typeorm';
import { MissingRightsError } from '../../../lib/core/errors.js';
import { appGrants } from '../../../lib/outbox/script.sql.js';
import { migrateOutbox, requireOutbox } from '../../../lib/outbox/schema.sql.js';
import { outboxTables } from '../../../lib/outbox/tables.sql.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { migrate, migratedTables, requireMigrated } from '../../../lib/sql/migrations/migrator.js';
import { ALL_RIGHTS, lackingRights } from '../../../lib/sql/migrations/rights.js';
import { sql } from '../../../lib/sql/statement.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('migrates, and takes rights away');

const executorOf = (handle: unknown): SqlExecutor =>
  handle instanceof MikroORM ? mikroOrmExecutor(handle) : typeOrmExecutor(handle as DataSource);

describeBackends('a user without the right to create tables', (backend) => {
  const tables = tablesWithPrefix('durable');
  const published = outboxTables('durable', {
    table: 'durable_outbox',
    nodesTable: 'durable_outbox_nodes',
    schema: undefined,
  });
  let open: OpenBackend;
  let owner: SqlExecutor;
  let app: SqlExecutor;
  let user: string;
  let dropUser: string[];
  beforeAll(async () => {
    open = await backend.open();
    owner = executorOf(open.handle);
    user = `u_${open.database}`;
    const isPostgres = open.db === 'postgres';
    const account = isPostgres ? user : `'${user}'@'%'`;
    await open.query(
      isPostgres ? `CREATE ROLE ${account} LOGIN PASSWORD 'pw'` : `CREATE USER ${account} IDENTIFIED BY 'pw'`,
    );
    // Without any right it could not connect.
    if (!isPostgres) await open.query(`GRANT CREATE TEMPORARY TABLES ON ${open.database}.* TO ${account}`);
    dropUser = isPostgres ? [`DROP OWNED BY ${account}`, `DROP ROLE ${account}`] : [`DROP USER ${account}`];
    app = executorOf(await open.another({ orm: { username: user, user, password: 'pw' } }));
  });
  afterAll(async () => {
    for (const text of dropUser) await open.query(text);
    await open.close();
  });

  const refused = async (work: Promise<unknown>): Promise<MissingRightsError> => {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(MissingRightsError);
    expect(error).toMatchObject({ code: 'MISSING_RIGHTS', user, transient: false });
    return error as MissingRightsError;
  };

  it('is told to migrate as the owner, and the grants, which are enough', async () => {
    const grantsTo = appGrants(published);
    const { message, grants } = await refused(migrate(app, tables, { grantsTo }));
    expect(message).toMatch(/denied .*create them as their owner: run `npx nest-durable migrate`/);
    expect(message).toContain(grants.join('\n'));
    await migrate(owner, tables);
    await migrateOutbox(owner, published);
    expect((await refused(requireMigrated(app, tables, { grantsTo }))).grants).toEqual(grants);
    for (const grant of grants) await open.query(grant);
    await requireMigrated(app, tables);
    await requireOutbox(app, published);
    await app.run(sql`INSERT INTO ${tables.holds} SELECT * FROM ${tables.holds}`);
    await app.run(sql`DELETE FROM ${tables.runs}`);
    await app.run(sql`DELETE FROM ${published.outbox}`);
  });

  it('is told which of several tables it lacks a right to, with one look', async () => {
    const names = migratedTables(app.dialect, tables).map(({ name }) => name);
    const needed = names.map((name) => ({ name, rights: ALL_RIGHTS }));
    expect(await lackingRights(app, needed)).toEqual([]);
    const from = open.db === 'postgres' ? user : `'${user}'@'%'`;
    await open.query(`REVOKE UPDATE ON ${tables.acts.name} FROM ${from}`);
    await open.query(`REVOKE SELECT, INSERT, UPDATE, DELETE ON ${tables.holds.name} FROM ${from}`);
    const lacking = await lackingRights(app, needed);
    expect(lacking.map(({ name }) => name).sort()).toEqual([tables.acts.name, tables.holds.name]);
    const reads = needed.map(({ name }) => ({ name, rights: ['SELECT'] as const }));
    expect((await lackingRights(app, reads)).map(({ name }) => name)).toEqual([tables.holds.name]);
    const missing = { name: 'durable_missing', rights: ALL_RIGHTS };
    expect(await lackingRights(owner, [...needed, ...(open.db === 'postgres' ? [missing] : [])])).toEqual([]);
  });
});
