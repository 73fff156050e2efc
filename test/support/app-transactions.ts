import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { OrmName } from './backends.js';

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

/** A transaction as the app itself opens it. */
export function inAppTransaction<T>(orm: OrmName, app: unknown, work: (tx: AppTransaction) => Promise<T>): Promise<T> {
  const given = (handle: unknown) => work({ handle, query: (text) => write(orm, handle, text) });
  if (orm === 'typeorm') return (app as DataSource).transaction(given);
  return (app as { em: MikroManager }).em.fork().transactional(given);
}

/** Calls `hook` after each commit of a transaction of the ORM's, as subscribers of apps are called. Answers what ends that. */
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
