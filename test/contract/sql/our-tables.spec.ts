import { runCli } from '../../../lib/cli/cli.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { makeTables } from '../../support/our-tables.js';
import { servers } from '../../support/test-servers.js';

const PREFIX = 'durable';

async function schemaOf(database: FreshDatabase): Promise<unknown> {
  const { db, query, database: name } = database;
  if (db === 'postgres')
    return query(`
      SELECT table_name, column_name, data_type, collation_name, column_default, is_nullable, ordinal_position,
        (SELECT string_agg(indexdef, ' ' ORDER BY indexdef) FROM pg_indexes WHERE tablename = table_name) AS indexes
      FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, column_name`);
  const tables = await query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ? ORDER BY table_name`,
    [name],
  );
  return Promise.all(tables.map(async (table) => query(`SHOW CREATE TABLE ${String(table['name'])}`)));
}

describe.each(servers.map(({ db }) => db))('the tables that tests make at once (%s)', (db) => {
  const databases: FreshDatabase[] = [];
  afterAll(() => Promise.all(databases.map((database) => database.close())));

  it('are those that a migration makes', async () => {
    const [migrated, made] = [await createDatabase(db), await createDatabase(db)];
    databases.push(migrated, made);
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    expect([await runCli(['migrate', '--url', migrated.url], { env: {}, out: say, err: say }), said]).toEqual([
      0,
      expect.anything(),
    ]);
    await makeTables(made);
    const expected = await schemaOf(migrated);
    expect(JSON.stringify(expected)).toContain('durable_runs');
    expect(await schemaOf(made)).toEqual(expected);
    said.length = 0;
    expect(await runCli(['status', '--url', made.url], { env: {}, out: say, err: say })).toBe(0);
  });

  it.each(['runs', 'steps', 'effects'])('take no status that does not exist (%s)', async (table) => {
    const database = await createDatabase(db);
    databases.push(database);
    await makeTables(database);
    const columns = (await database.query(
      `SELECT column_name AS name, data_type AS type, column_default AS given FROM information_schema.columns
       WHERE table_schema IN ('public', '${database.database}') AND table_name = '${PREFIX}_${table}' AND is_nullable = 'NO' ORDER BY ordinal_position`,
    )) as { name: string; type: string; given: string | null }[];
    const valueOf = ({ name, type }: { name: string; type: string }) => (/char|text/.test(type) ? `'${name}'` : '1');
    const needed = columns.filter(({ given, name }) => given === null && name !== 'status');
    const insert = (status: string) =>
      database.query(`INSERT INTO ${PREFIX}_${table} (status, ${needed.map(({ name }) => name).join(', ')})
        VALUES ('${status}', ${needed.map(valueOf).join(', ')})`);
    await expect(insert('finished')).rejects.toThrow(/check|constraint/i);
    await insert('pending');
  });
});
