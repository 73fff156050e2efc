import { DataSource, type DataSourceOptions } from 'typeorm';
import type { OpenHandle, OpenOptions } from './backends.js';
import type { FreshDatabase } from './fresh-database.js';

export async function openTypeOrm(
  to: FreshDatabase,
  { poolMax = 10, entities = [], orm }: OpenOptions,
): Promise<OpenHandle> {
  const { db, host, port, user, password, database } = to;
  const options = { type: db, host, port, username: user, password, database, poolSize: poolMax, entities, ...orm };
  const dataSource = new DataSource(options as DataSourceOptions);
  await dataSource.initialize();
  return { handle: dataSource, close: async () => void (dataSource.isInitialized && (await dataSource.destroy())) };
}
