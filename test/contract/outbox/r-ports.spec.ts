import { ManualClock } from '../../../lib/core/time.js';
import { shardOf } from '../../../lib/outbox/events.js';
import { SqlEventErasure } from '../../../lib/outbox/events.sql.js';
import { inMemoryRelayStorage, MemoryOutbox } from '../../../lib/outbox/relay.memory.js';
import { InMemoryEventErasure } from '../../../lib/outbox/storage.memory.js';
import { sqlRelayStorage } from '../../../lib/outbox/storage.sql.js';
import type { OutboxTables } from '../../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { interceptedPort } from '../../../lib/testing/crash-explorer.js';
import { outboxDeadLetterConformance, outboxRequeueConformance } from '../conformance/dead-letters.js';
import {
  outboxDeliveryConformance,
  outboxErasureConformance,
  outboxInsightConformance,
  outboxLagConformance,
  outboxLeaseConformance,
  ackOf,
  takeAll,
} from '../conformance/outbox.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { emptyOutbox, relayTables, writeEvents } from '../../support/outbox-relay-tables.js';

const cases = [
  ...outboxLeaseConformance,
  ...outboxInsightConformance,
  ...outboxDeliveryConformance,
  ...outboxDeadLetterConformance,
  ...outboxLagConformance,
  ...outboxRequeueConformance,
];

describe('the ports of the relay in memory', () => {
  it.each(cases)('$name', async ({ run }) => {
    const clock = new ManualClock();
    const tables = new MemoryOutbox(clock);
    const write = async (...channels: string[]) =>
      channels.map((channel, n) => {
        const event = { mutationId: `m-${n}`, channel, name: 'changed', rejected: false, data: { n } };
        return tables.append({ ...event, headers: { source: 'test' } }).sequenceId;
      });
    const storage = inMemoryRelayStorage(tables);
    await run({ storage, clock, write, newest: async () => tables.newest, shardOf: (name) => tables.shardOf(name) });
  });
});

describe('the erasure of events in memory', () => {
  it.each(outboxErasureConformance)('$name', async ({ run }) => {
    const clock = new ManualClock();
    const tables = new MemoryOutbox(clock);
    const write = async (...channels: string[]) =>
      channels.map((channel, n) => {
        const event = { mutationId: `m-${n}`, channel, name: 'changed', rejected: false, data: { n } };
        return tables.append({ ...event, headers: { source: 'test' } }).sequenceId;
      });
    await run({
      storage: inMemoryRelayStorage(tables),
      erasure: new InMemoryEventErasure(tables),
      clock,
      write,
      newest: async () => tables.newest,
      shardOf: (name) => tables.shardOf(name),
      data: async () => [...tables.stored.values()].map(({ event: { data } }) => data),
    });
  });
});

describeDatabases('the ports of the relay in SQL', (at) => {
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

  const fixtureOf = (retains = false) => {
    const clock = new ManualClock();
    const newest = async () => {
      const { rows } = await db.run<{ id: string | number }>(sql`SELECT MAX(sequence_id) AS id FROM ${tables.outbox}`);
      return String(rows[0]?.id);
    };
    return {
      storage: sqlRelayStorage(db, tables, { retains, now: () => sql`${clock.now()}` }),
      clock,
      write: (...channels: string[]) => writeEvents(db, tables, channels),
      newest,
      shardOf: (channel: string) => shardOf(channel, db.dialect.family),
    };
  };

  it.each(cases)('$name', ({ run }) => run(fixtureOf()));

  it.each([
    ['delete', false, ['broker']],
    ['mark', true, ['broker']],
    ['delete, behind several destinations,', false, ['broker', 'other']],
    ['mark, behind several destinations,', true, ['broker', 'other']],
  ] as const)('%s what was delivered while a publisher has not committed', async (_, retains, destinations) => {
    const fixture = fixtureOf(retains);
    const channels = 'abcd';
    const leases = [];
    for (const destination of destinations) leases.push(await takeAll(fixture, 'me', destination));
    const ids = await fixture.write(...channels);
    const [wrote, commits] = [gate(), gate()];
    const publisher = db.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO ${tables.outbox} (mutation_id, channel, name) VALUES ('late', 'a', 'changed')`);
      wrote.open();
      await commits.opened;
    });
    try {
      await wrote.opened;
      for (const held of leases) {
        const acks = ids.map((id, n) => ackOf(fixture, held, channels[n]!, [id]));
        expect(await fixture.storage.acknowledgements.acknowledge('me', acks)).toEqual(acks.map(() => true));
      }
    } finally {
      commits.open();
      await publisher;
    }
  });

  it.each(outboxErasureConformance)('$name', async ({ run }) => {
    const clock = new ManualClock();
    await run({
      storage: sqlRelayStorage(db, tables, { retains: true, now: () => sql`${clock.now()}` }),
      erasure: new SqlEventErasure(db, tables),
      clock,
      write: (...channels) => writeEvents(db, tables, channels),
      newest: async () => '0',
      shardOf: (channel) => shardOf(channel, db.dialect.family),
      data: async () => {
        const text = db.dialect.cast(raw('data'), 'text');
        const { rows } = await db.run<{ data: string | null }>(
          sql`SELECT ${text} AS data FROM ${tables.outbox} ORDER BY sequence_id`,
        );
        return rows.map(({ data }) => JSON.parse(data ?? 'null') as unknown);
      },
    });
  });

  it('leave a shard to its owner who comes back while another looks at it', async () => {
    const clock = new ManualClock();
    const now = () => sql`${clock.now()}`;
    const storage = sqlRelayStorage(db, tables, { retains: false, now });
    await storage.destinations.register(['broker'], 64);
    const request = { destination: 'broker', wanted: [1, 2, 3], strays: 0, leaseMs: 30_000 };
    await storage.leases.acquire('owner', request);
    clock.advance(30_000);
    // A renewal that began while the lease lasted, and commits now.
    let renewed: number | undefined;
    const comeBack = () =>
      db.run(
        sql`UPDATE ${tables.shards} SET lease_until = ${clock.now() + 30_000} WHERE owner = 'owner' AND shard < 3`,
      );
    const slow = interceptedPort(db, async (_, call) => {
      const answer = await call();
      renewed ??= (await comeBack()).affected;
      return answer;
    });
    const other = sqlRelayStorage(slow, tables, { retains: false, now });
    const taken = await other.leases.acquire('other', request);
    expect(taken.length + renewed!).toBe(3);
  });
});
