import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FreshDatabase } from './fresh-database.js';
import { type Program, startProgram } from './programs.js';
import { transpileSamples } from './transpiled-samples.js';

/**
 * A process that publishes the outbox of a database into the table `published`, with a connection of its own, and writes
 * its name before each call. Each event takes `EVENT_MS`.
 */
const PROGRAM = `
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { outboxTables } from '../lib/outbox/sql-outbox-tables.js';
import { OutboxRelay } from '../lib/outbox/relay/outbox-relay.js';
import { relayNodeId } from '../lib/outbox/relay/relay-nodes.js';
import { sqlRelayStorage } from '../lib/outbox/relay/sql-relay-storage.js';
import { createNotifier } from '../lib/sql/create-notifier.js';
import { typeOrmExecutor } from '../lib/sql/typeorm-executor.js';

const { db, host, port, user, password, database } = JSON.parse(process.env.DATABASE);
const connect = () => new DataSource({ type: db, host, port, username: user, password, database, poolSize: 10 }).initialize();
const source = await connect();
const ledger = await connect();
const mark = (n) => (db === 'postgres' ? '$' + n : '?');
const insert = 'INSERT INTO published (node, channel, event, phase) VALUES (' + [1, 2, 3, 4].map(mark).join(', ') + ')';
const note = (event, phase) => ledger.query(insert, [String(process.pid), event.channel, Number(event.sequenceId), phase]);

const executor = typeOrmExecutor(source);
const notifier = createNotifier(executor, 'durable', () => {});
notifier.start();
const tables = outboxTables('durable', { table: 'durable_outbox', nodesTable: 'durable_outbox_nodes', schema: undefined });
const storage = sqlRelayStorage(executor, tables, { retains: false });
const nodeId = relayNodeId('program');
const destination = {
  name: 'broker',
  batchSize: 1,
  deliver: async ([event]) => {
    await note(event, 'begun');
    if (event.name === 'deadly') process.kill(process.pid, 'SIGKILL');
    await pause(Number(process.env.EVENT_MS));
    await note(event, 'published');
  },
};
const policy = { onPoison: 'park', attempts: 3, backoff: { delay: 50 }, crashes: 3 };
const leaseMs = Number(process.env.LEASE_MS);
const observer = { lost: (slots) => console.log('LOST ' + slots.length), error: (error) => console.log('ERROR ' + error) };
const relay = new OutboxRelay(storage, [destination], notifier, observer, {
  nodeId, slots: 64, leaseMs, publishTimeoutMs: leaseMs / 3, concurrency: 20, buffer: 500, channelsPerSlot: 50,
  eventsPerChannel: 20, pollMs: 200, debounceMs: 20, fixedRate: false, policies: new Map(), policy,
});
process.on('SIGTERM', async () => {
  await relay.stop();
  await notifier.stop();
  process.exit(0);
});
await relay.start();
console.log('STARTED ' + nodeId);
`;

export interface RelayPrograms {
  start(options: { leaseMs: number; eventMs: number }): Program;
  close(): void;
}

/** Real processes that relay; compiled once. */
export async function relayPrograms(database: FreshDatabase): Promise<RelayPrograms> {
  const samples = await transpileSamples();
  const file = join(dirname(samples.program('x')), 'relay-program.mjs');
  writeFileSync(file, PROGRAM);
  const { db, host, port, user, password, database: name } = database;
  const DATABASE = JSON.stringify({ db, host, port, user, password, database: name });
  return {
    start: ({ leaseMs, eventMs }) =>
      startProgram(file, [], { DATABASE, LEASE_MS: String(leaseMs), EVENT_MS: String(eventMs) }),
    close: () => samples.close(),
  };
}
