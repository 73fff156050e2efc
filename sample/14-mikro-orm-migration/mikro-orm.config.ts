import { fileURLToPath } from 'node:url';
import { defineConfig } from '@mikro-orm/mariadb';
import { Migrator } from '@mikro-orm/migrations';
import { durableSkipTables } from 'nest-durable';
import { ReceiptSchema } from './receipt.entity.js';

/** For the CLI of MikroORM and for the app. */
export default defineConfig({
  clientUrl: process.env['DATABASE_URL'] ?? 'mariadb://app:app@localhost:3306/app',
  entities: [ReceiptSchema],
  extensions: [Migrator],
  // Otherwise `migration:create` would drop these tables, since they have no entities.
  schemaGenerator: { skipTables: durableSkipTables() },
  migrations: {
    path: fileURLToPath(new URL('migrations', import.meta.url)),
    // MikroORM 6 writes all tables into its snapshot, also the skipped ones.
    snapshot: false,
    // On MySQL and MariaDB each change of a table commits by itself.
    transactional: false,
  },
});
