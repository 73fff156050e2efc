import { DataSource } from 'typeorm';
import { DurableTables1764000000000 } from './migrations/1764000000000-durable-tables.js';

/** For the CLI of TypeORM and for the app. */
export default new DataSource({
  type: 'postgres',
  url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
  migrations: [DurableTables1764000000000],
});
