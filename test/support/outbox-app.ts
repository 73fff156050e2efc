import { SqlOutboxWriter } from '../../lib/outbox/events.sql.js';
import { migrateOutbox } from '../../lib/outbox/schema.sql.js';
import { Outbox } from '../../lib/outbox/outbox.js';
import type { OutboxOrdering } from '../../lib/outbox/events.js';
import { outboxTables, type OutboxTables } from '../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../lib/sql/executor.js';
import type { OpenBackend } from './backends.js';
import { executorOf } from './db-transports.js';
import { makeTables } from './our-tables.js';

/** An outbox named `outbox` on a backend. */
export interface OpenOutbox {
  executor: SqlExecutor;
  tables: OutboxTables;
  outbox: Outbox;
  /** What this process and others were told, as JSON. */
  told: { local: string[]; published: string[] };
}

export interface OpenOutboxOptions {
  /** Default `'commit'`. */
  ordering?: OutboxOrdering;
  executor?: SqlExecutor;
}

export async function openOutbox(
  backend: OpenBackend,
  { ordering = 'commit', executor = executorOf(backend, backend.handle) }: OpenOutboxOptions = {},
): Promise<OpenOutbox> {
  await makeTables(backend, { outbox: false });
  const tables = outboxTables('durable', { table: 'outbox', nodesTable: 'nodes', schema: undefined });
  await migrateOutbox(executor, tables, { ordering });
  const told: OpenOutbox['told'] = { local: [], published: [] };
  const notifier = {
    local: (_: string, payload: string) => void told.local.push(payload),
    publish: (_: string, payload: string) => void told.published.push(payload),
  };
  const writer = new SqlOutboxWriter(executor, tables, notifier, ordering);
  return { executor, tables, told, outbox: new Outbox(writer, { payloadBytes: 1 << 20 }) };
}

export type Isolation = 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';

interface TypeOrmApp {
  transaction<T>(isolation: string, work: (handle: unknown) => Promise<T>): Promise<T>;
}

interface MikroOrmApp {
  em: { fork(): { transactional<T>(work: (em: unknown) => Promise<T>, options: object): Promise<T> } };
}

interface Handle {
  query(text: string): Promise<unknown>;
  execute(text: string): Promise<unknown>;
  transaction<T>(work: (handle: unknown) => Promise<T>): Promise<T>;
  transactional<T>(work: (handle: unknown) => Promise<T>): Promise<T>;
}

/** The app's own transaction. */
export function inTransaction<T>(
  { orm, handle }: Pick<OpenBackend, 'orm' | 'handle'>,
  isolation: Isolation,
  work: (handle: unknown) => Promise<T>,
): Promise<T> {
  if (orm === 'typeorm') return (handle as TypeOrmApp).transaction(isolation, work);
  const em = (handle as MikroOrmApp).em.fork();
  return em.transactional(work, { isolationLevel: isolation.toLowerCase() });
}

/** A savepoint in it. */
export const inSavepoint = <T>(
  { orm }: Pick<OpenBackend, 'orm'>,
  handle: unknown,
  work: (inner: unknown) => Promise<T>,
): Promise<T> => (orm === 'typeorm' ? (handle as Handle).transaction(work) : (handle as Handle).transactional(work));

/** A statement of the app's in it. */
export const queryIn = ({ orm }: Pick<OpenBackend, 'orm'>, handle: unknown, text: string): Promise<unknown> =>
  orm === 'typeorm' ? (handle as Handle).query(text) : (handle as Handle).execute(text);

/** As any program inserts. */
export const insertOf = (channel: string, mutationId: string): string =>
  `INSERT INTO outbox (mutation_id, channel, name) VALUES ('${mutationId}', '${channel.replaceAll("'", "''")}', 'e')`;
