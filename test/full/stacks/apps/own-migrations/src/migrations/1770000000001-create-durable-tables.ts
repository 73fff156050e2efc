import { dropStatements, migrationStatements } from 'nest-durable';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDurableTables1770000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of migrationStatements('mariadb', { to: '0.1.0' })) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of dropStatements('mariadb')) await runner.query(statement);
  }
}
