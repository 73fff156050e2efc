import { DataSource } from 'typeorm';
import { outboxRolesSql } from '../../../lib/outbox/script.sql.js';
import { requireOutbox } from '../../../lib/outbox/schema.sql.js';
import { SqlOutboxWriter } from '../../../lib/outbox/events.sql.js';
import { Outbox } from '../../../lib/outbox/outbox.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { type OpenBackend, describeDatabases } from '../../support/backends.js';
import { insertOf, openOutbox, type OpenOutbox } from '../../support/outbox-app.js';

const silent = { local: () => undefined, publish: () => undefined };
const NAMES = { table: 'outbox', nodesTable: 'nodes' };

// Rights are the database's, whichever ORM asks.
describeDatabases(
  'roles of an outbox',
  (at) => {
    let backend: OpenBackend;
    let open: OpenOutbox;
    const roles: Record<'writer' | 'relay' | 'reader', string> = { writer: '', relay: '', reader: '' };
    const connected = new Map<string, DataSource>();

    const connect = async (role: string) => {
      const { db, host, port, database } = backend;
      const login = { username: role, password: 'secret' };
      const source = new DataSource({ type: db, host, port, database, ...login, poolSize: 2 });
      connected.set(role, await source.initialize());
    };

    beforeAll(async () => {
      backend = await at.open({ poolMax: 4 });
      // As careful administrators have it.
      if (at.db === 'postgres') await backend.query('ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC');
      open = await openOutbox(backend);
      for (const role of ['writer', 'relay', 'reader'] as const) {
        roles[role] = `${role}_${backend.database.slice(-8)}`;
        await backend.query(
          at.db === 'postgres'
            ? `CREATE ROLE ${roles[role]} LOGIN PASSWORD 'secret'`
            : `CREATE USER '${roles[role]}'@'%' IDENTIFIED BY 'secret'`,
        );
      }
      const script = outboxRolesSql(at.db, roles, NAMES);
      for (const statement of script.split(/;\n(?=\n|$)/).filter((text) => text.trim())) await backend.query(statement);
      for (const role of Object.values(roles)) await connect(role);
    });

    afterAll(async () => {
      await Promise.all([...connected.values()].map((source) => source.destroy()));
      for (const role of Object.values(roles)) {
        if (at.db === 'postgres') await backend.query(`DROP OWNED BY ${role}`);
        await backend.query(at.db === 'postgres' ? `DROP ROLE ${role}` : `DROP USER '${role}'@'%'`);
      }
      await backend.close();
    });

    const as = (role: keyof typeof roles) => connected.get(roles[role]) as DataSource;
    const refused = (role: keyof typeof roles, text: string) =>
      expect(as(role).query(text)).rejects.toThrow(/denied|command denied/);

    it('writer: publishes in any transaction, in order, and reads nothing', async () => {
      const executor = typeOrmExecutor(as('writer'));
      await requireOutbox(executor, open.tables);
      const outbox = new Outbox(new SqlOutboxWriter(executor, open.tables, silent, 'commit'), { payloadBytes: 1_000 });
      await outbox.publish({ channel: 'a', name: 'e', mutationId: '1', data: { n: 1 } });
      await as('writer').transaction(async (transaction) => {
        await outbox.publish({ channel: 'a', name: 'e', mutationId: '3' }, { transaction });
        if (at.db === 'postgres') await transaction.query(insertOf('a', '2'));
      });
      const rows = await backend.query('SELECT mutation_id FROM outbox ORDER BY sequence_id');
      expect(rows.map((row) => row['mutation_id'])).toEqual(at.db === 'postgres' ? ['1', '2', '3'] : ['1', '3']);
      for (const text of [
        'SELECT * FROM outbox',
        'DELETE FROM outbox',
        'UPDATE outbox SET name = name',
        'SELECT * FROM nodes',
      ])
        await refused('writer', text);
    });

    it('relay: takes events and leases, and publishes none', async () => {
      await open.outbox.publish({ channel: 'b', name: 'e' });
      for (const text of [
        `SELECT channel FROM outbox WHERE processed = false`,
        `UPDATE outbox SET processed = true WHERE channel = 'b'`,
        `DELETE FROM outbox WHERE channel = 'b'`,
        `INSERT INTO nodes (id, expiry) VALUES ('n', '2030-01-01 00:00:00')`,
        `DELETE FROM nodes WHERE id = 'n'`,
        `INSERT INTO durable_outbox_destinations (name, created_at, seen_at) VALUES ('d', 1, 1)`,
        `INSERT INTO durable_outbox_shards (destination, shard) VALUES ('d', 1)`,
        `UPDATE durable_outbox_shards SET epoch = epoch + 1`,
        `INSERT INTO durable_outbox_channels (destination, channel) VALUES ('d', 'b')`,
        `DELETE FROM durable_outbox_channels`,
        `SELECT * FROM durable_outbox_dead`,
        `SELECT * FROM durable_outbox_pruned`,
        `SELECT * FROM durable_inbox_positions`,
        ...(at.db === 'postgres' ? ['SELECT outbox_era()'] : []),
      ])
        await as('relay').query(text);
      await refused('relay', insertOf('a', 'x'));
      await requireOutbox(typeOrmExecutor(as('relay')), open.tables);
    });

    it('reader: reads, and nothing else', async () => {
      await requireOutbox(typeOrmExecutor(as('reader')), open.tables);
      await as('reader').query('SELECT * FROM outbox ORDER BY sequence_id');
      await as('reader').query('SELECT * FROM durable_outbox_pruned');
      for (const text of [insertOf('a', 'x'), 'DELETE FROM outbox', 'UPDATE outbox SET name = name'])
        await refused('reader', text);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
