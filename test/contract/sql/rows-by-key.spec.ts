import { amongKeys, deleteByKeys, deleteByNumbers, KEY_COLLATION } from '../../../lib/sql/dialects.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { id, join, raw, sql, type Statement } from '../../../lib/sql/statement.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';

const [table, numbered] = [id('short'), id('numbered')];
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

class RolledBack extends Error {}

/** A table with few rows is read whole where the server thinks that this costs less than to find them. */
describeDatabases('rows that are found by their keys in a short table', (at) => {
  let backend: OpenBackend;
  let db: SqlExecutor;
  beforeAll(async () => {
    backend = await at.open();
    db = executorOf(backend);
    const { name } = db.dialect;
    const collation = name === 'postgres' ? '' : ` CHARACTER SET utf8mb4 COLLATE ${KEY_COLLATION[name]}`;
    await backend.query(`CREATE TABLE short (id varchar(191)${collation} NOT NULL PRIMARY KEY, n bigint NOT NULL)`);
    await backend.query('CREATE TABLE numbered (id bigint NOT NULL PRIMARY KEY, n bigint NOT NULL)');
    await db.run(sql`INSERT INTO ${table} (id, n) VALUES ${join(KEYS.map((key) => sql`(${key}, 0)`))}`);
    await db.run(sql`INSERT INTO ${numbered} (id, n) VALUES ${join(KEYS.map((_, n) => sql`(${n}, 0)`))}`);
  });
  afterAll(() => backend?.close());

  /** Runs it while another transaction holds the locks of `b` and of 1; returns how many rows it found. */
  async function beside(statement: Statement): Promise<number> {
    const [locked, ends] = [gate(), gate()];
    const holder = db.transaction(async (tx) => {
      await tx.run(sql`UPDATE ${table} SET n = 1 WHERE id = 'b'`);
      await tx.run(sql`UPDATE ${numbered} SET n = 1 WHERE id = 1`);
      locked.open();
      await ends.opened;
    });
    let found = 0;
    try {
      await locked.opened;
      const run = db.transaction(async (tx) => {
        if (db.dialect.family === 'mysql') await tx.run(raw('SET innodb_lock_wait_timeout = 1'));
        const { rows, affected } = await tx.run(statement);
        found = rows.length || affected;
        throw new RolledBack();
      });
      await expect(run).rejects.toBeInstanceOf(RolledBack);
    } finally {
      ends.open();
      await holder;
    }
    return found;
  }

  const others = (count: number) => KEYS.filter((key) => key !== 'b').slice(0, count);

  it.each([1, 2, 3, 5, 7])('are locked, changed and deleted alone: %i of eight', async (count) => {
    const [keys, { dialect }] = [others(count), db];
    const numbers = keys.map((key) => KEYS.indexOf(key));
    const [force, by] = [dialect.forceIndex(), sql`id ${amongKeys(dialect, keys)}`];
    const from = sql`${dialect.rows(
      keys.map((key) => ({ key })),
      { key: 'key' },
    )} AS k`;
    const joined = { table, as: 's', from, on: sql`s.id = k.${id('key')}` };
    const found = [
      await beside(sql`SELECT id, n FROM ${table} ${force} WHERE ${by} ORDER BY id FOR UPDATE`),
      await beside(sql`UPDATE ${table} ${force} SET n = n + 1 WHERE ${by}`),
      await beside(dialect.updateFrom({ ...joined, set: { n: raw('s.n + 1') } })),
      await beside(dialect.deleteFrom(joined)),
      await beside(deleteByKeys(dialect, table, 'id', keys)),
      await beside(sql`${deleteByKeys(dialect, table, 'id', keys)} AND n = 0`),
      await beside(deleteByNumbers(dialect, numbered, 'id', numbers)),
    ];
    expect(found).toEqual(found.map(() => count));
  });
});
