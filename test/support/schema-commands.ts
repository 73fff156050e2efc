import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EntitySchema, type MikroORM } from '@mikro-orm/core';
import { Migration, Migrator } from '@mikro-orm/migrations';
import type { FreshDatabase } from './fresh-database.js';

/** An entity of an app, which its own schema commands create. */
class Note {
  id!: number;
  text!: string;
}

export const NoteSchema = new EntitySchema<Note>({
  class: Note,
  tableName: 'app_notes',
  properties: { id: { type: 'integer', primary: true }, text: { type: 'string' } },
});

class MigrationOfApp extends Migration {
  override up(): void {
    this.addSql('CREATE TABLE app_others (id integer NOT NULL PRIMARY KEY)');
  }
}

/** Options of a MikroORM app with one migration and a folder of its own for more. */
export function withMigrations(given: { schemaGenerator?: object; migrations?: object } = {}) {
  const path = mkdtempSync(join(tmpdir(), 'nest-durable-migrations-'));
  const migrationsList = [{ name: 'Migration1', class: MigrationOfApp }];
  return {
    extensions: [Migrator],
    migrations: { path, migrationsList, silent: true, transactional: false, ...given.migrations },
    ...(given.schemaGenerator && { schemaGenerator: given.schemaGenerator }),
  };
}

/** What `migration:create` would write, by the name it has in this version. */
export async function createMigration(orm: MikroORM): Promise<string> {
  type Create = () => Promise<{ code: string }>;
  const migrator = orm.migrator as unknown as { create?: Create; createMigration: Create };
  const { code } = await (migrator.create ? migrator.create() : migrator.createMigration());
  return code;
}

/** `schema:update`, by the name it has in this version. */
export async function updateSchema({ schema }: MikroORM): Promise<void> {
  type Update = () => Promise<void>;
  const generator = schema as unknown as { update?: Update; updateSchema: Update };
  await (generator.update ? generator.update() : generator.updateSchema());
}

/** The tables of the database. */
export async function tablesOf({ db, query }: FreshDatabase): Promise<string[]> {
  const schema = db === 'postgres' ? 'current_schema()' : 'DATABASE()';
  const rows = await query(`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema}`);
  return rows.map(({ name }) => String(name)).sort();
}
