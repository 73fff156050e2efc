import { SqlEventPruning } from '../../../lib/outbox/channels.sql.js';
import { sql } from '../../../lib/sql/statement.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import type { OutboxTables } from '../../../lib/outbox/tables.sql.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { numbersTable } from '../../support/crowded-tables.js';
import { executorOf } from '../../support/engine-storage.js';
import { explained } from '../../support/explaining-executor.js';
import { emptyOutbox, relayTables, writeEvents } from '../../support/outbox-relay-tables.js';

const COUNT = 20_000;

describeDatabases('a sweep of channels of runs', (at) => {
  let backend: OpenBackend;
  let db: SqlExecutor;
  let tables: OutboxTables;
  const owned = [
    { table: 'durable_outbox_channels', owner: 'destination', position: 'position' },
    { table: 'durable_inbox_positions', owner: 'consumer', position: 'last_sequence_id' },
  ];
  const put = async (owner: string, ...channels: string[]) => {
    for (const { table, owner: column, position } of owned)
      for (const channel of channels)
        await backend.query(
          `INSERT INTO ${table} (${column}, channel, ${position}) VALUES ('${owner}', '${channel}', 1)`,
        );
  };
  const left = async () => {
    const found = await Promise.all(
      owned.map(({ table, owner }) => backend.query(`SELECT ${owner} AS who, channel FROM ${table} ORDER BY 1, 2`)),
    );
    return found.map((rows) => rows.map(({ who, channel }) => `${String(who)} ${String(channel)}`));
  };
  const same = (...rows: string[]) => [rows, rows];

  beforeAll(async () => {
    backend = await at.open();
    db = executorOf(backend);
    tables = await relayTables(db);
  });
  beforeEach(async () => {
    await emptyOutbox(db, tables);
    for (const { table } of owned) await backend.query(`DELETE FROM ${table}`);
  });
  afterAll(() => backend?.close());

  it('goes through all owners, page by page, and leaves other channels and what is pending', async () => {
    const pruning = new SqlEventPruning(db, tables);
    await put('app', 'durable:run', 'durable:runs', 'orders', 'Durable:run:x', 'durable:run:a', 'durable:run:pending');
    await put('hook', 'durable:run:a', 'durable:run:b', 'durable:run:c', 'zebra');
    await backend.query(`UPDATE durable_outbox_channels SET state = 'blocked' WHERE channel = 'durable:run:c'`);
    await backend.query(`INSERT INTO durable_outbox_pruned (channel, position) VALUES ('durable:run:a', 1), ('x', 1)`);
    await writeEvents(db, tables, ['durable:run:pending']);
    const counts = [];
    for (let sweeps = 0; sweeps < 6; sweeps++) counts.push((await pruning.sweep(2)).deleted);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(3);
    const [channels, inbox] = await left();
    const kept = ['app Durable:run:x', 'app durable:run', 'app durable:run:pending', 'app durable:runs', 'app orders'];
    expect(inbox!.sort()).toEqual([...kept, 'hook zebra'].sort());
    expect(channels!.sort()).toEqual([...kept, 'hook durable:run:c', 'hook zebra'].sort());
    expect(await backend.query('SELECT channel FROM durable_outbox_pruned')).toEqual([{ channel: 'x' }]);
    expect(await pruning.sweep(100)).toEqual({ deleted: 0, more: false });
  });

  it('waits for no lock, and comes back to what was locked', async () => {
    const pruning = new SqlEventPruning(db, tables);
    await put('hook', 'durable:run:a', 'durable:run:b');
    await writeEvents(db, tables, ['durable:run:c', 'durable:run:c']);
    await db.transaction(async (tx) => {
      await tx.run(sql`UPDATE ${tables.channels} SET position = 2 WHERE channel = 'durable:run:a'`);
      await tx.run(sql`UPDATE ${tables.inbox} SET last_sequence_id = 2 WHERE channel = 'durable:run:a'`);
      await tx.run(sql`UPDATE ${tables.outbox} SET processed = ${true} WHERE channel = 'durable:run:c'`);
      expect(await pruning.sweep(100)).toEqual({ deleted: 1, more: false });
    });
    expect(await left()).toEqual(same('hook durable:run:a'));
    expect(await pruning.sweep(100)).toEqual({ deleted: 1, more: false });
    expect(await left()).toEqual(same());
  });
});

describeDatabases(
  'a sweep among many channels',
  (at) => {
    it('reads no whole table, whatever the planner knows', async () => {
      const backend = await at.open();
      const db = executorOf(backend);
      const tables = await relayTables(db);
      await numbersTable(backend.query, COUNT);
      const found: string[] = [];
      for (const analysed of [false, true]) {
        for (const [table, owner, position] of [
          ...[['durable_outbox_channels', 'destination', 'position']],
          ...[['durable_inbox_positions', 'consumer', 'last_sequence_id']],
        ])
          for (const [prefix, most] of [
            ['app-', COUNT],
            ['durable:run:', 30],
          ])
            await backend.query(
              `INSERT INTO ${table} (${owner}, channel, ${position}) SELECT 'hook${analysed ? 2 : 1}', CONCAT('${prefix}', n), 1 FROM numbers WHERE n < ${most}`,
            );
        const letter = analysed ? 'b' : 'a';
        for (const [prefix, most] of [
          [`app-${letter}`, COUNT],
          [`durable:run:${letter}`, 30],
        ])
          await backend.query(
            `INSERT INTO durable_outbox_pruned (channel, position) SELECT CONCAT('${prefix}', n), 1 FROM numbers WHERE n < ${most}`,
          );
        await backend.query(
          `INSERT INTO durable_outbox (mutation_id, channel, name) SELECT 'm', CONCAT('app-', n), 'x' FROM numbers WHERE n < ${COUNT}`,
        );
        const all = ['durable_outbox', 'durable_outbox_channels', 'durable_inbox_positions', 'durable_outbox_pruned'];
        for (const table of analysed ? all : [])
          await backend.query(`ANALYZE ${at.db === 'postgres' ? '' : 'TABLE '}${table}`);
        const watched = explained(db, new Set());
        const pruning = new SqlEventPruning(watched.executor, tables);
        expect(await pruning.sweep(20)).toEqual({ deleted: 20, more: true });
        expect(await pruning.sweep(20)).toEqual({ deleted: 10, more: false });
        for (const { statement, scanned, text } of watched.scans) found.push(`${statement}: ${scanned}\n${text}`);
        expect(watched.looked).toBeGreaterThan(5);
      }
      expect(found).toEqual([]);
      await backend.close();
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
