import { join } from 'node:path';
import { durableSkipTables } from 'nest-durable';
import { compiled } from '../../support/compiled.js';
import { ROOT } from '../../support/root.mjs';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { runProgram } from '../../support/programs.js';
import { tablesOf } from '../../support/schema-commands.js';
import { servers } from '../../support/test-servers.js';

const onMariadb = servers.some(({ db }) => db === 'mariadb') ? it : it.skip;

describe('The samples of migrations', () => {
  let database: FreshDatabase;

  afterEach(() => database.close());

  /** Runs a program, or a command of a package, and returns what it printed. */
  async function run(program: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, output } = await runProgram(program, args, {
      ...env,
      DATABASE_URL: database.url,
    });
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    return output;
  }
  const ours = async () => (await tablesOf(database)).filter((table) => durableSkipTables().includes(table));

  it('13: creates and drops the tables by commands of TypeORM', async () => {
    database = await createDatabase('postgres');
    const source = ['-d', compiled('sample/13-typeorm-migration/data-source.js')];
    const typeorm = (command: string, ...args: string[]) =>
      run(join(ROOT, 'node_modules/typeorm/cli.js'), [command, ...args, ...source]);

    expect(await typeorm('migration:run')).toMatch(/DurableTables1764000000000.* executed successfully/);
    expect(await run(compiled('sample/13-typeorm-migration/main.js'))).toBe('received: 42\n');
    expect(await typeorm('migration:generate', '--check', compiled('sample/next'))).toMatch(/No changes/);
    expect(await database.query('SELECT status FROM durable_runs')).toEqual([{ status: 'completed' }]);
    await typeorm('migration:revert');
    expect(await ours()).toEqual([]);
  });

  onMariadb('14: creates and drops the tables by commands of MikroORM', async () => {
    database = await createDatabase('mariadb');
    const config = { MIKRO_ORM_CLI_CONFIG: compiled('sample/14-mikro-orm-migration/mikro-orm.config.js') };
    const mikroOrm = (...args: string[]) => run(join(ROOT, 'node_modules/@mikro-orm/cli/cli.js'), args, config);

    await mikroOrm('migration:up');
    expect(await run(compiled('sample/14-mikro-orm-migration/main.js'))).toBe('received: 42\n');
    expect(await mikroOrm('migration:create', '--dump')).toMatch(/No changes required/);
    await mikroOrm('schema:update', '--run');
    expect(await database.query('SELECT amount, status FROM receipts JOIN durable_runs USING (id)')).toEqual([
      { amount: 42, status: 'completed' },
    ]);
    await mikroOrm('migration:down');
    expect(await ours()).toEqual([]);
  });
});
