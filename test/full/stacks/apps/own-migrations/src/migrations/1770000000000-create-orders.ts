import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOrders1770000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE orders (id varchar(64) NOT NULL PRIMARY KEY, amount int NOT NULL, status varchar(32) NOT NULL)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE orders');
  }
}
