import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { type Clock, stopwatch } from '../../../lib/core/time.js';
import type { Destination } from '../../../lib/outbox/destinations.js';
import type { OutboxEvent } from '../../../lib/outbox/events.js';
import { OutboxRelay } from '../../../lib/outbox/relay.js';
import { nodeServing, relayNodeId } from '../../../lib/outbox/storage.js';
import { sqlRelayStorage } from '../../../lib/outbox/storage.sql.js';
import { outboxTables } from '../../../lib/outbox/tables.sql.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import type { RelayProgramDatabase, RelayProgramOptions } from '../relay-program.js';

const { db, host, port, user, password, database } = JSON.parse(process.env.DATABASE ?? '') as RelayProgramDatabase;
const { leaseMs, heartbeatTimeoutMs, longAfter, eventMs, batchSize, crashes, begun } = JSON.parse(
  process.env.RELAY ?? '',
) as Required<RelayProgramOptions>;
const elapsed: Clock = { now: () => stopwatch.now() + (existsSync(longAfter) ? leaseMs : 0) };

const connect = () =>
  new DataSource({ type: db, host, port, username: user, password, database, poolSize: 10 }).initialize();
const source = await connect();
const ledger = await connect();

const placeholder = (n: number) => (db === 'postgres' ? `$${n + 1}` : '?');
const note = async (events: readonly OutboxEvent[], phase: 'begun' | 'published') => {
  const rows = events.map(({ channel, sequenceId, mutationId }) => [
    String(process.pid),
    channel,
    Number(sequenceId),
    mutationId,
    phase,
  ]);
  const values = rows.map((row, r) => `(${row.map((_, c) => placeholder(r * row.length + c)).join(', ')})`);
  await ledger.query(
    `INSERT INTO published (node, channel, event, mutation_id, phase) VALUES ${values.join(', ')}`,
    rows.flat(),
  );
};
const destination: Destination = {
  name: 'broker',
  batchSize,
  deliver: async (events) => {
    if (begun) await note(events, 'begun');
    if (events[0]?.name === 'deadly') process.kill(process.pid, 'SIGKILL');
    if (eventMs > 0) await pause(eventMs);
    await note(events, 'published');
  },
};

const executor = typeOrmExecutor(source);
const notifier = createNotifier(executor, 'durable', () => {});
notifier.start();
const tables = outboxTables('durable', {
  table: 'durable_outbox',
  nodesTable: 'durable_outbox_nodes',
  schema: undefined,
});
const nodeId = relayNodeId('program');
const relay = new OutboxRelay(
  sqlRelayStorage(executor, tables, { retains: false }),
  [destination],
  notifier,
  {
    lost: (shards) => console.log(`LOST ${shards.length}`),
    error: (error) => console.log(`ERROR ${String(error)}`),
  },
  {
    nodeId,
    leaseMs,
    heartbeatTimeoutMs,
    elapsed,
    publishTimeoutMs: leaseMs / 3,
    concurrency: 20,
    buffer: 500,
    channelsPerShard: 50,
    eventsPerChannel: 20,
    pollMs: 200,
    debounceMs: 20,
    fixedRate: false,
    policy: { onPoison: 'park', attempts: 1_000, backoff: { delay: 50, maxDelay: 1_000 }, crashes },
  },
);
process.on('SIGTERM', () => {
  void (async () => {
    await relay.stop();
    await notifier.stop();
    process.exit(0);
  })();
});
await relay.start();
console.log(`STARTED ${nodeServing(nodeId, ['broker'])}`);
