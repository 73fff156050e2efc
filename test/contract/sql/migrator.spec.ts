import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { MikroORM } from '@mikro-orm/core';
import type { DataSource } from 'typeorm';
import { ConfigurationError, DatabaseError, InvalidArgumentError, SchemaError } from '../../../lib/core/errors.js';
import { mysql } from '../../../lib/sql/dialects.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import {
  ALL_MIGRATIONS,
  dropSchemaStatements,
  migrate,
  pendingMigrations,
  requireMigrated,
  schemaStatements,
  scriptOf,
  validatePrefix,
} from '../../../lib/sql/migrations/migrator.js';
import { createIndex, type Migration } from '../../../lib/sql/migrations/schema-steps.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { checkServer, refusalOf } from '../../../lib/sql/servers.js';
import { sql, type Statement } from '../../../lib/sql/statement.js';
import { type Tables, tablesWithPrefix } from '../../../lib/sql/tables.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { ROOT } from '../../support/root.mjs';
import { needsOwner } from '../../support/role-of-tests.js';
import { sized } from '../../support/tiers.js';

needsOwner('migrates');

const executorOf = (handle: unknown): SqlExecutor =>
  handle instanceof MikroORM ? mikroOrmExecutor(handle) : typeOrmExecutor(handle as DataSource);

const ALL = ['001-transport', '001-engine'];
/** Beside the published tables of the outbox, which are made by themselves. */
const SLICES = [
  ...['effects', 'effect_audit'],
  'inbox_positions',
  ...['channels', 'dead', 'destinations', 'pruned', 'shards'].map((name) => `outbox_${name}`),
];
const allOf = ({ prefix, home: _, ...tables }: Tables, db: string): string[] =>
  [
    ...Object.values(tables).map(({ name }) => name),
    ...[...SLICES, ...(db === 'postgres' ? [] : ['outbox_locks'])].map((name) => `${prefix}_${name}`),
  ].sort();
/** As a later version may bring one. */
const NEXT: Migration = {
  id: '002-next',
  since: '0.2.0',
  part: 'engine',
  steps: (dialect, { runs, tasks }) => [
    {
      statement: sql`ALTER TABLE ${runs} ADD COLUMN added varchar(64), ADD COLUMN filled varchar(64) NOT NULL DEFAULT 'yes'`,
      done: sql`SELECT 1 AS found FROM information_schema.columns
  WHERE table_schema = ${dialect.schemaOf({ schema: undefined })} AND table_name = ${runs.name} AND column_name = 'added'`,
    },
    createIndex(dialect, runs, 'added', 'added'),
    createIndex(dialect, tasks, 'added', 'run_id'),
  ],
};
let prefixes = 0;
const freshTables = () => tablesWithPrefix(`t${++prefixes}`);

/** The table contract as it is published, word by word: no indexes, and the server's own charset. */
const published = (prefix: string, text: string): string[] => [
  `CREATE TABLE ${prefix}_transport_tasks (step_id varchar(191) primary key, run_id varchar(191) not null, seq integer not null, name varchar(191) not null, grp varchar(191) not null, input ${text}, attempt integer not null, status varchar(32) not null, claimed_by varchar(191), claimed_at bigint, created_at bigint not null)`,
  `CREATE TABLE ${prefix}_transport_results (step_id varchar(191) primary key, run_id varchar(191) not null, seq integer not null, status varchar(32) not null, output ${text}, error ${text}, started_at bigint, claimed_by varchar(191), claimed_at bigint, created_at bigint not null)`,
];

