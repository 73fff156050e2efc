import { InvalidTransactionError } from '../errors/argument-errors.js';
import type { MikroOrmConfiguration } from './mikro-orm-schema.js';
import type { TarnPoolState } from './pool-counts.js';

/** The used parts of MikroORM 6 and 7, so that it stays an optional peer. */
export interface MikroOrmEntityManager {
  readonly config: MikroOrmConfiguration;
  getTransactionContext(): object | undefined;
  getConnection(type: 'write'): MikroOrmConnection;
  getDriver(): object;
  getEventManager(): { registerSubscriber(subscriber: object): void };
  fork(options: { disableContextResolution: boolean }): MikroOrmEntityManager;
  transactional<T>(work: (em: MikroOrmEntityManager) => Promise<T>, options: { isolationLevel: string }): Promise<T>;
}

export interface MikroOrmConnection {
  /** MikroORM 6. */
  getKnex?(): { readonly client: KnexClient };
  /** MikroORM 7.2 and newer: the pool of the driver. */
  getNativeClient?(): Promise<unknown>;
}

/** The used part of Knex's client. */
export interface KnexClient {
  driver: { readonly Client?: unknown };
  readonly connectionSettings: object;
  readonly pool?: KnexPool;
  acquireConnection(): Promise<object>;
  releaseConnection(connection: object): Promise<unknown>;
}

/** The used part of Tarn's pool. */
export interface KnexPool extends TarnPoolState {
  on(event: 'createSuccess' | 'acquireSuccess', listener: (eventId: number, connection: object) => void): unknown;
  on(event: 'release', listener: (connection: object) => void): unknown;
}

/** A transaction of MikroORM 6: a Knex transaction. */
export interface KnexTransaction {
  readonly client: Pick<KnexClient, 'acquireConnection'>;
  readonly parentTransaction?: KnexTransaction;
  isCompleted(): boolean;
}

/** A transaction of MikroORM 7: Kysely's ControlledTransaction. */
export interface KyselyTransaction {
  readonly isCommitted: boolean;
  readonly isRolledBack: boolean;
  executeQuery(
    query: object,
  ): Promise<{ rows: Record<string, unknown>[]; numAffectedRows?: bigint; insertId?: bigint }>;
}

export const isOver = (context: object): boolean =>
  'isCompleted' in context
    ? (context as KnexTransaction).isCompleted()
    : (context as KyselyTransaction).isCommitted || (context as KyselyTransaction).isRolledBack;

const HOW =
  'pass the EntityManager that em.transactional(async (em) => …) passes to its callback, or one after em.begin()';

/** The open transaction of a handle on the database of `own`. */
export function openTransactionOf(handle: unknown, own: MikroOrmEntityManager): object {
  if (typeof handle !== 'object' || handle === null) throw refuse(`is ${handle === null ? 'null' : typeof handle}`);
  if ('em' in handle && 'connect' in handle)
    throw refuse('is the MikroORM instance itself, which has no transaction of its own');
  if ('isTransactionActive' in handle || 'queryRunner' in handle || 'createQueryRunner' in handle) {
    throw refuse('comes from TypeORM, but this module uses MikroORM');
  }
  const em = handle as Partial<MikroOrmEntityManager>;
  if (typeof em.getTransactionContext !== 'function' || typeof em.getConnection !== 'function')
    throw refuse('is no EntityManager');
  if (em.getConnection('write') !== own.getConnection('write'))
    throw refuse('belongs to another MikroORM instance than the one this module uses');
  const context = em.getTransactionContext();
  if (!context) throw refuse('is an EntityManager without an open transaction');
  if (isOver(context)) throw refuse('belongs to a transaction that has ended');
  return context;
}

const refuse = (what: string): InvalidTransactionError =>
  new InvalidTransactionError(`The given transaction ${what}: ${HOW}`);
