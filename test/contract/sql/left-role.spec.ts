import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import type { SqlConnection } from '../../../lib/sql/executor.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { borrow } from '../../support/borrowed-connection.js';
import { needsOwner } from '../../support/role-of-tests.js';
import { thrownBy } from '../../support/thrown-by.js';
import { WORKS } from '../../support/works-on-connections.js';

needsOwner('makes roles, and takes rights away');

describeBackends('a role that code of the app leaves on a connection', (at) => {
  let owner: OpenBackend;
  let app: OpenBackend;
  let mess: { setRole: string; clean: string[]; named: RegExp };
  beforeAll(async () => {
    owner = await at.open();
    const [user, role] = [`u_${owner.database}`, `r_${owner.database}`];
    const isPostgres = at.db === 'postgres';
    const account = isPostgres ? user : `'${user}'@'%'`;
    // On PostgreSQL another role has no rights, on MySQL and MariaDB one has none without its role.
    const making = isPostgres
      ? [
          `CREATE ROLE ${user} LOGIN PASSWORD 'pw'`,
          `CREATE ROLE ${role}`,
          `GRANT ${role} TO ${user}`,
          `GRANT SELECT ON entries TO ${user}`,
        ]
      : [
          `CREATE USER ${account} IDENTIFIED BY 'pw'`,
          `CREATE ROLE ${role}`,
          `GRANT CREATE TEMPORARY TABLES ON ${owner.database}.* TO ${account}`,
          `GRANT SELECT ON ${owner.database}.entries TO ${role}`,
          `GRANT ${role} TO ${account}`,
          at.db === 'mysql' ? `SET DEFAULT ROLE ${role} TO ${account}` : `SET DEFAULT ROLE ${role} FOR ${account}`,
        ];
    await owner.query('CREATE TABLE entries (entry varchar(64) NOT NULL)');
    for (const text of making) await owner.query(text);
    mess = isPostgres
      ? {
          setRole: `SET ROLE ${role}`,
          clean: [`DROP OWNED BY ${user}`, `DROP ROLE ${user}`, `DROP ROLE ${role}`],
          named: new RegExp(`the role ${role} on this connection`),
        }
      : {
          setRole: 'SET ROLE NONE',
          clean: [`DROP USER ${account}`, `DROP ROLE ${role}`],
          named: /the role NONE on this connection/,
        };
    const { handle } = await owner.connect({ poolMax: 1, orm: { username: user, user, password: 'pw' } });
    app = { ...owner, handle };
  });
  afterAll(async () => {
    await (at.orm === 'typeorm'
      ? (app.handle as { destroy(): Promise<void> }).destroy()
      : (app.handle as { close(force?: boolean): Promise<void> }).close(true));
    for (const text of mess.clean) await owner.query(text);
    await owner.close();
  });

  it.each(['a lone statement', 'a transaction'])(
    'is not blamed where the login itself lacks a right for %s',
    async (name) => {
      const executor = (at.orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(app.handle as object);
      const own = raw(at.db === 'postgres' ? 'pg_backend_pid()' : 'CONNECTION_ID()');
      const session = async () => (await executor.run<{ id: number }>(sql`SELECT ${own} AS id`)).rows[0]!.id;
      const before = await session();
      const error = await thrownBy(WORKS[name]!(executor, (tx) => tx.run(sql`DELETE FROM entries`)));
      expect(error).toMatchObject({ code: 'DATABASE', transient: false });
      expect((error as Error).message).not.toContain('role');
      expect(await session()).toBe(before);
    },
  );

  it.each(Object.entries(WORKS))('is not met twice by %s', async (name, work) => {
    const executor = (at.orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(app.handle as object);
    const select = (tx: SqlConnection) => tx.run(sql`SELECT entry FROM entries`);
    await work(executor, select);
    const connection = await borrow(app);
    await connection.query(mess.setRole);
    await connection.giveBack();
    const error = await thrownBy(work(executor, select));
    expect(error).toMatchObject({ code: 'DATABASE', transient: false });
    // What the ORM begins it also ends, before anybody can ask.
    if (!name.endsWith('ORM')) expect((error as Error).message).toMatch(mess.named);
    await work(executor, select);
  });
});
