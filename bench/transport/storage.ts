import { DataSource, type DataSourceOptions } from 'typeorm';
import type { SqlExecutor } from '../../lib/sql/executor.js';
import { createNotifier, type Notifier } from '../../lib/sql/notifier.js';
import { type Tables, tablesWithPrefix } from '../../lib/sql/tables.js';
import { typeOrmExecutor } from '../../lib/sql/typeorm.js';
import type { Address } from '../server.js';

export interface Storage {
  executor: SqlExecutor;
  tables: Tables;
  notifier: Notifier;
  close(): Promise<void>;
}

export function dataSourceOptions({ db, host, port, user, password, database }: Address): DataSourceOptions {
  return { type: db, host, port, username: user, password, database };
}

export async function openStorage(address: Address): Promise<Storage> {
  const dataSource = await new DataSource(dataSourceOptions(address)).initialize();
  const executor = typeOrmExecutor(dataSource);
  const notifier = createNotifier(executor, 'durable', console.error);
  const close = async () => {
    await notifier.stop();
    await dataSource.destroy();
  };
  return { executor, tables: tablesWithPrefix('durable'), notifier, close };
}

/** Notifications are heard from here on. */
export async function listening({ notifier, executor }: Storage): Promise<void> {
  notifier.start();
  while (executor.dialect.family === 'postgres' && !notifier.live) await new Promise((done) => setTimeout(done, 5));
}
