import type { MikroORM } from '@mikro-orm/core';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import {
  DbTransport,
  DurableModule,
  type DurableModuleOptions,
  durableSkipTables,
  mikroOrmExecutor,
  typeOrmExecutor,
} from 'nest-durable';
import { DataSource, EntitySchema } from 'typeorm';
import { DataSource as OlderDataSource } from 'typeorm-0.3';
import { describeDatabases, type OpenBackend, type OpenOptions } from '../../support/backends.js';
import { bootApp } from '../../support/nest-app.js';
import { createMigration, NoteSchema, tablesOf, updateSchema, withMigrations } from '../../support/schema-commands.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('changes the schema with the tools of the ORMs');

/** What MikroORM 6 and 7 each need in their configuration for commands outside of the app. */
const isSeven = (orm: MikroORM) => 'snapshotOnMigrate' in orm.config.get('migrations');
const COVERED = { skipTables: durableSkipTables(), ignoreRoutines: true };

let backend: OpenBackend;
let app: INestApplicationContext | undefined;

const boot = async (executor: object, options: DurableModuleOptions = {}): Promise<void> => {
  app = await bootApp({ imports: [DurableModule.forRoot({ executor: executor as never, engine: false, ...options })] });
};

/** What is logged of MikroORM meanwhile, with the level. */
async function logged(work: () => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const take =
    (level: string) =>
    (...line: unknown[]) =>
      void lines.push(`${level} ${String(line[0])}`);
  const spies = (['warn', 'error'] as const).map((level) =>
    jest.spyOn(Logger.prototype, level).mockImplementation(take(level)),
  );
  await work().finally(() => spies.forEach((spy) => spy.mockRestore()));
  return lines.filter((line) => line.includes('MikroORM'));
}

/** Our tables with a run and a working outbox, and the app's own. */
async function expectOurs(more: readonly string[]): Promise<void> {
  const { db, query } = backend;
  const ours = durableSkipTables().filter((name) => db !== 'postgres' || !/outbox_(locks|era)$/.test(name));
  const found = await tablesOf(backend);
  expect(found.filter((name) => name.startsWith('durable_'))).toEqual([...ours].sort());
  expect(found).toEqual(expect.arrayContaining([...more]));
  const insert = "INSERT INTO durable_outbox (mutation_id, channel, name, data) VALUES ('m', 'c', 'n', '{}')";
  await query(insert);
  expect(await query('SELECT name FROM durable_outbox WHERE channel = ?', ['c'])).toHaveLength(1);
}

const { NODE_ENV } = process.env;

afterEach(async () => {
  process.env['NODE_ENV'] = NODE_ENV;
  await app?.close();
  app = undefined;
  await backend.close();
});

describeDatabases(
  'The schema commands of MikroORM',
  ({ open }) => {
    const openOrm = async (orm: OpenOptions['orm'] = {}): Promise<MikroORM> => {
      backend = await open({ entities: [NoteSchema], orm });
      return backend.handle as MikroORM;
    };

    it('leave our tables and functions alone in an app that says nothing of them', async () => {
      const orm = await openOrm();
      await boot(mikroOrmExecutor(orm));
      await updateSchema(orm);
      await expectOurs(['app_notes']);
    });

    it('write no migration that drops them, also after others have run', async () => {
      const orm = await openOrm(withMigrations());
      await boot(mikroOrmExecutor(orm));
      await orm.migrator.up();
      const code = await createMigration(orm);
      expect(code).toMatch(/app_notes/);
      expect(code).not.toMatch(/durable_/);
    });

    it('do so outside of the app by its configuration alone', async () => {
      const migrations = { snapshot: false };
      const first = await openOrm(withMigrations({ schemaGenerator: COVERED, migrations }));
      await boot(mikroOrmExecutor(first));
      const options = withMigrations({
        schemaGenerator: isSeven(first) ? COVERED : { skipTables: durableSkipTables() },
        migrations: isSeven(first) ? {} : migrations,
      });
      const orm = (await backend.another({ entities: [NoteSchema], orm: options })) as MikroORM;
      await orm.migrator.up();
      expect(await createMigration(orm)).not.toMatch(/durable_/);
      await updateSchema(orm);
      await expectOurs(['app_notes']);
    });

    it('are told of in development, once for a process', async () => {
      const orm = await openOrm();
      const told = await logged(() => boot(mikroOrmExecutor(orm), { prefix: 'shop' }));
      expect(told).toContainEqual(
        expect.stringMatching(/warn .*CLI would drop the tables shop_\* .+skipTables: durableSkipTables\('shop'\)/),
      );
      await app!.close();
      expect(await logged(() => boot(mikroOrmExecutor(orm), { prefix: 'shop' }))).toEqual([]);
    });

    it('that cannot be told keep the app from starting, but in production they are only logged', async () => {
      const orm = await openOrm();
      Object.freeze(orm.config.get('schemaGenerator'));
      const lacks = 'schemaGenerator: { skipTables: durableSkipTables()';
      await expect(boot(mikroOrmExecutor(orm))).rejects.toMatchObject({
        code: 'CONFIGURATION',
        message: expect.stringMatching(
          /schemaGenerator\.skipTables of its configuration is frozen\. Put into/,
        ) as string,
      });
      expect(() => new DbTransport({ executor: mikroOrmExecutor(orm) })).toThrow(lacks);
      process.env['NODE_ENV'] = 'production';
      const told = await logged(() => boot(mikroOrmExecutor(orm), { migrate: true }));
      expect(told).toEqual([expect.stringMatching(/error .*would drop the tables durable_\* .*also in this process/)]);
      expect(told[0]).toContain(lacks);
    });

    it('leave our tables alone in a process with nothing but a DbTransport, and it tells of them', async () => {
      const orm = await openOrm();
      await boot(mikroOrmExecutor((await backend.another({})) as MikroORM));
      const transport = new DbTransport({ executor: mikroOrmExecutor(orm) });
      const told: unknown[] = [];
      transport.telemetry.on('tables.unprotected', (event) => told.push(event));
      await transport.dispatch({ runId: 'r', seq: 1, name: 'charge' });
      await updateSchema(orm);
      await transport.close();
      await expectOurs(['app_notes']);
      const lacking = expect.arrayContaining([expect.stringContaining('durableSkipTables()')]) as string[];
      expect(told).toEqual([{ tables: 'durable_*', lacking, here: true }]);
    });
  },
  { only: ({ orm }) => orm === 'mikro-orm' },
);

describeDatabases(
  'The schema commands of TypeORM',
  ({ open }) => {
    it.each([
      ['1', DataSource],
      ['0.3', OlderDataSource as unknown as typeof DataSource],
    ])('leave our tables alone: %s', async (_, Source) => {
      backend = await open();
      const { db: type, host, port, user: username, password, database } = backend;
      const columns = { id: { type: 'integer', primary: true } } as const;
      const entities = [new EntitySchema({ name: 'note', tableName: 'app_notes', columns })];
      const source = new Source({ type, host, port, username, password, database, entities });
      await source.initialize();
      await boot(typeOrmExecutor(source));
      const { upQueries, downQueries } = await source.driver.createSchemaBuilder().log();
      expect([...upQueries, ...downQueries].filter(({ query }) => query.includes('durable_'))).toEqual([]);
      await source.synchronize();
      await expectOurs(['app_notes']);
      await app!.close();
      app = undefined;
      await source.destroy();
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
