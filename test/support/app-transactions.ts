import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { OpenBackend, OrmName } from './backends.js';
import { until } from './until.js';

/** What apps write with, whichever ORM they have. */
export interface AppTransaction {
  /** For the `transaction` option, as the ORM hands it over. */
  handle: unknown;
  /** Without values: what tests write needs none. */
  query(text: string): Promise<unknown>;
}

interface MikroManager {
  execute(text: string): Promise<unknown>;
  fork(): MikroManager;
  transactional<T>(work: (em: MikroManager) => Promise<T>): Promise<T>;
}

/** A statement through what `ctx.transaction` or the ORM's own callback was given. */
export const write = (orm: OrmName, handle: unknown, text: string): Promise<unknown> =>
  orm === 'typeorm' ? (handle as EntityManager | QueryRunner).query(text) : (handle as MikroManager).execute(text);

/** Ends the session of an open transaction from outside, and waits until it is over. */
export async function endSession({ db, orm, query }: OpenBackend, handle: unknown): Promise<void> {
  const ownId = db === 'postgres' ? 'pg_backend_pid()' : 'CONNECTION_ID()';
  const [row] = (await write(orm, handle, `SELECT ${ownId} AS id`)) as { id: number | string }[];
  const id = Number(row!.id);
  await query(db === 'postgres' ? `SELECT pg_terminate_backend(${id})` : `KILL ${id}`);
  const lives =
    db === 'postgres'
      ? `SELECT 1 AS lives FROM pg_stat_activity WHERE pid = ${id}`
      : `SELECT 1 AS lives FROM information_schema.processlist WHERE id = ${id}`;
  await until('the session is over', async () => (await query(lives)).length === 0);
}

/** A transaction as the app itself opens it. */
export function inAppTransaction<T>(orm: OrmName, app: unknown, work: (tx: AppTransaction) => Promise<T>): Promise<T> {
  const given = (handle: unknown) => work({ handle, query: (text) => write(orm, handle, text) });
  if (orm === 'typeorm') return (app as DataSource).transaction(given);
  return (app as { em: MikroManager }).em.fork().transactional(given);
}

/** A part of an open transaction, behind a savepoint, as the ORM's callback is given it. */
export const inNested = (orm: OrmName, handle: unknown, work: (handle: unknown) => Promise<void>): Promise<void> =>
  orm === 'typeorm' ? (handle as EntityManager).transaction(work) : (handle as MikroManager).transactional(work);

/** A statement of the app by itself, on any connection of its pool. */
export const writeAlone = (orm: OrmName, app: unknown, text: string): Promise<unknown> =>
  orm === 'typeorm' ? (app as DataSource).query(text) : (app as { em: MikroManager }).em.fork().execute(text);

/** Calls `hook` after each commit of a transaction of the ORM's, as subscribers of apps are called. Returns what ends that. */
export function afterCommits(orm: OrmName, app: unknown, hook: () => Promise<void>): () => void {
  const subscriber = { afterTransactionCommit: hook };
  if (orm === 'typeorm') {
    const { subscribers } = app as DataSource;
    subscribers.push(subscriber);
    return () => void subscribers.splice(subscribers.indexOf(subscriber), 1);
  }
  const events = (app as { em: { getEventManager(): MikroEvents } }).em.getEventManager();
  let isOver = false;
  events.registerSubscriber({ afterTransactionCommit: async () => (isOver ? undefined : hook()) });
  return () => void (isOver = true);
}

interface MikroEvents {
  registerSubscriber(subscriber: { afterTransactionCommit(): Promise<void> }): void;
}
