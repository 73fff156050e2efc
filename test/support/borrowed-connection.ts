import type { DataSource } from 'typeorm';
import type { OpenBackend } from './backends.js';

/** A connection of the app's pool, as code of the app has it that begins and ends transactions by itself. */
export interface BorrowedConnection {
  query(text: string): Promise<unknown>;
  giveBack(): Promise<void>;
}

interface Knex {
  client: { acquireConnection(): Promise<object>; releaseConnection(connection: object): Promise<void> };
  raw(text: string): { connection(connection: object): Promise<unknown> };
}

interface NativeConnection {
  query(text: string, callback: (error: Error | null, answer: unknown) => void): unknown;
  release(): void;
}

interface NativePool {
  connect?(): Promise<NativeConnection>;
  getConnection?(callback: (error: Error | null, connection: NativeConnection) => void): void;
}

interface MikroConnection {
  getKnex?(): Knex;
  getNativeClient?(): Promise<NativePool>;
}

export function borrow({ orm, handle }: OpenBackend): Promise<BorrowedConnection> {
  if (orm === 'typeorm') return fromTypeOrm(handle as DataSource);
  const connection = (handle as { em: { getConnection(): MikroConnection } }).em.getConnection();
  return connection.getKnex ? fromKnex(connection.getKnex()) : fromPool(connection.getNativeClient!());
}

async function fromTypeOrm(dataSource: DataSource): Promise<BorrowedConnection> {
  const queryRunner = dataSource.createQueryRunner();
  await queryRunner.connect();
  return { query: (text) => queryRunner.query(text), giveBack: () => queryRunner.release() };
}

async function fromKnex(knex: Knex): Promise<BorrowedConnection> {
  const raw = await knex.client.acquireConnection();
  return {
    query: (text) => knex.raw(text).connection(raw),
    giveBack: () => knex.client.releaseConnection(raw),
  };
}

/** MikroORM 7. */
async function fromPool(opening: Promise<NativePool>): Promise<BorrowedConnection> {
  const pool = await opening;
  const raw = pool.connect
    ? await pool.connect()
    : await new Promise<NativeConnection>((resolve, reject) =>
        pool.getConnection!((error, connection) => (error ? reject(error) : resolve(connection))),
      );
  return {
    query: (text) =>
      new Promise((resolve, reject) => raw.query(text, (error, answer) => (error ? reject(error) : resolve(answer)))),
    giveBack: async () => raw.release(),
  };
}