describeDatabases('migrations', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;

  beforeAll(async () => {
    backend = await at.open({ poolMax: 12 });
    executor = executorOf(backend.handle);
  });
  afterAll(() => backend.close());

  const tableNames = async (prefix: string): Promise<string[]> => {
    const schema = backend.db === 'postgres' ? 'current_schema()' : 'DATABASE()';
    const rows = await backend.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema} ORDER BY 1`,
    );
    const names = rows.map(({ name }) => name).filter((name) => name.startsWith(`${prefix}_`));
    return names.sort();
  };

  const columnsOf = (table: string) =>
    backend.query(
      `SELECT column_name AS name, data_type AS type, character_maximum_length AS length, is_nullable AS nullable, collation_name AS collation
       FROM information_schema.columns WHERE table_name = ? AND table_schema = ${backend.db === 'postgres' ? 'current_schema()' : 'DATABASE()'} ORDER BY ordinal_position`,
      [table],
    );

  const indexesOf = async (table: string): Promise<string[]> => {
    const text =
      backend.db === 'postgres'
        ? 'SELECT indexname AS name FROM pg_indexes WHERE tablename = ?'
        : 'SELECT DISTINCT index_name AS name FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ?';
    return (await backend.query<{ name: string }>(text, [table])).map(({ name }) => name).sort();
  };

  /** Columns and indexes of all tables with this prefix, without it: asked at once, since MySQL takes its time for each. */
  const shapeOf = async (prefix: string) => {
    const schema = backend.db === 'postgres' ? 'current_schema()' : 'DATABASE()';
    const columns = await backend.query<{ tab: string }>(
      `SELECT table_name AS tab, column_name AS name, data_type AS type, character_maximum_length AS length, is_nullable AS nullable, collation_name AS collation
       FROM information_schema.columns WHERE table_schema = ${schema} ORDER BY table_name, ordinal_position`,
    );
    const indexes = await backend.query<{ tab: string; name: string }>(
      backend.db === 'postgres'
        ? 'SELECT tablename AS tab, indexname AS name FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1, 2'
        : 'SELECT DISTINCT table_name AS tab, index_name AS name FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY 1, 2',
    );
    const own = <Row extends { tab: string }>(rows: Row[]): Row[] =>
      rows
        .filter(({ tab }) => tab.startsWith(`${prefix}_`))
        .map((row) => ({ ...row, tab: row.tab.slice(prefix.length + 1) }));
    return {
      columns: own(columns),
      indexes: own(indexes).map((row) => ({ ...row, name: row.name.replace(prefix, '') })),
    };
  };

  /** Fails once, at this statement. */
  const failingAt = (number: number): SqlExecutor => {
    let statements = 0;
    return {
      dialect: executor.dialect,
      run: (statement) => executor.run(statement),
      transaction: (work) =>
        executor.transaction((tx) => {
          const run = <Row>(statement: Statement) => {
            if (++statements === number) throw new DatabaseError('pulled the plug', true);
            return tx.run<Row>(statement);
          };
          return work({ dialect: tx.dialect, run, afterCommit: (listener) => tx.afterCommit(listener) });
        }),
      ormTransaction: (work) => executor.ormTransaction(work),
      join: (handle) => executor.join(handle),
    };
  };

  it('makes all tables once', async () => {
    const tables = freshTables();
    await expect(pendingMigrations(executor, tables)).resolves.toEqual(ALL);
    await expect(requireMigrated(executor, tables)).rejects.toThrow(SchemaError);
    await expect(migrate(executor, tables)).resolves.toEqual(ALL);
    await expect(migrate(executor, tables)).resolves.toEqual([]);
    await expect(pendingMigrations(executor, tables)).resolves.toEqual([]);
    await requireMigrated(executor, tables);
    expect(await tableNames(tables.prefix)).toEqual(allOf(tables, backend.db));
  });

  it("makes the transport's tables alone, and the rest later", async () => {
    const tables = freshTables();
    await expect(migrate(executor, tables, { part: 'transport' })).resolves.toEqual(['001-transport']);
    await expect(migrate(executor, tables, { part: 'transport' })).resolves.toEqual([]);
    await requireMigrated(executor, tables, { part: 'transport' });
    await expect(requireMigrated(executor, tables)).rejects.toThrow('001-engine');
    await expect(migrate(executor, tables)).resolves.toEqual(['001-engine']);
  });

  it("adopts the published contract's own tables: adds indexes and changes nothing else", async () => {
    const tables = freshTables();
    const { name } = tables.tasks;
    for (const text of published(tables.prefix, backend.db === 'postgres' ? 'text' : 'longtext'))
      await backend.query(text);
    const before = await columnsOf(name);
    await migrate(executor, tables);
    expect(await columnsOf(name)).toEqual(before);
    expect(await indexesOf(name)).toContain(`${name}_claim`);
    const put = sql`INSERT INTO ${tables.tasks} (step_id, run_id, seq, name, grp, attempt, status, created_at) VALUES ('r:1', 'r', 1, 'n', 'g', 1, 'pending', 1)`;
    await executor.run(put);
    // Keys of ours meet columns of another collation there.
    const rows = executor.dialect.rows([{ id: 'r:1' }], { id: 'key' });
    const found = await executor.run(sql`SELECT t.seq FROM ${rows} AS r JOIN ${tables.tasks} t ON t.step_id = r.id`);
    expect(found.affected).toBe(1);
  });

  it('completes what an interrupted migration has left', async () => {
    const tables = freshTables();
    await expect(migrate(failingAt(7), tables)).rejects.toThrow('pulled the plug');
    await expect(migrate(executor, tables)).resolves.toContain('001-engine');
    expect(await indexesOf(tables.tasks.name)).toContain(`${tables.tasks.name}_claim`);
    expect(await tableNames(tables.prefix)).toEqual(allOf(tables, backend.db));
  });

  it('upgrades what an earlier version made, with the rows in it, whoever is interrupted', async () => {
    const tables = freshTables();
    await migrate(executor, tables);
    await executor.run(sql`INSERT INTO ${tables.runs} (id, namespace, workflow, version, status, epoch, settled, crashes, created_at)
      VALUES ('r', 'n', 'w', 1, 'pending', 0, 0, 0, 1)`);
    const upgrade = { migrations: [...ALL_MIGRATIONS, NEXT] };
    await expect(requireMigrated(executor, tables, upgrade)).rejects.toThrow('002-next');
    await expect(migrate(failingAt(7), tables, upgrade)).rejects.toThrow('pulled the plug');
    const upgraded = await Promise.all([1, 2].map(() => migrate(executor, tables, upgrade)));
    expect(upgraded.flat()).toEqual(['002-next']);
    await expect(pendingMigrations(executor, tables, upgrade)).resolves.toEqual([]);
    expect(await indexesOf(tables.runs.name)).toContain(`${tables.runs.name}_added`);
    expect(await indexesOf(tables.tasks.name)).toContain(`${tables.tasks.name}_added`);
    const { rows } = await executor.run(sql`SELECT id, added, filled FROM ${tables.runs}`);
    expect(rows).toEqual([{ id: 'r', added: null, filled: 'yes' }]);
    // The version before still runs, and adds nothing.
    await expect(migrate(executor, tables)).resolves.toEqual([]);
  });

  it('does what the exported script does', async () => {
    const [script, migrated] = [freshTables(), freshTables()];
    for (const statement of schemaStatements(backend.db, script.prefix)) await backend.query(statement);
    await expect(pendingMigrations(executor, script)).resolves.toEqual([]);
    await migrate(executor, migrated);
    expect(await tableNames(script.prefix)).toEqual(allOf(script, backend.db));
    expect(await shapeOf(script.prefix)).toEqual(await shapeOf(migrated.prefix));
  });

  it('exports what an earlier version lacks, and what drops all of it', async () => {
    const tables = freshTables();
    const run = async (statements: readonly string[]) => {
      for (const statement of statements) await backend.query(statement);
    };
    const upgrade = { migrations: [...ALL_MIGRATIONS, NEXT] };
    const versions = { ...upgrade, installed: '0.2.0' };
    await run(schemaStatements(backend.db, tables.prefix, { ...versions, to: '0.1.0' }));
    await expect(pendingMigrations(executor, tables, upgrade)).resolves.toEqual(['002-next']);
    await run(schemaStatements(backend.db, tables.prefix, { ...versions, from: '0.1.0' }));
    await expect(pendingMigrations(executor, tables, upgrade)).resolves.toEqual([]);
    expect(schemaStatements(backend.db, tables.prefix, { ...versions, from: '0.2.0' })).toEqual([]);
    await run(dropSchemaStatements(backend.db, tables.prefix));
    expect(await tableNames(tables.prefix)).toEqual([]);
  });

  it('E5, T9: many processes boot again and again at once: no error', async () => {
    const tables = freshTables();
    const many = sized(10, 4);
    const others = await Promise.all(Array.from({ length: many }, () => backend.another({ poolMax: 2 })));
    const boots = others.flatMap((handle) => {
      const on = executorOf(handle);
      return Array.from({ length: many }, (_, i) => migrate(on, tables, i % 3 === 0 ? { part: 'transport' } : {}));
    });
    const applied = (await Promise.all(boots)).flat();
    expect(applied.sort()).toEqual([...ALL].sort());
  });

  it('leaves no lock behind, also when it fails', async () => {
    expect(prefixes).toBeGreaterThan(0);
    for (let used = 1; used <= prefixes; used++) {
      const [row] =
        backend.db === 'postgres'
          ? await backend.query(
              "SELECT pid AS holder FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database() WHERE locktype = 'advisory'",
            )
          : await backend.query(
              "SELECT IS_USED_LOCK(SHA2(CONCAT('nest-durable.', DATABASE(), '.t', ?), 256)) AS holder",
              [used],
            );
      expect(row?.holder ?? null).toBeNull();
    }
  });

  it('accepts its server', () => expect(checkServer(executor)).resolves.toBeUndefined());
});

describe('a prefix', () => {
  it.each(['durable', 'D', 'a1_b2', `x${'y'.repeat(30)}`])('may be %s', (prefix) => {
    expect(() => validatePrefix(prefix)).not.toThrow();
  });
  it.each(['', '1a', '_a', 'a-b', 'a b', 'a"; DROP TABLE x; --', 'ä', `x${'y'.repeat(31)}`, undefined, null, 7])(
    'may not be %p',
    (prefix) => expect(() => validatePrefix(prefix)).toThrow(InvalidArgumentError),
  );
});

describe('a server', () => {
  it.each([
    ['postgres', 'PostgreSQL 12.22 on x86_64'],
    ['postgres', 'PostgreSQL 18.4'],
    ['mysql', '8.0.17'],
    ['mysql', '9.7.4-2'],
    ['mariadb', '10.6.1-MariaDB'],
    ['mariadb', '5.5.5-10.11.19-MariaDB-0+deb12u1'],
  ] as const)('of %s may be %s', (name, version) => expect(refusalOf(name, version)).toBeUndefined());

  it.each([
    ['postgres', 'PostgreSQL 11.22', 'must be 12 or newer'],
    ['mysql', '5.7.44', 'must be 8.0.17 or newer'],
    ['mysql', '10.11.19-MariaDB', "use the ORM's mariadb type"],
    ['mariadb', '10.5.9-MariaDB', 'must be 10.6 or newer'],
    ['mariadb', '8.4.0', "use the ORM's mysql type"],
  ] as const)('of %s may not be %s', (name, version, why) => expect(refusalOf(name, version)).toContain(why));

  it('that is another than the ORM says is refused', async () => {
    const connection = {
      dialect: mysql,
      run: () => Promise.resolve({ rows: [{ version: '5.7.1' }], affected: 1 }),
    } as unknown as SqlExecutor;
    await expect(checkServer(connection)).rejects.toThrow(ConfigurationError);
  });
});

describe.each(['postgres', 'mysql', 'mariadb'] as const)('the schema of %s', (name) => {
  it('is the one under review', () => {
    const reviewed = readFileSync(join(ROOT, `test/contract/sql/schema.${name}.sql`), 'utf8');
    expect(scriptOf(schemaStatements(name, 'durable'))).toBe(reviewed);
  });
});
