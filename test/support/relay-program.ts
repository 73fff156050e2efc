import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FreshDatabase } from './fresh-database.js';
import { type Program, startProgram } from './programs.js';
import { transpileSamples } from './transpiled-samples.js';

/**
 * A process that publishes the outbox of a database into the table `published`, with a connection of its own, and, with
 * `begun`, writes its name before each call too.
 */
const PROGRAM = `
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { outboxTables } from '../lib/outbox/tables/sql-outbox-tables.js';
import { OutboxRelay } from '../lib/outbox/relay/outbox-relay.js';
import { nodeServing, relayNodeId } from '../lib/outbox/relay/relay-nodes.js';
import { sqlRelayStorage } from '../lib/outbox/relay/sql-relay-storage.js';
import { createNotifier } from '../lib/sql/create-notifier.js';
import { typeOrmExecutor } from '../lib/sql/typeorm-executor.js';

const { db, host, port, user, password, database } = JSON.parse(process.env.DATABASE);
const { leaseMs, eventMs, batchSize, crashes, begun } = JSON.parse(process.env.RELAY);
const connect = () => new DataSource({ type: db, host, port, username: user, password, database, poolSize: 10 }).initialize();
const source = await connect();
const ledger = await connect();
const mark = (n) => (db === 'postgres' ? '$' + (n + 1) : '?');
const note = (events, phase) => {
  const rows = events.map(({ channel, sequenceId, mutationId }) => [String(process.pid), channel, Number(sequenceId), mutationId, phase]);
  const places = rows.map((row, r) => '(' + row.map((_, c) => mark(r * row.length + c)).join(', ') + ')');
  return ledger.query('INSERT INTO published (node, channel, event, mutation_id, phase) VALUES ' + places.join(', '), rows.flat());
};

const executor = typeOrmExecutor(source);
const notifier = createNotifier(executor, 'durable', () => {});
notifier.start();
const tables = outboxTables('durable', { table: 'durable_outbox', nodesTable: 'durable_outbox_nodes', schema: undefined });
const storage = sqlRelayStorage(executor, tables, { retains: false });
const nodeId = relayNodeId('program');
const destination = {
  name: 'broker',
  batchSize,
  deliver: async (events) => {
    if (begun) await note(events, 'begun');
    if (events[0].name === 'deadly') process.kill(process.pid, 'SIGKILL');
    if (eventMs > 0) await pause(eventMs);
    await note(events, 'published');
  },
};
const policy = { onPoison: 'park', attempts: 1_000, backoff: { delay: 50, maxDelay: 1_000 }, crashes };
const observer = { lost: (shards) => console.log('LOST ' + shards.length), error: (error) => console.log('ERROR ' + error) };
const relay = new OutboxRelay(storage, [destination], notifier, observer, {
  nodeId, shards: 64, leaseMs, publishTimeoutMs: leaseMs / 3, concurrency: 20, buffer: 500, channelsPerShard: 50,
  eventsPerChannel: 20, pollMs: 200, debounceMs: 20, fixedRate: false, policies: new Map(), policy,
});
process.on('SIGTERM', async () => {
  await relay.stop();
  await notifier.stop();
  process.exit(0);
});
await relay.start();
console.log('STARTED ' + nodeServing(nodeId, ['broker']));
`;

export interface RelayProgramOptions {
  leaseMs: number;
  /** What each call takes. */
  eventMs: number;
  /** Events of one call. Default 1. */
  batchSize?: number;
  /** How many processes an event may kill. Default 3. */
  crashes?: number;
  /** Whether calls are written down before they are made, too. Default true. */
  begun?: boolean;
}

export interface RelayPrograms {
  start(options: RelayProgramOptions): Program;
  close(): void;
}

/** Real processes that relay into `published`, which is made here; compiled once. */
export async function relayPrograms(database: FreshDatabase): Promise<RelayPrograms> {
  const serial = database.db === 'postgres' ? 'bigserial' : 'bigint AUTO_INCREMENT';
  await database.query(
    `CREATE TABLE published (id ${serial} PRIMARY KEY, node varchar(40), channel varchar(100), event bigint, mutation_id varchar(191), phase varchar(20))`,
  );
  const samples = await transpileSamples();
  const file = join(dirname(samples.program('x')), 'relay-program.mjs');
  writeFileSync(file, PROGRAM);
  const { db, host, port, user, password, database: name } = database;
  const DATABASE = JSON.stringify({ db, host, port, user, password, database: name });
  return {
    start: (options) => {
      const RELAY = JSON.stringify({ batchSize: 1, crashes: 3, begun: true, ...options });
      return startProgram(file, [], { DATABASE, RELAY });
    },
    close: () => samples.close(),
  };
}

/** Once it publishes: how it is called among the nodes. */
export const relayNodeOf = (program: Program): string | undefined => /STARTED (\S+)/.exec(program.output())?.[1];
