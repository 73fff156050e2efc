import { InvalidTransactionError } from '../errors/argument-errors.js';

/** The used parts of TypeORM, so that it stays an optional peer. */
export interface TypeOrmDataSource {
  readonly options: { readonly type: string };
  readonly isInitialized: boolean;
  readonly driver: {
    /** PostgreSQL: the pool of the primary. */
    readonly master?: unknown;
    /** MySQL and MariaDB: the pool, if there are no replicas. */
    readonly pool?: unknown;
    obtainMasterConnection(): Promise<unknown>;
  };
  readonly subscribers: object[];
  createQueryRunner(): TypeOrmQueryRunner;
}

export type TypeOrmIsolationLevel = 'READ COMMITTED' | 'REPEATABLE READ';

export interface TypeOrmEntityManager {
  readonly queryRunner?: TypeOrmQueryRunner;
  transaction<T>(isolation: TypeOrmIsolationLevel, work: (manager: TypeOrmEntityManager) => Promise<T>): Promise<T>;
  /** TypeORM 0.3 calls it `connection`. */
  readonly dataSource?: object;
  readonly connection?: object;
}

export interface TypeOrmQueryRunner {
  readonly isTransactionActive: boolean;
  readonly isReleased: boolean;
  readonly manager: TypeOrmEntityManager;
  readonly dataSource?: object;
  readonly connection?: object;
  connect(): Promise<unknown>;
  release(): Promise<void>;
}

const HOW =
  'pass the EntityManager that dataSource.transaction(async (manager) => …) passes to its callback, or a QueryRunner after startTransaction()';

/** The query runner of a handle with an open transaction of this DataSource. */
export function queryRunnerOf(handle: unknown, dataSource: object): TypeOrmQueryRunner {
  if (typeof handle !== 'object' || handle === null) throw refuse(`is ${handle === null ? 'null' : typeof handle}`);
  if ('createQueryRunner' in handle) throw refuse('is the DataSource itself, which has no transaction of its own');
  if (typeof (handle as { getTransactionContext?: unknown }).getTransactionContext === 'function') {
    throw refuse("is MikroORM's EntityManager, but this module uses TypeORM");
  }
  const queryRunner =
    'isTransactionActive' in handle ? (handle as TypeOrmQueryRunner) : (handle as TypeOrmEntityManager).queryRunner;
  if (!queryRunner && !('getRepository' in handle)) throw refuse('is no EntityManager');
  if (!queryRunner) throw refuse('is an EntityManager without a transaction');
  if (queryRunner.isReleased) throw refuse('belongs to a transaction that has ended');
  if (!queryRunner.isTransactionActive) throw refuse('has no open transaction');
  if ((queryRunner.dataSource ?? queryRunner.connection) !== dataSource)
    throw refuse('belongs to another DataSource than the one this module uses');
  return queryRunner;
}

const refuse = (what: string): InvalidTransactionError =>
  new InvalidTransactionError(`The given transaction ${what}: ${HOW}`);
