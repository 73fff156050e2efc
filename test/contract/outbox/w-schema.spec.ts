import { InvalidArgumentError, SchemaError } from '../../../lib/core/errors.js';
import type { OutboxOrdering } from '../../../lib/outbox/events.js';
import { SqlOutboxWriter } from '../../../lib/outbox/events.sql.js';
import { Outbox } from '../../../lib/outbox/outbox.js';
import { migrateOutbox, requireOutbox } from '../../../lib/outbox/schema.sql.js';
import { outboxSchemaSql } from '../../../lib/outbox/script.sql.js';
import { type OutboxTables, outboxTables } from '../../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/db-transports.js';
import { insertOf, inTransaction } from '../../support/outbox-app.js';
import { until } from '../../support/until.js';

const named = (table = 'outbox', schema?: string): OutboxTables =>
  outboxTables('durable', { table, nodesTable: `${table}_nodes`, schema });

const silent = { local: () => undefined, publish: () => undefined };
const outboxOn = (executor: SqlExecutor, tables: OutboxTables, ordering: OutboxOrdering = 'commit') =>
  new Outbox(new SqlOutboxWriter(executor, tables, silent, ordering), { payloadBytes: 1 << 20 });

describeDatabases('schema of the outbox', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 6 });
    executor = executorOf(backend, backend.handle);
    await migrate(executor, tablesWithPrefix('durable'));
  });
  afterEach(async () => {
    await backend.query('DROP TABLE IF EXISTS outbox, outbox_nodes');
    await backend.query('DELETE FROM durable_outbox_channels');
  });
  afterAll(() => backend.close());

  it('is made once, by any number of processes', async () => {
    const lacks = requireOutbox(executor, named());
    await expect(lacks).rejects.toThrow(SchemaError);
    await expect(lacks).rejects.toThrow(/table "outbox".*table "outbox_nodes".*index "outbox_pending"/);
    const made = await Promise.all(Array.from({ length: 4 }, () => migrateOutbox(executor, named())));
    expect(Math.max(...made.map((steps) => steps.length))).toBeGreaterThan(3);
    expect(await migrateOutbox(executor, named())).toEqual([]);
    await requireOutbox(executor, named());
  });

  it('leaves a table to whoever creates it, and says which is missing', async () => {
    const createdByOthers = ['table', 'nodesTable'] as const;
    const missing = migrateOutbox(executor, named(), { createdByOthers });
    await expect(missing).rejects.toThrow(/"outbox" is missing, and ADBC_OUTBOX_TABLE_AUTO_CREATE is false/);
    const made = await migrateOutbox(executor, named('other'), { createdByOthers: [] });
    expect(made).toContain('table "other_nodes"');
    await backend.query('DROP TABLE other_nodes');
    const nodes = migrateOutbox(executor, named('other'), { createdByOthers });
    await expect(nodes).rejects.toThrow(/"other_nodes" is missing, and ADBC_NODES_TABLE_AUTO_CREATE is false/);
    await expect(requireOutbox(executor, named())).rejects.toThrow(/table "outbox"/);
    await migrateOutbox(executor, named('other'));
    expect(await migrateOutbox(executor, named('other'), { createdByOthers })).toEqual([]);
    await backend.query('DROP TABLE other, other_nodes');
  });

  it('is what the exported script makes', async () => {
    const script = outboxSchemaSql(at.db, { table: 'outbox', nodesTable: 'outbox_nodes' });
    for (const statement of script.split(/;\n(?=\n|$)/).filter((text) => text.trim())) await backend.query(statement);
    await requireOutbox(executor, named());
    expect(await migrateOutbox(executor, named())).toEqual([]);
  });

  it('may have names of any kind, and a schema of its own', async () => {
    const odd = `we"ird 'sche\`ma $$ %I`;
    const schema = at.db === 'postgres' ? odd : undefined;
    if (schema) await backend.query(`CREATE SCHEMA "${odd.replaceAll('"', '""')}"`);
    const tables = named(`out"bo'x \`${'ä'.repeat(20)}`, schema);
    await migrateOutbox(executor, tables);
    expect(await migrateOutbox(executor, tables)).toEqual([]);
    const outbox = outboxOn(executor, tables);
    await outbox.publish({ channel: 'a', name: 'e', mutationId: 'alone' });
    await inTransaction(backend, 'READ COMMITTED', (transaction) =>
      outbox.publish({ channel: 'a', name: 'e', mutationId: 'joined' }, { transaction }),
    );
    const table = at.db === 'postgres' ? `"${odd.replaceAll('"', '""')}".` : '';
    const quoted =
      at.db === 'postgres'
        ? `"${tables.names.table.replaceAll('"', '""')}"`
        : `\`${tables.names.table.replaceAll('`', '``')}\``;
    const rows = await backend.query(`SELECT mutation_id FROM ${table}${quoted} ORDER BY sequence_id`);
    expect(rows.map((row) => row['mutation_id'])).toEqual(['alone', 'joined']);
  });

  it.each(['', 'a'.repeat(64), 'a\0', '\ud800', '$durable$'])('may not be named %j', async (table) => {
    await expect(migrateOutbox(executor, named(table))).rejects.toThrow(InvalidArgumentError);
  });

  it('16: refuses a table that is something else, and leaves it alone', async () => {
    await backend.query('CREATE TABLE outbox (id int, channel varchar(10))');
    await expect(migrateOutbox(executor, named())).rejects.toThrow(
      /is not an outbox: it lacks sequence_id, mutation_id, name/,
    );
    const columns = await backend.query(
      `SELECT column_name FROM information_schema.columns WHERE table_name = 'outbox' AND table_schema = ?`,
      [at.db === 'postgres' ? 'public' : backend.database],
    );
    expect(columns).toHaveLength(2);
  });

  it('16: refuses numbers that begin again', async () => {
    await migrateOutbox(executor, named());
    await backend.query(
      `INSERT INTO durable_outbox_channels (destination, channel, position, attempts) VALUES ('d', 'a', 7, 0)`,
    );
    await expect(requireOutbox(executor, named())).rejects.toThrow(/from 1, but 7 was assigned/);
    await expect(migrateOutbox(executor, named())).rejects.toThrow(SchemaError);
    const outbox = outboxOn(executor, named());
    for (let i = 0; i < 7; i++) await outbox.publish({ channel: 'a', name: 'e' });
    await requireOutbox(executor, named());
    await backend.query(at.db === 'postgres' ? 'TRUNCATE outbox RESTART IDENTITY' : 'TRUNCATE outbox');
    await expect(requireOutbox(executor, named())).rejects.toThrow(/RESTART IDENTITY/);
  });

  if (at.db !== 'postgres') {
    it.each([
      ['MODIFY sequence_id bigint NOT NULL', /make sequence_id AUTO_INCREMENT/],
      ['ADD UNIQUE KEY numbers (sequence_id), DROP PRIMARY KEY, ADD PRIMARY KEY (mutation_id)', /another primary key/],
    ])('16: refuses a table whose numbers are not its key (%s)', async (change, reason) => {
      await migrateOutbox(executor, named());
      await backend.query(`ALTER TABLE outbox ${change}`);
      await expect(requireOutbox(executor, named())).rejects.toThrow(reason);
    });
    return;
  }

  it('16: adopts the table and triggers of the connector, with rows and columns it does not know', async () => {
    await backend.query(`CREATE TABLE outbox (sequence_id serial PRIMARY KEY, mutation_id TEXT NOT NULL, channel TEXT NOT NULL,
      name TEXT NOT NULL, rejected boolean NOT NULL DEFAULT false, data JSONB, headers JSONB, locked_by TEXT,
      lock_expiry TIMESTAMP WITHOUT TIME ZONE, tenant text NOT NULL DEFAULT 'mine')`);
    await backend.query(
      `CREATE OR REPLACE FUNCTION outbox_notify() RETURNS trigger AS $$ BEGIN PERFORM pg_notify('ably_adbc'::text, ''::text); RETURN NULL; END; $$ LANGUAGE plpgsql`,
    );
    for (const name of ['public_outbox_trigger', 'outbox_trigger'])
      await backend.query(
        `CREATE TRIGGER ${name} AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE PROCEDURE outbox_notify()`,
      );
    await backend.query(insertOf('a', 'before'));
    await migrateOutbox(executor, named());
    await requireOutbox(executor, named());
    await backend.query(
      `INSERT INTO outbox (mutation_id, channel, name, data) VALUES ('my-mutation-id', 'posts:123', 'addComment', '"New comment!"')`,
    );
    await outboxOn(executor, named()).publish({ channel: 'posts:123', name: 'e', mutationId: 'ours', data: 1 });
    const rows = await backend.query('SELECT mutation_id, data, processed, tenant FROM outbox ORDER BY sequence_id');
    const shared = { processed: false, tenant: 'mine' };
    expect(rows).toEqual([
      { ...shared, mutation_id: 'before', data: null },
      { ...shared, mutation_id: 'my-mutation-id', data: 'New comment!' },
      { ...shared, mutation_id: 'ours', data: 1 },
    ]);
    const triggers = await backend.query(
      `SELECT tgname FROM pg_trigger WHERE tgrelid = 'outbox'::regclass ORDER BY tgname`,
    );
    expect(triggers.map((row) => row['tgname'])).toEqual([
      'public_outbox_note',
      'public_outbox_order',
      'public_outbox_trigger',
    ]);
  });

  it('16: tells the connector and our own processes of plain INSERTs, and of nothing while our own statement writes', async () => {
    await migrateOutbox(executor, named());
    const heard: (string | undefined)[] = [];
    // A connection that is opened again is a hint of its own.
    const notifier = createNotifier(executor, 'durable', () => undefined, { checkTimeoutMs: 30_000 });
    notifier.subscribe('outbox', (payload) => heard.push(payload));
    notifier.start();
    const connector: string[] = [];
    const listener = await executor.listen?.(['ably_adbc'], (channel, payload) =>
      connector.push(`${channel} ${payload}`),
    );
    try {
      await until('it listens', () => notifier.live);
      heard.length = 0;
      await outboxOn(executor, named()).publish({ channel: 'a', name: 'e' });
      await backend.query(insertOf('a', 'plain'));
      await until('both have heard', () => heard.length > 0 && connector.length > 0);
      expect([heard, connector]).toEqual([[undefined], ['ably_adbc ']]);
    } finally {
      await listener?.close();
      await notifier.stop();
    }
  });

  it.each([
    ['ALTER TABLE outbox DISABLE TRIGGER public_outbox_order', /enabled trigger "public_outbox_order"/],
    ['DROP TRIGGER public_outbox_note ON outbox', /enabled trigger "public_outbox_note"/],
    [
      'CREATE OR REPLACE FUNCTION outbox_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
      /function "outbox_order"/,
    ],
    ['ALTER SEQUENCE outbox_sequence_id_seq CACHE 20', /CACHE 20/],
    ['ALTER SEQUENCE outbox_sequence_id_seq INCREMENT -1 MINVALUE -100', /does not increase/],
    [
      'ALTER TABLE outbox ALTER sequence_id DROP DEFAULT ;; ALTER SEQUENCE outbox_sequence_id_seq OWNED BY NONE',
      /no sequence/,
    ],
  ])('16: notices %s', async (change, message) => {
    await migrateOutbox(executor, named());
    for (const statement of change.split(' ;; ')) await backend.query(statement);
    const refused = requireOutbox(executor, named());
    await expect(refused).rejects.toThrow(SchemaError);
    await expect(refused).rejects.toThrow(message);
  });

  it('replaces a function whose text or whose settings are of an earlier version', async () => {
    await migrateOutbox(executor, named());
    const settings = async () =>
      (
        await backend.query<{ set: string }>(
          `SELECT CAST(proconfig AS text) AS set FROM pg_proc WHERE proname = 'outbox_era'`,
        )
      )[0]!.set;
    const ours = await settings();
    for (const change of [
      'ALTER FUNCTION outbox_era() SET enable_seqscan = off',
      `CREATE OR REPLACE FUNCTION outbox_era() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
       AS $$ DECLARE was bigint; BEGIN SELECT e.last_value INTO was FROM public.outbox_era AS e; END $$`,
    ]) {
      await backend.query(change);
      await expect(requireOutbox(executor, named())).rejects.toThrow(/function "outbox_era"/);
      expect(await migrateOutbox(executor, named())).toEqual(['function "outbox_era"']);
      expect(await settings()).toBe(ours);
    }
  });

  it('goes from one ordering to another, and makes good what was disabled', async () => {
    for (const ordering of ['commit', 'insert', 'none', 'commit'] as const) {
      await migrateOutbox(executor, named(), { ordering });
      await requireOutbox(executor, named(), { ordering });
      await backend.query(insertOf('a', ordering));
    }
    await expect(requireOutbox(executor, named(), { ordering: 'insert' })).rejects.toThrow(
      /no trigger "public_outbox_note"/,
    );
    await backend.query('ALTER TABLE outbox DISABLE TRIGGER ALL');
    await migrateOutbox(executor, named());
    await requireOutbox(executor, named());
  });
});
