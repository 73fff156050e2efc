import { sqlRelayStorage } from '../../../lib/outbox/storage.sql.js';
import { shardOf } from '../../../lib/outbox/events.js';
import type { OutboxTables } from '../../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { type OutboxRelayFixture, ackOf, fetchAll, shown, takeAll } from '../../contract/conformance/outbox.js';
import { sql } from '../../../lib/sql/statement.js';
import { ManualClock } from '../../../lib/core/time.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { emptyOutbox, relayTables, writeEvents } from '../../support/outbox-relay-tables.js';

describeDatabases('delivered events', (at) => {
  let backend: OpenBackend;
  let db: SqlExecutor;
  let tables: OutboxTables;
  beforeAll(async () => {
    backend = await at.open();
    db = executorOf(backend);
    tables = await relayTables(db);
  });
  afterAll(() => backend?.close());
  beforeEach(() => emptyOutbox(db, tables));

  const fixtureThat = (retains: boolean): OutboxRelayFixture => {
    const clock = new ManualClock();
    return {
      storage: sqlRelayStorage(db, tables, { retains, now: () => sql`${clock.now()}` }),
      clock,
      write: (...channels) => writeEvents(db, tables, channels),
      newest: async () => '',
      shardOf: (channel) => shardOf(channel, db.dialect.family),
    };
  };
  const rows = async () => {
    const all = await backend.query('SELECT sequence_id, processed FROM durable_outbox ORDER BY 1');
    return all.map((row) => [String(row['sequence_id']), Number(row['processed'])]);
  };

  it('stay, marked, where they are retained', async () => {
    const fixture = fixtureThat(true);
    const leases = await takeAll(fixture);
    const [a1, a2, b1] = (await fixture.write('a', 'a', 'b')) as [string, string, string];
    const { acknowledgements } = fixture.storage;
    expect(await acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'a', [a1, a2])])).toEqual([true]);
    expect(await rows()).toEqual([
      [a1, 1],
      [a2, 1],
      [b1, 0],
    ]);
    expect(shown(await fetchAll(fixture))).toEqual({ b: [b1] });
    expect(await acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'a', [a1])])).toEqual([false]);
  });

  it('leave one row, the newest of all, and no more of them however many are delivered one by one', async () => {
    const fixture = fixtureThat(false);
    const leases = await takeAll(fixture);
    let last = '';
    for (let n = 0; n < 10; n++) {
      const channel = `channel-${n}`;
      const [id] = (await fixture.write(channel)) as [string];
      last = id;
      await fixture.storage.acknowledgements.acknowledge('me', [ackOf(fixture, leases, channel, [id])]);
    }
    expect(await rows()).toEqual([[last, 1]]);
  });

  it('of one destination wait for another that joined meanwhile', async () => {
    const fixture = fixtureThat(false);
    const leases = await takeAll(fixture);
    const [a1] = (await fixture.write('a')) as [string];
    await takeAll(fixture, 'me', 'other');
    expect(await fixture.storage.acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'a', [a1])])).toEqual([
      true,
    ]);
    expect(await rows()).toEqual([[a1, 0]]);
    expect(shown(await fetchAll(fixture))).toEqual({});
    expect(shown(await fetchAll(fixture, { destination: 'other' }))).toEqual({ a: [a1] });
  });
});
