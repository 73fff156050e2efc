import { Migration } from '@mikro-orm/migrations';
import { dropStatements, migrationStatements } from 'nest-durable';

export class Migration20260101000000 extends Migration {
  override up(): void {
    this.addSql('CREATE TABLE receipts (id varchar(191) NOT NULL PRIMARY KEY, amount int NOT NULL)');
    // With `to` this migration stays the same when the package is updated. The next one starts there: `{ from: '0.1.0' }`.
    for (const statement of migrationStatements('mariadb', { to: '0.1.0' })) this.addSql(statement);
  }

  /** Drops all runs with the tables. */
  override down(): void {
    for (const statement of dropStatements('mariadb')) this.addSql(statement);
    this.addSql('DROP TABLE receipts');
  }
}
