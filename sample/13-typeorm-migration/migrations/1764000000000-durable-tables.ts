import { dropStatements, migrationStatements } from 'nest-durable';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DurableTables1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // With `to` this migration stays the same when the package is updated. The next one starts there: `{ from: '0.1.0' }`.
    for (const statement of migrationStatements('postgres', { to: '0.1.0' })) await runner.query(statement);
  }

  /** Drops all runs with the tables. */
  async down(runner: QueryRunner): Promise<void> {
    for (const statement of dropStatements('postgres')) await runner.query(statement);
  }
}
