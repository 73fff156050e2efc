import { DurableDoctor } from '../../../lib/doctor/doctor.js';
import { expectedSchema } from '../../../lib/doctor/tables.js';
import { migrateOutbox } from '../../../lib/outbox/schema.sql.js';
import { outboxTableNames, outboxTables } from '../../../lib/outbox/tables.sql.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { checked, mend, saidBy } from '../../support/examined.js';

describeDatabases('the doctor and the schema', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;
  const isPostgres = at.db === 'postgres';
  beforeAll(async () => {
    backend = await at.open();
    executor = executorOf(backend);
  });
  afterAll(() => backend.close());

  const quoted = (name: string) => (isPostgres ? `"${name}"` : `\`${name}\``);

  /** Damages the schema, and mends it by what the finding prints. */
  async function provoke(id: string, damage: readonly string[], said: RegExp): Promise<void> {
    for (const text of damage) await backend.script(text);
    const found = await checked(executor, id);
    expect(saidBy(found)).toMatch(said);
    expect(found).toMatchObject({ outcome: 'found', page: `docs/doctor.md#${found.group}` });
    await mend(found, backend);
    expect(saidBy(await checked(executor, id))).toBe('');
  }

  it('migrations: says which are not applied', async () => {
    await provoke('migrations', [], /^error: Not applied: 001-transport, 001-engine$/);
  });

  it('finds nothing in tables that were just migrated, in any ordering', async () => {
    const published = outboxTables('durable', outboxTableNames({}, 'durable', {}));
    await migrate(executor, tablesWithPrefix('durable'));
    const only = ['migrations', 'columns', 'indexes', 'unused-indexes', 'outbox', 'storage', 'collations', 'rights'];
    for (const ordering of ['none', 'insert', 'commit'] as const) {
      await migrateOutbox(executor, published, { ordering });
      const report = await new DurableDoctor(executor, { outbox: { ordering } }).examine({ only });
      expect(report.checks.map(saidBy).join('')).toBe('');
      expect(report.counts).toEqual({ error: 0, warning: 0, info: 0, untold: 0 });
    }
  });

  it('knows every table and index of the migrations', () => {
    const { tables, indexes } = expectedSchema(executor.dialect, tablesWithPrefix('durable'));
    expect(tables.length).toBeGreaterThan(25);
    expect(indexes.length).toBeGreaterThan(40);
    for (const { primaryKey, columns } of tables) {
      expect(primaryKey).not.toEqual([]);
      for (const { type } of columns) expect(type).toMatch(/^[a-z]/);
    }
  });

  it('columns: a missing table, a missing column, another type, another default, NULL', async () => {
    const drop = (table: string, column: string) => `ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(column)}`;
    const alter = (table: string, onPostgres: string, onMysql: string) =>
      `ALTER TABLE ${quoted(table)} ${isPostgres ? onPostgres : onMysql}`;
    await provoke('columns', ['DROP TABLE durable_acts'], /^error: The table "durable_acts" is missing$/);
    // Its indexes are missing, too.
    await mend(await checked(executor, 'indexes'), backend);
    await provoke('columns', [drop('durable_runs', 'erased_at')], /"durable_runs"\."erased_at" is missing$/);
    await provoke(
      'columns',
      [alter('durable_steps', 'ALTER COLUMN ref TYPE varchar(20)', 'MODIFY COLUMN ref varchar(20)')],
      /"durable_steps"\."ref" is (character varying|varchar)\(20\) instead of (character varying|varchar)\(191\)$/,
    );
    await provoke(
      'columns',
      [alter('durable_runs', 'ALTER COLUMN turn TYPE integer', 'MODIFY COLUMN turn int')],
      /"durable_runs"\."turn" is int(eger)? instead of bigint$/,
    );
    await provoke(
      'columns',
      [alter('durable_runs', 'ALTER COLUMN crashes DROP NOT NULL', 'MODIFY COLUMN crashes integer')],
      /"durable_runs"\."crashes" is nullable instead of NOT NULL$/,
    );
    await provoke(
      'columns',
      [
        alter('durable_effects', 'ALTER COLUMN status DROP DEFAULT', 'MODIFY COLUMN status varchar(16) NOT NULL'),
        alter('durable_runs', 'ALTER COLUMN unwinds SET DEFAULT 1', 'MODIFY COLUMN unwinds integer NOT NULL DEFAULT 1'),
      ],
      /"unwinds" is DEFAULT 1 instead of DEFAULT 0\n.*"status" is without a default instead of DEFAULT pending$/,
    );
    await provoke(
      'columns',
      [alter('durable_acts', 'ALTER COLUMN id DROP IDENTITY', 'MODIFY COLUMN id bigint NOT NULL')],
      /"durable_acts"\."id" is not numbered instead of numbered by the database$/,
    );
    await provoke(
      'columns',
      [`ALTER TABLE durable_holds ADD COLUMN tenant ${isPostgres ? 'text' : 'varchar(20)'} NOT NULL`],
      /"durable_holds" has a column "tenant" that is not ours and needs a value/,
    );
  });

  it('indexes: a missing one, other columns, another order, a lost key', async () => {
    const drop = (index: string, table: string) => `DROP INDEX ${quoted(index)}${isPostgres ? '' : ` ON ${table}`}`;
    const claim = drop('durable_transport_tasks_claim', 'durable_transport_tasks');
    await provoke('indexes', [claim], /^error: The index "durable_transport_tasks_claim" is missing/);
    await provoke(
      'indexes',
      [claim, 'CREATE INDEX durable_transport_tasks_claim ON durable_transport_tasks (created_at, grp)'],
      /"durable_transport_tasks_claim" is \(created_at, grp\) instead of \(grp, created_at\)$/,
    );
    await provoke(
      'indexes',
      [claim, 'CREATE INDEX durable_transport_tasks_claim ON durable_transport_tasks (grp DESC, created_at)'],
      /"durable_transport_tasks_claim" is \(grp DESC, created_at\) instead of \(grp, created_at\)$/,
    );
    await provoke(
      'indexes',
      [
        drop('durable_signals_dedup', 'durable_signals'),
        'CREATE INDEX durable_signals_dedup ON durable_signals (channel, dedup_id)',
      ],
      /"durable_signals_dedup" is \(channel, dedup_id\) instead of UNIQUE \(channel, dedup_id\)$/,
    );
    const key = isPostgres ? 'DROP CONSTRAINT durable_start_keys_pkey' : 'DROP PRIMARY KEY';
    await provoke(
      'indexes',
      [`ALTER TABLE durable_start_keys ${key}, ADD PRIMARY KEY (start_key, run_id)`],
      /The primary key of "durable_start_keys" is \(start_key, run_id\) instead of \(start_key\)$/,
    );
    await provoke(
      'indexes',
      [`ALTER TABLE durable_start_keys ${key}`],
      /"durable_start_keys" is missing: it should be/,
    );
  });

  it('unused-indexes: one that the planner does not see', async () => {
    const hidden = {
      postgres: `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'durable_runs_due'::regclass`,
      mysql: 'ALTER TABLE durable_runs ALTER INDEX durable_runs_due INVISIBLE',
      mariadb: 'ALTER TABLE durable_runs ALTER INDEX durable_runs_due IGNORED',
    };
    await provoke('unused-indexes', [hidden[at.db]], /^error: No statement uses the index "durable_runs_due"$/);
  });

  it('outbox: a missing index, and a missing table', async () => {
    const index = isPostgres
      ? 'DROP INDEX durable_outbox_channel'
      : 'DROP INDEX durable_outbox_channel ON durable_outbox';
    await provoke(
      'outbox',
      [index],
      /^error: The outbox lacks for the ordering 'commit': index "durable_outbox_channel"$/,
    );
    await provoke('outbox', ['DROP TABLE durable_outbox_nodes'], /table "durable_outbox_nodes"/);
    expect(saidBy(await checked(executor, 'outbox', { outbox: false }))).toBe('');
  });

  if (isPostgres) {
    it('indexes: one that is no B-tree', async () => {
      const damage = [
        'DROP INDEX durable_runs_listing',
        'CREATE INDEX durable_runs_listing ON durable_runs USING brin (created_at, id)',
      ];
      await provoke('indexes', damage, /"durable_runs_listing" is USING brin \(created_at, id\) instead of/);
    });

    it('indexes: another collation', async () => {
      const other = [
        'DROP INDEX durable_transport_results_collect',
        'CREATE INDEX durable_transport_results_collect ON durable_transport_results (created_at, step_id)',
      ];
      await provoke('indexes', other, /is \(created_at, step_id\) instead of \(created_at, step_id COLLATE C\)$/);
    });

    it('indexes: another condition', async () => {
      const other = [
        'DROP INDEX durable_runs_parent',
        'CREATE INDEX durable_runs_parent ON durable_runs (parent_id, id)',
      ];
      await provoke('indexes', other, /is \(parent_id, id\) instead of \(parent_id, id\) WHERE parent_id IS NOT NULL$/);
    });

    it('outbox: a trigger that is turned off, a function that was changed', async () => {
      const [row] = await backend.query<{ name: string }>(
        `SELECT tgname AS name FROM pg_trigger WHERE tgrelid = 'durable_outbox'::regclass AND tgname LIKE '%order%'`,
      );
      const disable = `ALTER TABLE durable_outbox DISABLE TRIGGER "${row?.name}"`;
      await provoke('outbox', [disable], /enabled trigger "public_durable_outbox_order"$/);
      const change = `CREATE OR REPLACE FUNCTION durable_outbox_note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`;
      await provoke('outbox', [change], /function "durable_outbox_note"$/);
    });

    it('storage: parameters that a copy by hand has lost', async () => {
      const lost = 'ALTER TABLE durable_runs RESET (fillfactor, autovacuum_vacuum_scale_factor)';
      await provoke(
        'storage',
        [lost],
        /^warning: "durable_runs" has lost fillfactor = 80, autovacuum_vacuum_scale_factor = 0\.02:/,
      );
    });

    it('collations: ids that are equal though they differ', async () => {
      await backend.script(
        `CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
      );
      const damage = 'ALTER TABLE durable_holds ALTER COLUMN name TYPE varchar(191) COLLATE loose';
      await provoke('collations', [damage], /"durable_holds"\."name" has the collation "loose"/);
    });

    it('sequences: numbers of an adopted outbox that end at two billion', async () => {
      const damage = [
        'ALTER TABLE durable_outbox ALTER COLUMN sequence_id TYPE integer',
        `ALTER SEQUENCE durable_outbox_sequence_id_seq AS integer`,
        `SELECT setval('durable_outbox_sequence_id_seq', 2000000000)`,
      ];
      await provoke('sequences', damage, /"durable_outbox"\."sequence_id" has used 2000000000 of 2147483647 numbers$/);
    });
  } else {
    it('storage: an engine without transactions', async () => {
      await provoke(
        'storage',
        ['ALTER TABLE durable_limiters ENGINE = MyISAM'],
        /"durable_limiters" is stored by MyISAM/,
      );
      await provoke(
        'storage',
        ['ALTER TABLE durable_outbox_nodes ENGINE = MyISAM'],
        /"durable_outbox_nodes" is stored by MyISAM/,
      );
    });

    it('sequences: numbers that end at two billion', async () => {
      const damage = [
        'ALTER TABLE durable_acts MODIFY id int NOT NULL AUTO_INCREMENT',
        `INSERT INTO durable_acts (id, at, actor, action, kind, target, reason, namespace, outcome, details)
         VALUES (2000000000, 1, 'ada', 'retry', 'run', 'a', 'it hung', 'default', 'changed', '{}')`,
      ];
      await provoke('sequences', damage, /"durable_acts"\."id" has used 2000000000 of 2147483647 numbers$/);
      await backend.query('DELETE FROM durable_acts');
    });

    it('collations: texts that are compared by letters', async () => {
      const damage = 'ALTER TABLE durable_runs CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci';
      await provoke(
        'collations',
        [damage],
        /Texts of "durable_runs" are compared otherwise.*id \(utf8mb4_general_ci\)/,
      );
      expect(saidBy(await checked(executor, 'columns'))).toBe('');
    });
  }

  it('refuses checks that do not exist', async () => {
    await expect(new DurableDoctor(executor).examine({ only: ['colums'] })).rejects.toThrow(/colums.*columns\?/);
    await expect(new DurableDoctor(executor).examine({ skip: ['nothing'] })).rejects.toThrow(
      /one of version, writable/,
    );
    await expect(new DurableDoctor(executor).examine({ onyl: [] } as never)).rejects.toThrow(/did you mean "only"/);
  });
});
